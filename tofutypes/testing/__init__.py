"""Test tools for code that uses models, and for providers.

Needs the extra `tofutypes[testing]`.
"""

from importlib.util import find_spec

if find_spec("hypothesis") is None:
    raise ModuleNotFoundError(
        "tofutypes.testing needs the extra `testing`: pip install 'tofutypes[testing]'",
        name="hypothesis",
    )

from tofutypes.testing.acceptance import AcceptanceError, Step, find_core, run_steps
from tofutypes.testing.life import PropertyError
from tofutypes.testing.property_kit import ProviderReport, ResourceReport, check_provider
from tofutypes.testing.schema_strategies import configurations, values
from tofutypes.testing.type_strategies import type_constraints

__all__ = [
    "AcceptanceError",
    "PropertyError",
    "ProviderReport",
    "ResourceReport",
    "Step",
    "check_provider",
    "configurations",
    "find_core",
    "run_steps",
    "type_constraints",
    "values",
]
