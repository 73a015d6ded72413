"""`python -m tenure` is the command `tenure`."""

from tenure.cli import main

raise SystemExit(main())
