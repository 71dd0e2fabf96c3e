"""Acceptance tests: a provider under a real OpenTofu or Terraform, in a temporary folder.

What terraform-plugin-testing does for providers in Go: steps with a configuration each, checks of
the typed plan and state, expected errors and actions, import, and a destruction at the end. After
each step the plan must be empty.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Collection, Generator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tofutypes.documents import Plan, State
from tofutypes.errors import TofuTypesError
from tofutypes.models import Model
from tofutypes.provider import Mux, Provider
from tofutypes.provider.objchange.traversal import attributes_of
from tofutypes.runner import RunError, Tofu
from tofutypes.testing.property_kit import AnyProvider

_CORE: Final = "TOFUTYPES_CORE"
"""The variable with the program to test with; by default `tofu`, or else `terraform`."""

_CONFIGURATION: Final = "main.tf"


class AcceptanceError(AssertionError):
    """A step of an acceptance test did not do what it was to do.

    Attributes:
        step: The number of the step, from 1; the destruction comes after the last one.
    """

    def __init__(self, step: int, message: str) -> None:
        self.step = step
        self.message = message
        super().__init__(f"step {step}: {message}")

    def __reduce__(self) -> tuple[type[AcceptanceError], tuple[int, str]]:
        return type(self), (self.step, self.message)


@dataclass(frozen=True, kw_only=True)
class Step:
    """One step: a configuration to apply, and what must come of it.

        Step(
            config='resource "harbor_ship" "a" { name = "Ada" }',
            actions={"harbor_ship.a": "create"},
            check=lambda state: ...,
        )

    Attributes:
        config: The configuration, without `required_providers`, which the test adds.
        variables: The values of input variables.
        actions: What the plan must do, by address: `create`, `update`, `replace`, `delete`, `read`
            or `no-op`. Addresses that are not there must not change.
        check_plan: Called with the plan, to make assertions.
        check: Called with the state after apply, to make assertions.
        error: A regular expression that the error must contain. The step is then to fail, in plan
            or apply.
        plan_is_empty: Whether another plan after apply shows no change.
        import_id: By address, the id with which to import the object into an empty state, and to
            compare it with the state.
        ignore_after_import: Attributes that an import does not find.
    """

    config: str
    variables: Mapping[str, object] | None = None
    actions: Mapping[str, str] | None = None
    check_plan: Callable[[Plan], object] | None = None
    check: Callable[[State], object] | None = None
    error: str | None = None
    plan_is_empty: bool = True
    import_id: Mapping[str, str] = field(default_factory=dict[str, str])
    ignore_after_import: Collection[str] = ()


def find_core() -> str | None:
    """Find the program to test with: `TOFUTYPES_CORE`, else `tofu`, else `terraform`."""
    named = os.environ.get(_CORE)
    names = [named] if named else ["tofu", "terraform"]
    return next((path for name in names if (path := shutil.which(name))), None)


def run_steps(
    provider: AnyProvider,
    *steps: Step,
    folder: Path,
    address: str | None = None,
    core: str | None = None,
    check_destroyed: Callable[[], object] | None = None,
) -> None:
    """Run the steps of an acceptance test, destroy everything, and check that nothing is left.

    A provider in Python runs in this process, so that debuggers stop in it; the executable of
    another provider is started by the core.

    Args:
        provider: The class of a provider, a provider, a `Mux`, or an executable.
        steps: The steps, in order; each starts from the state that the last one left.
        folder: An empty folder for configuration and state: `tmp_path` in pytest.
        address: The address of the provider; needed for an executable.
        core: The program to test with; by default the one that `find_core` finds.
        check_destroyed: Called after the destruction, to assert that nothing is left outside.

    Raises:
        AcceptanceError: If a step does not do what it is to do.
        RunError: If a command fails that is not expected to.
        ValueError: If there is no core, or no address for an executable.
    """
    program = core or find_core()
    if program is None:
        raise ValueError(f"tofu and terraform are not on the PATH, and {_CORE} names no program")
    with ExitStack() as stack:
        environment, source = stack.enter_context(_serving(provider, address, folder))
        models = _models(provider)

        def open_folder(place: Path) -> Tofu:
            return Tofu(place, program=program, models=models, environment=environment)

        run = _Run(open_folder, folder, source, "TF_REATTACH_PROVIDERS" in environment)
        try:
            for number, step in enumerate(steps, 1):
                run.step(number, step)
        except BaseException:
            run.clear()
            raise
        run.destroy(len(steps) + 1, steps[-1].variables if steps else None)
        if check_destroyed is not None:
            check_destroyed()


class _Run:
    """The steps of one test."""

    def __init__(
        self, open_folder: Callable[[Path], Tofu], folder: Path, source: str, needs_init: bool
    ) -> None:
        self._open_folder = open_folder
        self._tofu = open_folder(folder)
        self._head = _required_providers(source)
        self._needs_init = needs_init  # overridden providers cannot be installed
        self._applied = ""

    def step(self, number: int, step: Step) -> None:
        folder = self._tofu.directory
        self._write(step.config)
        if step.error is not None:
            self._fails(number, step, step.error)
            self._write(self._applied)  # the destruction needs a valid configuration
            return
        self._applied = step.config
        self._init(self._tofu)
        plan = self._tofu.plan(step.variables, out=folder / "plan")
        if step.actions is not None:
            _compare_actions(number, step.actions, plan)
        if step.check_plan is not None:
            step.check_plan(plan)
        state = self._tofu.apply(folder / "plan")
        if step.check is not None:
            step.check(state)
        if step.plan_is_empty:
            self._is_empty(number, step)
        for resource, identifier in step.import_id.items():
            self._imports(number, step, resource, identifier, state)

    def destroy(self, number: int, variables: Mapping[str, object] | None) -> None:
        self._tofu.destroy(variables)
        left = [str(resource.address) for resource in self._tofu.show().resources]
        if left:
            raise AcceptanceError(number, f"destroy left {', '.join(left)}")

    def clear(self) -> None:
        """Destroy what a failed test leaves. The failure says more than an error here."""
        try:
            self._tofu.destroy()
        except TofuTypesError:
            return

    def _write(self, config: str) -> None:
        file = self._tofu.directory / _CONFIGURATION
        file.write_text(self._head + config, encoding="utf-8")

    def _init(self, tofu: Tofu) -> None:
        if self._needs_init:
            tofu.init()

    def _fails(self, number: int, step: Step, pattern: str) -> None:
        try:
            self._init(self._tofu)
            self._tofu.plan(step.variables, out=self._tofu.directory / "plan")
            self._tofu.apply(self._tofu.directory / "plan")
        except RunError as error:
            if re.search(pattern, str(error)) is None:
                raise AcceptanceError(
                    number, f"expected an error that matches {pattern!r}, got: {error}"
                ) from None
            return
        raise AcceptanceError(number, f"expected an error that matches {pattern!r}, got none")

    def _is_empty(self, number: int, step: Step) -> None:
        changed = _changes(self._tofu.plan(step.variables))
        if changed:
            listed = ", ".join(f"{address} ({action})" for address, action in changed.items())
            raise AcceptanceError(number, f"the plan after apply is not empty: {listed}")

    def _imports(
        self, number: int, step: Step, address: str, identifier: str, state: State
    ) -> None:
        expected = state.resource(address)
        if expected is None:
            raise AcceptanceError(number, f"{address}: there is no such object to import")
        with _copied(self._tofu.directory) as folder:
            block = f"import {{\n  to = {address}\n  id = {json.dumps(identifier)}\n}}\n"
            (folder / "import.tf").write_text(block, encoding="utf-8")
            tofu = self._open_folder(folder)
            self._init(tofu)
            change = tofu.plan(step.variables).change(address)
        if change is None or change.before is None:
            raise AcceptanceError(number, f"{address}: the import found no object")
        before, after = attributes_of(expected.values), attributes_of(change.before)
        for name in before:
            if name not in step.ignore_after_import and before[name] != after.get(name):
                raise AcceptanceError(number, f"{address}.{name}: the import has another value")


@contextmanager
def _serving(
    provider: AnyProvider, address: str | None, folder: Path
) -> Generator[tuple[dict[str, str], str]]:
    """The environment in which the core finds the provider, and the provider's address."""
    if isinstance(provider, str | Path):
        if address is None:
            raise ValueError(f"{provider}: pass `address`, which an executable does not tell")
        settings = _override(Path(provider).absolute(), address, folder)
        yield {"TF_CLI_CONFIG_FILE": str(settings)}, address
        return
    from tofutypes.provider.server.listening import listening
    from tofutypes.provider.server.serve import reattach_variable
    from tofutypes.provider.server.service_making import service_of

    service, served_address = service_of(provider)
    with listening(service, 6, {}) as (server, handshake):
        try:
            variable = reattach_variable(served_address, handshake, os.getpid())
            yield {"TF_REATTACH_PROVIDERS": variable}, served_address
        finally:
            server.stop()


