"""Running OpenTofu or Terraform: plans, state and outputs come back typed.

tofu = Tofu("infra", models=infra_models)
tofu.init()
plan = tofu.plan(variables={"region": "eu-north-1"})
"""

from tofutypes.runner.diagnostics import Diagnostic, RunError
from tofutypes.runner.events import Event
from tofutypes.runner.tofu import Tofu

__all__ = ["Diagnostic", "Event", "RunError", "Tofu"]
