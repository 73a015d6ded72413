"""The command `tenure`, also run by `python -m tenure`."""

import sys

from tenure.cache.up_to_date import replay_if_unchanged
from tenure.console import find_current_folder

TYPE_CHECKING = False  # type checkers read it as true; to import it from `typing` would delay each command
if TYPE_CHECKING:
    from typing import NoReturn


def main() -> "NoReturn":
    """Run a command and exit; if nothing changed since the same command ran, only repeat its messages."""
    try:
        if replay_if_unchanged(find_current_folder(), sys.argv[1:]):
            raise SystemExit(0)
        from tenure.cli.app import exit_immediately
        from tenure.cli.app import main as run_command
    except KeyboardInterrupt:
        raise SystemExit(130) from None

    exit_immediately(run_command())


if __name__ == "__main__":
    main()
