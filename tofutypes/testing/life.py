"""The life of one object of a resource: calls as Terraform Core makes them, each checked.

The checks are those of Core (`AssertPlanValid` and `AssertObjectCompatible` in
`internal/plans/objchange` of OpenTofu) and those that acceptance tests of Go providers make: an
empty plan after apply, a read that agrees with the result, an import that needs no change.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn, TypeAlias

from tofutypes.errors import TofuTypesError
from tofutypes.models import Resource
from tofutypes.provider import PluginError, ProviderError
from tofutypes.provider.client import ApplyError, Client, Plan, State
from tofutypes.provider.objchange.faults import Fault
from tofutypes.provider.objchange.plan_checks import plan_faults
from tofutypes.provider.objchange.result_checks import result_faults, unknown_faults
from tofutypes.provider.objchange.schema_parts import Part, Parts, parts_of
from tofutypes.provider.objchange.traversal import attributes_of, same
from tofutypes.testing.story import Story
from tofutypes.unknown import UNKNOWN

_NOBODY: Final = "tofutypes-no-such-object"
_PROGRAM_FAULT: Final = "The provider "
"""How the summaries of diagnostics begin that blame the provider's program, not its user."""

ImportId: TypeAlias = Callable[[Any], str | None]


class PropertyError(AssertionError):
    """A provider broke a rule, with the story that leads there.

    Attributes:
        type_name: The resource.
        fault: Which rule was broken, and where.
        program: The calls that show the fault, as a Python program to paste and run.
    """

    def __init__(self, type_name: str, fault: str, program: str) -> None:
        self.type_name = type_name
        self.fault = fault
        self.program = program
        super().__init__(f"{type_name}: {fault}\n\nThis program shows it:\n\n{program}\n")

    def __reduce__(self) -> tuple[type[PropertyError], tuple[str, str, str]]:
        return type(self), (self.type_name, self.fault, self.program)


class RefusedError(Exception):
    """The provider refused a configuration, which is its right: the life says nothing."""


@dataclass(frozen=True)
class Subject:
    """The resource under test.

    Attributes:
        client: The connection to the provider.
        model: The class of the resource.
        import_id: Returns the id to import an object by; None if it has none.
        ignore_after_import: Attributes that an import does not find.
    """

    client: Client
    model: type[Resource]
    import_id: ImportId | None = None
    ignore_after_import: Collection[str] = ()

    @property
    def type_name(self) -> str:
        """The type name of the resource."""
        return str(self.model.__tofu_info__.type_name)

    @property
    def parts(self) -> Parts:
        """The attributes and nested blocks of the resource."""
        return parts_of(self.client.schema.resources[self.type_name].block)


