"""Reading of plans and state from wherever they come."""

from __future__ import annotations

from tofutypes.documents.format import check_plan, check_state, is_plan, is_state_file
from tofutypes.documents.plan import Plan
from tofutypes.documents.source import DocumentSource, load_document, load_plan, name_of
from tofutypes.documents.state import ShownState, State
from tofutypes.documents.state_file import StoredState
from tofutypes.documents.typed import Models, ModelSource
from tofutypes.errors import DocumentError


def read_plan(source: DocumentSource, models: ModelSource = None) -> Plan:
    """Read a plan: what `tofu show -json PLANFILE` prints.

        plan = read_plan("plan.json", infra)
        for change in plan.changes_of(NimbusServer):
            print(change.address, change.actions, change.after)

    Args:
        source: a path, also of a gzipped file; the text or the bytes of the document; or its
            parsed JSON. Of OpenTofu and of Terraform, formats 0.1 to 1.2 and newer minor versions.
        models: a generated package, its registry, provider schemas, or several of these. Models
            are imported or built when values of their type are asked for. None for plain values.

    Raises:
        DocumentError: If it cannot be read, is not a plan, or of a newer major version. What is
            wrong inside of a part is found when the part is asked for.
        SchemaError: If `models` is a schema document that cannot be read.
    """
    known = Models(models)
    try:
        document = load_plan(source)
        check_plan(document)
    except DocumentError as error:
        raise DocumentError(f"{name_of(source)}{error}") from None
    return Plan(document, known)


def read_state(source: DocumentSource, models: ModelSource = None) -> State:
    """Read a state: what `tofu show -json` prints, or a state file of version 4.

        state = read_state("terraform.tfstate", infra)
        for server in state.resources_of(NimbusServer):
            print(server.address, server.values)

    Args:
        source: as in `read_plan`. What `tofu state pull` prints is a state file.
        models: as in `read_plan`.

    Returns:
        A `StoredState`, which can be changed and written, if it is a state file.

    Raises:
        DocumentError: If it cannot be read, is not a state, is encrypted, or of a version that is
            not read. What is wrong inside of a part is found when the part is asked for.
        SchemaError: If `models` is a schema document that cannot be read.
    """
    known = Models(models)
    try:
        document = load_document(source, "state")
        check_state(document)
    except DocumentError as error:
        raise DocumentError(f"{name_of(source)}{error}") from None
    return StoredState(document, known) if is_state_file(document) else ShownState(document, known)


def read_document(source: DocumentSource, models: ModelSource = None) -> Plan | State:
    """Read a plan or a state, whichever it is.

    Args:
        source: as in `read_plan`.
        models: as in `read_plan`.

    Raises:
        DocumentError: If it cannot be read, or is neither.
        SchemaError: If `models` is a schema document that cannot be read.
    """
    known = Models(models)
    try:
        document = load_plan(source)
        if is_plan(document):
            check_plan(document)
            return Plan(document, known)
        document = dict(document)
        check_state(document)
    except DocumentError as error:
        raise DocumentError(f"{name_of(source)}{error}") from None
    return StoredState(document, known) if is_state_file(document) else ShownState(document, known)
