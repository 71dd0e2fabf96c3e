"""Plans and state, typed: what `tofu show -json` prints, and state files.

    plan = read_plan("plan.json", infra)
    for change in plan.changes_of(NimbusServer):
        ...

See the guide: [Plans and state](../guide/plans.md).
"""

from tofutypes.documents.actions import Actions
from tofutypes.documents.addresses import (
    InstanceKey,
    ModuleAddress,
    ModuleStep,
    ResourceAddress,
    ResourceMode,
)
from tofutypes.documents.change import Change, Importing, OutputChange
from tofutypes.documents.changes import ResourceChange
from tofutypes.documents.checks import ActionInvocation, ActionTrigger, CheckInstance, CheckResult
from tofutypes.documents.configuration import (
    ConfigModule,
    ConfigOutput,
    ConfigResource,
    Configuration,
    ConfiguredProvider,
    ConfigVariable,
    Expression,
    ModuleCall,
    Provisioner,
)
from tofutypes.documents.differences import Difference
from tofutypes.documents.fixtures import PlannedChange, planned
from tofutypes.documents.outputs import OutputValue
from tofutypes.documents.paths import PathLike
from tofutypes.documents.plan import Plan
from tofutypes.documents.plan_parts import (
    DeferredChange,
    PlannedValues,
    RelevantAttribute,
    Variable,
)
from tofutypes.documents.reading import read_document, read_plan, read_state
from tofutypes.documents.references import Reference
from tofutypes.documents.resources import ShownResource, StateResource, StoredResource
from tofutypes.documents.source import DocumentSource
from tofutypes.documents.state import ShownState, State
from tofutypes.documents.state_file import StoredCheck, StoredCheckObject, StoredState
from tofutypes.documents.typed import ModelSource, Note
from tofutypes.documents.values import InferredDynamic, Values

__all__ = [
    "ActionInvocation",
    "ActionTrigger",
    "Actions",
    "Change",
    "CheckInstance",
    "CheckResult",
    "ConfigModule",
    "ConfigOutput",
    "ConfigResource",
    "ConfigVariable",
    "Configuration",
    "ConfiguredProvider",
    "DeferredChange",
    "Difference",
    "DocumentSource",
    "Expression",
    "Importing",
    "InferredDynamic",
    "InstanceKey",
    "ModelSource",
    "ModuleAddress",
    "ModuleCall",
    "ModuleStep",
    "Note",
    "OutputChange",
    "OutputValue",
    "PathLike",
    "Plan",
    "PlannedChange",
    "PlannedValues",
    "Provisioner",
    "Reference",
    "RelevantAttribute",
    "ResourceAddress",
    "ResourceChange",
    "ResourceMode",
    "ShownResource",
    "ShownState",
    "State",
    "StateResource",
    "StoredCheck",
    "StoredCheckObject",
    "StoredResource",
    "StoredState",
    "Values",
    "Variable",
    "planned",
    "read_document",
    "read_plan",
    "read_state",
]