@dataclass
class Life:
    """One object, from its creation to its destruction.

    Attributes:
        subject: The resource.
        story: Takes the calls.
        config: The configuration that holds now.
        state: What there is now.
    """

    subject: Subject
    story: Story
    config: Resource | None = None
    state: State[Any] = field(default_factory=lambda: State(None))

    def create(self, config: Resource) -> None:
        """Create the object.

        Raises:
            RefusedError: If the provider refuses the configuration.
            PropertyError: If the provider breaks a rule.
        """
        self.story.configuration("config", config)
        self._validate(config)
        self._apply(self._plan(config), config)
        self._settle()

    def change(self, config: Resource) -> None:
        """Change the object in place, or replace it where the provider asks for that."""
        self.story.configuration("config", config)
        self._validate(config)
        plan = self._plan(config)
        changed = next(_differences(self.subject.parts, plan.prior.value, plan.planned), None)
        if plan.requires_replace:
            self.destroy()
            self._apply(self._plan(config), config)
        elif changed is not None:  # Core does not apply a plan without a change
            self._apply(plan, config)
        self.config = config
        self._settle()

    def refresh(self) -> None:
        """Read the object; nobody changed it, so the read must agree with the state."""
        self.story.add("state_read = provider.read(state)")
        state = self._call(lambda: self.subject.client.read(self.state))
        if state.value is None:
            self._fail("the object is gone after it was applied: read returned no state")
        for place in _differences(self.subject.parts, self.state.value, state.value):
            self._fail(f"{place}: a read right after apply differs from the result of apply")
        self.state = state

    def plan_again(self) -> None:
        """Plan the configuration that was applied: no change may be planned."""
        plan = self._plan(self._config)
        for place in _differences(self.subject.parts, self.state.value, plan.planned):
            self._fail(f"{place}: the same configuration is planned again with a change")
        if plan.requires_replace:
            self._fail(f"{plan.requires_replace[0]}: requires replace, but nothing has changed")

    def import_again(self) -> None:
        """Import the object by its id, and plan: no change may be planned."""
        subject, state = self.subject, self.state
        wanted = None if subject.import_id is None else subject.import_id(state.value)
        if wanted is None:
            return
        self.story.add(f"found = provider.import_state({subject.model.__name__}, {wanted!r})")
        try:
            found = subject.client.import_state(subject.model, wanted)
        except ProviderError as error:
            self._blame(error)
            return  # the resource cannot be imported
        except (PluginError, TofuTypesError) as error:
            self._fail(f"import failed: {error}")
        if not found:
            self._fail("import returned no object")
        self.story.add("imported = provider.read(found[0])")
        imported = self._call(lambda: subject.client.read(found[0]))
        if imported.value is None:
            self._fail("an object that exists was imported, but read returned no state")
        self.story.add("plan = provider.plan(config, imported)")
        plan = self._call(lambda: subject.client.plan(self._config, imported))
        for place in _differences(subject.parts, imported.value, plan.planned):
            if place.split("[")[0].split(".")[0] not in subject.ignore_after_import:
                self._fail(f"{place}: import, then read, then plan shows a change")

    def upgrade(self) -> None:
        """Hand over the state as it is stored: the same object must come back."""
        version = self.subject.client.schema.resources[self.subject.type_name].version
        value = self.state.value
        assert value is not None, "the object was not created"
        stored = value.to_json()
        self.story.add(
            f"provider.upgrade({self.subject.model.__name__}, state.value.to_json(), {version})"
        )
        upgraded: State[Any] = self._call(
            lambda: self.subject.client.upgrade(self.subject.model, stored, version)
        )
        for place in _differences(self.subject.parts, value, upgraded.value):
            self._fail(f"{place}: state of the current schema version is upgraded to another value")

    def plan_unknown(self, names: Iterable[str]) -> None:
        """Plan the configuration with some values unknown: Core does so in the first plan."""
        values = {**attributes_of(self._config), **dict.fromkeys(names, UNKNOWN)}
        config = self.subject.model.model_validate(values)
        self.story.configuration("unknown_config", config)
        for prior in (None, self.state):
            before = "" if prior is None else ", state"
            self.story.add("provider.validate(unknown_config)")
            self._not_refused(lambda: self.subject.client.validate(config), "validate")
            self.story.add(f"plan = provider.plan(unknown_config{before})")
            plan = self._not_refused(
                lambda prior=prior: self.subject.client.plan(config, prior),  # type: ignore[misc]  # a default to bind the loop variable
                "plan",
            )
            self._check_plan(plan, config)

    def destroy(self) -> None:
        """Destroy the object, twice: it may be gone already when Core asks."""
        state = self.state
        if state.value is None:
            return
        looks_up = self._looks_up()
        self.story.add("plan = provider.plan(None, state)")
        with self._refusals():  # a provider may protect an object
            plan = self.subject.client.plan(None, state)
        if plan.planned is not None:
            self._fail("the destruction is planned as an object, expected null")
        for _ in range(2):
            self.story.add("provider.apply(plan)")
            gone = self._call(lambda: self.subject.client.apply(plan))
            if gone.value is not None:
                self._fail("the object is still there after its destruction was applied")
        self.state = State(None)
        if looks_up:
            self.story.add("assert provider.read(state).value is None")
            if self._call(lambda: self.subject.client.read(state)).value is not None:
                self._fail("read returns an object that was destroyed")

    def abandon(self) -> None:
        """Destroy what is left after a failure, so that the next life starts from nothing."""
        if self.state.value is not None:
            try:
                client = self.subject.client
                client.apply(client.plan(None, self.state))
            except TofuTypesError:
                return  # the failure that is being reported says more

    @property
    def _config(self) -> Resource:
        assert self.config is not None, "the object was not created"
        return self.config

    def _validate(self, config: Resource) -> None:
        with self._refusals():
            self.subject.client.validate(config)

    def _plan(self, config: Resource) -> Plan[Any]:
        prior = self.state
        self.story.add(f"plan = provider.plan(config{'' if prior.value is None else ', state'})")
        with self._refusals():
            plan = self.subject.client.plan(config, prior)
        self._check_plan(plan, config)
        return plan

    def _check_plan(self, plan: Plan[Any], config: Resource) -> None:
        if plan.deferred is not None:
            raise RefusedError(f"the plan is deferred: {plan.deferred.name}")
        if plan.planned is None:
            self._fail("an object was to be planned, but the planned state is null")
        prior = plan.prior.value
        self._report(plan_faults(self.subject.parts, prior, config, plan.planned))

    def _apply(self, plan: Plan[Any], config: Resource) -> None:
        self.story.add("state = provider.apply(plan)")
        prior = self.state.value
        try:
            self.state = self.subject.client.apply(plan)
        except ApplyError as error:
            if prior is not None and error.state.value is None:
                self._fail("apply failed and lost the object: the new state is null")
            self.state = error.state
            self._blame(error)
            raise RefusedError(str(error)) from None
        except (PluginError, TofuTypesError) as error:
            self._fail(f"apply failed: {error}")
        self.config = config
        if self.state.value is None:
            self._fail("the new state is null after an object was created or changed")
        self._report(unknown_faults(self.state.value))
        planned = _without_write_only(self.subject.parts, plan.planned)
        self._report(result_faults(self.subject.parts, planned, self.state.value))
        for part in self.subject.parts:
            if part.write_only and attributes_of(self.state.value).get(part.name) is not None:
                self._fail(f"{part.name}: a write-only attribute is stored in the state")

    def _settle(self) -> None:
        """What must hold whenever an object was applied."""
        self.refresh()
        self.plan_again()

    def _looks_up(self) -> bool:
        """Whether a read looks the object up by its id, as that of `random_id` does not."""
        value = self.state.value
        if not isinstance(attributes_of(value).get("id"), str):
            return False
        stranger = self.subject.model.model_validate({**attributes_of(value), "id": _NOBODY})
        try:
            state = State(stranger, self.state.private)
            return self.subject.client.read(state).value is None
        except TofuTypesError:
            return False

    @contextmanager
    def _refusals(self) -> Generator[None]:
        """Let the provider refuse what it is asked, but not fail."""
        try:
            yield
        except ProviderError as error:
            self._blame(error)
            raise RefusedError(str(error)) from None
        except (PluginError, TofuTypesError) as error:
            self._fail(str(error))

    def _call(self, call: Callable[[], Any]) -> Any:
        """The result of a call that must succeed."""
        try:
            return call()
        except TofuTypesError as error:
            self._fail(str(error))

    def _not_refused(self, call: Callable[[], Any], name: str) -> Any:
        try:
            return call()
        except ProviderError as error:
            self._blame(error)
            self._fail(f"{name} refuses unknown values where it accepts known ones: {error}")
        except (PluginError, TofuTypesError) as error:
            self._fail(str(error))

    def _blame(self, error: ProviderError) -> None:
        """Fail if an error is the program's, and not one that it tells its user."""
        if isinstance(error, PluginError) or any(
            diagnostic.summary.startswith(_PROGRAM_FAULT) for diagnostic in error.diagnostics
        ):
            self._fail(str(error))

    def _report(self, faults: Iterable[Fault]) -> None:
        for fault in faults:
            self._fail(str(fault))

    def _fail(self, fault: str) -> NoReturn:
        self.story.add("# Here the fault shows.")
        raise PropertyError(self.subject.type_name, fault, self.story.program())


def _without_write_only(parts: Parts, value: object) -> object:
    stored = [part.name for part in parts if part.write_only]
    return {**attributes_of(value), **dict.fromkeys(stored)} if stored else value


def _differences(parts: Parts, one: object, other: object) -> Iterator[str]:
    """The attributes and nested blocks at the top level in which two objects differ."""
    if (one is None) != (other is None):
        yield "the object"
        return
    before, after = attributes_of(one), attributes_of(other)
    yield from (part.name for part in parts if _differs(part, before, after))


def _differs(part: Part, before: Any, after: Any) -> bool:
    return not part.write_only and not same(before.get(part.name), after.get(part.name))
