"""Exit codes of the command line."""

from typing import Final

OK: Final = 0
STALE: Final = 1
REFUSED: Final = 2
INTERRUPTED: Final = 130
BROKEN_PIPE: Final = 141
TERMINATED: Final = 143
