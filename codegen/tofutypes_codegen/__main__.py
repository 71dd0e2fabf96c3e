"""`python -m tofutypes_codegen` is `tofutypes`."""

import sys

from tofutypes_codegen.cli import main

if __name__ == "__main__":
    sys.exit(main())