def _override(program: Path, address: str, folder: Path) -> Path:
    """Write the settings by which the core takes an executable for a provider."""
    name = address.rpartition("/")[2]
    programs = folder / ".programs"
    programs.mkdir()
    (programs / f"terraform-provider-{name}").symlink_to(program)
    settings = folder / ".settings"
    settings.write_text(
        f'provider_installation {{\n  dev_overrides {{\n    "{address}" = "{programs}"\n  }}\n'
        "  direct {}\n}\n",
        encoding="utf-8",
    )
    return settings


def _required_providers(address: str) -> str:
    name = address.rpartition("/")[2]
    return (
        "terraform {\n  required_providers {\n"
        f'    {name} = {{ source = "{address}" }}\n  }}\n}}\n\n'
    )


def _models(provider: AnyProvider) -> dict[str, type[Model]] | None:
    if isinstance(provider, Mux | str | Path):
        return None
    cls = provider if isinstance(provider, type) else type(provider)
    assert issubclass(cls, Provider)
    return {handler.type_name(): handler.model for handler in cls.resources}


def _changes(plan: Plan) -> dict[str, str]:
    """What a plan does, by address; without what it leaves as it is."""
    return {
        str(change.address): "replace" if change.is_replace else change.actions[0]
        for change in plan.resource_changes
        if not change.is_no_op
    }


def _compare_actions(number: int, expected: Mapping[str, str], plan: Plan) -> None:
    planned = _changes(plan)
    for address in sorted(expected.keys() | planned.keys()):
        wanted, action = expected.get(address, "no-op"), planned.get(address, "no-op")
        if wanted != action:
            raise AcceptanceError(number, f"{address}: expected the action {wanted}, got {action}")


@contextmanager
def _copied(folder: Path) -> Generator[Path]:
    """A folder with the same configuration and no state."""
    copy = folder / ".import"
    copy.mkdir()
    try:
        shutil.copy(folder / _CONFIGURATION, copy)
        yield copy
    finally:
        shutil.rmtree(copy)
