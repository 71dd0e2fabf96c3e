"""`python -m tofutypes` runs the command line `tofutypes`."""

import sys

from tofutypes_codegen.cli import main

if __name__ == "__main__":
    sys.exit(main())
