"""Test tools for code that uses models, and for providers.

Needs the extra `tofutypes[testing]`.
"""

from importlib.util import find_spec

if find_spec("hypothesis") is None:
    raise ModuleNotFoundError(
        "tofutypes.testing needs the extra `testing`: pip install 'tofutypes[testing]'",
        name="hypothesis",
    )

from tofutypes.testing.schema_strategies import configurations, values
from tofutypes.testing.type_strategies import type_constraints

__all__ = ["configurations", "type_constraints", "values"]
