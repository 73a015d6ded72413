"""Access to the preview: this machine only, or also devices of the local network that have the token."""

import hmac
import ipaddress
import secrets
import socket
from collections.abc import Sequence

from tenure.record import Record

LOOPBACK_ADDRESS = "127.0.0.1"
LOOPBACK_HOSTS = frozenset({"localhost", "127.0.0.1", "::1"})
"""Hosts that a browser on this machine uses. A request for any other name may come from a DNS rebinding attack."""

WILDCARD_ADDRESSES = frozenset({"0.0.0.0", "::"})  # the user asks for it with --host
"""Hosts that mean every address of this machine."""

_TOKEN_CHARACTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # the letters of tokens, not a token
"""Letters and digits that are not easily confused when typed."""

_TOKEN_LENGTH = 10


class Access(Record):
    """
    The address that the preview listens on, and the token that other devices need.

    Without a `token`, `host` is the loopback address, and only this machine has access.
    """

    host: str = LOOPBACK_ADDRESS
    token: str = ""

    @classmethod
    def for_host(cls, host: str) -> "Access":
        """
        Return the access for an IP address of this machine or "localhost", with a new token unless it is a loopback address.

        Raises ValueError if `host` is not an IP address, and OSError if this machine does not have it.
        """
        if host in LOOPBACK_HOSTS or ipaddress.ip_address(host).is_loopback:
            return cls()
        with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as test_socket:
            test_socket.bind((host, 0))
        return cls(host, "".join(secrets.choice(_TOKEN_CHARACTERS) for _ in range(_TOKEN_LENGTH)))

    @property
    def listen_addresses(self) -> Sequence[str]:
        """The addresses to listen on, always including the loopback address."""
        return [self.host] if self.host in (LOOPBACK_ADDRESS, "0.0.0.0") else [LOOPBACK_ADDRESS, self.host]

    def is_allowed_host(self, name: str) -> bool:
        """
        Whether a request with this host name is accepted: a loopback name, or with a token also any IP address.

        IP addresses are safe, because DNS rebinding needs a name.
        """
        return name in LOOPBACK_HOSTS or (bool(self.token) and is_ip_address(name))

    def is_valid_token(self, given_token: str) -> bool:
        """Whether this is the token, compared in constant time."""
        given_bytes = given_token.encode("utf-8", "replace")
        return bool(self.token) and hmac.compare_digest(given_bytes, self.token.encode())

    def reachable_addresses(self) -> Sequence[str]:
        """The addresses of this machine for other devices, as written in URLs; empty without a token."""
        if not self.token:
            return []
        addresses = _find_network_addresses() if self.host in WILDCARD_ADDRESSES else [self.host]
        return [f"[{address}]" if ":" in address else address for address in addresses]


def is_ip_address(name: str) -> bool:
    """Whether a host name is an IP address."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_loopback_address(address: str) -> bool:
    """Whether a host name is a loopback address."""
    return is_ip_address(address) and ipaddress.ip_address(address).is_loopback


def _find_network_addresses() -> list[str]:
    """The IPv4 addresses of this machine, first the one that it uses for the Internet. Sends nothing."""
    addresses: list[str] = []
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp_socket:
            udp_socket.connect(
                ("192.0.2.1", 9)
            )  # an address for documentation (RFC 5737); UDP connects without a packet
            addresses.append(str(udp_socket.getsockname()[0]))
    except OSError:
        pass  # without a network, the name of the machine may still have addresses
    try:
        address_infos = socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)
    except OSError:
        address_infos = []
    addresses += [str(socket_address[0]) for *_, socket_address in address_infos]
    return [address for address in dict.fromkeys(addresses) if not is_loopback_address(address)]
