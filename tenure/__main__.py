"""`python -m tenure` is the command `tenure`."""

import os
import sys

from tenure.stamp import said_again


def main() -> int:
    """Run a command, unless the same was run before and would change nothing; returns the exit status."""
    if said_again(os.getcwd(), sys.argv[1:]):  # noqa: PTH109 - sooner than pathlib is loaded
        return 0
    from tenure.cli import main as run  # noqa: PLC0415 - as above

    return run()


if __name__ == "__main__":
    raise SystemExit(main())
