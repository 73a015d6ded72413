"""Access to the preview: this machine only, or also devices of the local network that have the token."""

import contextlib
import hmac
import ipaddress
import secrets
import socket
from collections.abc import Sequence

from tenure.record import Record

LOOPBACK_ADDRESS = "127.0.0.1"
EVERY_ADDRESS = "0.0.0.0"  # the user asks for it with --host
LOOPBACK_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})
"""
Hosts that a browser on this machine uses. A request for any other name may come from a DNS rebinding attack.
"""

KEY_PARAMETER = "key"
"""The name of the token of the editor in an address."""

_TOKEN_CHARACTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # the letters of tokens, not a token
"""Letters and digits that are not easily confused when typed."""


class Access(Record):
    """The token that other devices need; without a token, only this machine has access."""

    token: str = ""

    @classmethod
    def for_network(cls) -> "Access":
        """The access for the local network, with a new token."""
        return cls("".join(secrets.choice(_TOKEN_CHARACTERS) for _ in range(10)))

    @property
    def listen_address(self) -> str:
        """The address that the preview listens on."""
        return EVERY_ADDRESS if self.token else LOOPBACK_ADDRESS

    def is_allowed_host(self, name: str) -> bool:
        """
        Whether a request with this host name is accepted: a loopback name, or with a token also any IP
        address.

        IP addresses are safe, because DNS rebinding needs a name.
        """
        return name in LOOPBACK_HOSTS or (bool(self.token) and is_ip_address(name))

    def is_valid_token(self, given_token: str) -> bool:
        """Whether this is the token, compared in constant time."""
        given_bytes = given_token.encode("utf-8", "replace")
        return bool(self.token) and hmac.compare_digest(given_bytes, self.token.encode())

    def reachable_addresses(self) -> Sequence[str]:
        """
        The IPv4 addresses of this machine for other devices, first that of its route to the Internet; empty
        without a token.
        """
        addresses: list[str] = []
        with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp_socket:
            # UDP connects without a packet; this address is for documentation (RFC 5737).
            udp_socket.connect(("192.0.2.1", 9))
            addresses.append(str(udp_socket.getsockname()[0]))
        with contextlib.suppress(OSError):
            infos = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
            addresses += [str(socket_address[0]) for *_, socket_address in infos]
        found = [address for address in dict.fromkeys(addresses) if not address.startswith("127.")]
        return found if self.token else []


class EditorKey:
    """
    Who may use the editor: a browser that has opened an address with the token of this run; a cookie then
    keeps it.

    Other users of this machine can read the addresses that a program opens, so those have a ticket for one
    use.
    """

    def __init__(self) -> None:
        self.token = secrets.token_urlsafe(16)
        self._tickets: set[str] = set()

    def make_ticket(self) -> str:
        """A value that is accepted once."""
        ticket = secrets.token_urlsafe(16)
        self._tickets.add(ticket)
        return ticket

    def is_valid_token(self, given: str) -> bool:
        """Whether this is the token, compared in constant time."""
        return hmac.compare_digest(given.encode("utf-8", "replace"), self.token.encode())

    def accept(self, given: str) -> bool:
        """Whether this is the token or a ticket, which is used up."""
        if given in self._tickets:
            self._tickets.remove(given)
            return True
        return self.is_valid_token(given)


def is_ip_address(name: str) -> bool:
    """Whether a host name is an IP address."""
    try:
        return bool(ipaddress.ip_address(name))
    except ValueError:
        return False
