"""`python -m kpframe` is `kpframe`."""

import sys

from kpframe.cli import main

if __name__ == "__main__":
    sys.exit(main())
