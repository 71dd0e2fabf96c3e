"""A provider with one resource, beside another provider's executable: the argument."""

import sys

from benchmarks.providers.small import Small
from tofutypes.provider import Executable, Mux, serve

if __name__ == "__main__":
    serve(Mux(Small, Executable(sys.argv[1])))
