"""`python -m tenure` is the command `tenure`."""

import os
import sys

from tenure.stamp import said_again

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


def main() -> "NoReturn":
    """Run a command, unless the same was run before and would change nothing; ends the process with the exit status."""
    if said_again(os.getcwd(), sys.argv[1:]):  # noqa: PTH109 - sooner than pathlib is loaded
        raise SystemExit(0)
    from tenure.cli import leave  # noqa: PLC0415 - as above
    from tenure.cli import main as run  # noqa: PLC0415 - as above

    leave(run())


if __name__ == "__main__":
    main()
