"""Drive a provider through random lives of its resources, as Terraform Core and OpenTofu would."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias

from hypothesis import HealthCheck, Phase, Verbosity, given, reject, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable

from tofutypes.models import ProviderConfig, Resource, build_model
from tofutypes.provider import Mux, Provider
from tofutypes.provider.client import Client, host, launch
from tofutypes.provider.objchange.schema_parts import Part
from tofutypes.provider.objchange.traversal import attributes_of
from tofutypes.testing.life import ImportId, Life, PropertyError, RefusedError, Subject
from tofutypes.testing.schema_strategies import configurations as configurations_of
from tofutypes.testing.story import Story, instance_source

Configurations: TypeAlias = st.SearchStrategy[Any] | Mapping[str, st.SearchStrategy[Any]]
"""A strategy for whole configurations, or strategies for some attributes by name."""

AnyProvider: TypeAlias = type[Provider[Any]] | Provider[Any] | Mux | str | Path

_LONGEST_LIFE: Final = 4
_STEPS: Final = ("change", "change", "import", "upgrade", "unknown")
_CONCURRENT: Final = 6
_HEALTH_CHECKS: Final = (
    HealthCheck.data_too_large,
    HealthCheck.filter_too_much,
    HealthCheck.large_base_example,
    HealthCheck.too_slow,
)
"""Lives are slow and may refuse many configurations; both are reported in our own words."""


@dataclass(frozen=True)
class ResourceReport:
    """What was tried on one resource.

    Attributes:
        lives: Objects that were created and destroyed.
        refused: Configurations that the provider refused.
    """

    lives: int = 0
    refused: int = 0


@dataclass(frozen=True)
class ProviderReport:
    """What was tried on a provider.

    Attributes:
        resources: By type name.
    """

    resources: Mapping[str, ResourceReport] = field(default_factory=dict[str, ResourceReport])

    def __str__(self) -> str:
        return "\n".join(
            f"{name}: {report.lives} lives, {report.refused} configurations refused"
            for name, report in self.resources.items()
        )


def check_provider(
    provider: AnyProvider,
    *,
    config: ProviderConfig | None = None,
    resources: Collection[str] | None = None,
    configurations: Mapping[str, Configurations] | None = None,
    import_ids: Mapping[str, ImportId] | None = None,
    ignore_after_import: Mapping[str, Collection[str]] | None = None,
    lives: int = 25,
    random_seed: int | None = None,
) -> ProviderReport:
    """Check a provider with random lives of each of its resources.

    A life creates an object, changes, replaces, refreshes, imports and destroys it, and after each
    call checks what Terraform Core checks, and what users expect: the same configuration plans no
    change, a read after apply agrees with the result, import and read plan no change, unknown
    values are accepted where known ones are, destroying twice is no error, a failed call loses no
    object, calls at the same time do not disturb each other.

        def test_harbor(tmp_path: Path) -> None:
            check_provider(Harbor, config=HarborConfig(folder=str(tmp_path)))

    Args:
        provider: The class of a provider, a provider, a `Mux`, or the executable of a provider in
            any language.
        config: The configuration of the provider.
        resources: The type names of the resources to check; all without it.
        configurations: By type name, a strategy for configurations, or strategies for some of the
            attributes. For all else, the schema and the annotations of the model say what is
            valid.
        import_ids: For each type name a function that returns the import id of an object; `id`
            without it.
        ignore_after_import: Attributes by type name that an import does not find.
        lives: How many lives of each resource to try. Each makes some ten to forty calls.
        random_seed: Other lives; without it every run tries the same ones.

    Raises:
        PropertyError: If the provider breaks a rule. The message has the shortest story that shows
            the fault, as a program to paste and run.
        PluginError: If the provider cannot be started or configured.
        ValueError: If a type name is not one of the provider's resources.
    """
    with _connected(provider) as client:
        client.configure(config)
        models = _models(provider, client)
        if strangers := sorted(set(resources or ()) - models.keys()):
            raise ValueError(f"the provider has no resource {', '.join(strangers)}")
        reports: dict[str, ResourceReport] = {}
        for name, model in models.items():
            if resources is not None and name not in resources:
                continue
            import_id = (import_ids or {}).get(name, _id_of)
            ignored = (ignore_after_import or {}).get(name, ())
            subject = Subject(client, model, import_id, ignored)
            strategy = (configurations or {}).get(name, {})
            if isinstance(strategy, Mapping):
                strategy = configurations_of(model, attributes=strategy)
            trial = _Trial(
                subject,
                strategy,
                _story_head(provider, config, model),
            )
            reports[name] = trial.run(lives, random_seed)
        return ProviderReport(reports)


class _Trial:
    """The lives of one resource."""

    def __init__(
        self, subject: Subject, strategy: st.SearchStrategy[Any], head: tuple[str, ...]
    ) -> None:
        self._subject = subject
        self._strategy = strategy
        self._head = head
        self._lives = 0
        self._refused = 0
        self._refusal = ""
        self._race: PropertyError | None = None

    def run(self, lives: int, random_seed: int | None) -> ResourceReport:
        self._search(self._live, lives, random_seed)
        self._search(self._live_at_once, max(1, lives // 5), random_seed)
        if self._race is not None:
            raise self._race
        return ResourceReport(self._lives, self._refused)

    def _search(
        self, live: Callable[[st.DataObject], None], lives: int, random_seed: int | None
    ) -> None:
        """Have Hypothesis look for a life that shows a fault, and make it short."""
        search = settings(
            max_examples=lives,
            deadline=None,
            database=None,
            derandomize=random_seed is None,
            phases=[Phase.generate, Phase.shrink],
            suppress_health_check=_HEALTH_CHECKS,
            report_multiple_bugs=False,
            verbosity=Verbosity.quiet,
        )
        test = search(given(st.data())(live))
        if random_seed is not None:
            test = seed(random_seed)(test)
        try:
            test()
        except PropertyError as error:
            # Without Hypothesis' own account of the draws: the program says it better.
            raise PropertyError(error.type_name, error.fault, error.program) from None
        except Unsatisfiable:
            raise ValueError(
                f"{self._subject.type_name}: every configuration was refused; pass a strategy "
                f"in `configurations`. The last refusal: {self._refusal}"
            ) from None

    def _live(self, data: st.DataObject) -> None:
        life = Life(self._subject, Story(self._head))
        try:
            life.create(data.draw(self._strategy))
            for _ in range(data.draw(st.integers(0, _LONGEST_LIFE))):
                self._step(life, data)
            life.destroy()
        except RefusedError as refusal:
            self._refused += 1
            self._refusal = str(refusal)
            life.abandon()
            reject()
        except PropertyError:
            life.abandon()
            raise
        self._lives += 1

    def _step(self, life: Life, data: st.DataObject) -> None:
        step = data.draw(st.sampled_from(_STEPS))
        match step:
            case "import":
                life.import_again()
            case "upgrade":
                life.upgrade()
            case "unknown":
                names = _settable(self._subject, life.config)
                if names:
                    life.plan_unknown(
                        data.draw(st.lists(st.sampled_from(names), min_size=1, unique=True))
                    )
            case _:
                life.change(self._changed(life, data))

    def _changed(self, life: Life, data: st.DataObject) -> Resource:
        """Another configuration: mostly one in which a single attribute or block differs."""
        config = data.draw(self._strategy)
        if data.draw(st.integers(0, 3)) == 3:
            return config  # type: ignore[no-any-return]  # strategies of models are untyped here
        name = data.draw(st.sampled_from([part.name for part in self._subject.parts]))
        values = {**attributes_of(life.config), name: attributes_of(config)[name]}
        return self._subject.model.model_validate(values)

    def _live_at_once(self, data: st.DataObject) -> None:
        """Several lives, first one after the other, then all at once.

        Hypothesis cannot make a race shorter, since a race does not show in every run: the first
        one is reported as it came.
        """
        count = data.draw(st.integers(3, _CONCURRENT))
        configs: list[Resource] = [data.draw(self._strategy) for _ in range(count)]
        if self._race is not None:
            return
        for config in configs:
            self._whole_life(config, together=False)
        with ThreadPoolExecutor(count) as pool:
            try:
                list(pool.map(partial(self._whole_life, together=True), configs))
            except PropertyError as error:
                self._race = error

    def _whole_life(self, config: Resource, *, together: bool) -> None:
        story = Story(self._head)
        if together:
            story.add("# Several such lives at the same time, each in a thread of its own:")
        life = Life(self._subject, story)
        try:
            life.create(config)
            life.destroy()
        except RefusedError as refusal:
            life.abandon()
            if not together:
                reject()
            raise PropertyError(
                self._subject.type_name,
                f"refused only when several objects are created at the same time: {refusal}",
                story.program(),
            ) from None
        except PropertyError:
            life.abandon()
            raise


@contextmanager
def _connected(provider: AnyProvider) -> Generator[Client]:
    client = launch(str(provider)) if isinstance(provider, str | Path) else host(provider)
    with client:
        yield client


def _models(provider: AnyProvider, client: Client) -> dict[str, type[Resource]]:
    """The models of the provider's resources: the author's own, or built from the schemas."""
    if isinstance(provider, Mux | str | Path):
        return {
            name: build_model(schema, name=name) for name, schema in client.schema.resources.items()
        }
    return {handler.type_name(): handler.model for handler in provider.resources}


def _id_of(value: object) -> str | None:
    found = attributes_of(value).get("id")
    return found if isinstance(found, str) else None


def _settable(subject: Subject, config: Resource | None) -> list[str]:
    """The attributes and nested blocks of a configuration that may be unknown instead."""
    values = attributes_of(config)

    def may_be_unknown(part: Part) -> bool:
        if part.attribute is None:
            return part.nesting is not None and part.nesting.value in ("list", "set")
        return values.get(part.name) is not None

    return [part.name for part in subject.parts if may_be_unknown(part)]


def _story_head(
    provider: AnyProvider, config: ProviderConfig | None, model: type[Resource]
) -> tuple[str, ...]:
    """The imports, and the start of the provider."""
    lines: list[str] = []
    if isinstance(provider, str | Path):
        lines.append("from tofutypes import build_model")
        lines.append("from tofutypes.provider.client import launch")
        start = f"with launch({str(provider)!r}) as provider:"
    elif isinstance(provider, Mux):
        lines.append("from tofutypes import build_model")
        lines.append("from tofutypes.provider.client import host")
        start = "with host(mux) as provider:  # the Mux of the test"
    else:
        cls = provider if isinstance(provider, type) else type(provider)
        lines.append(f"from {cls.__module__} import {cls.__name__}")
        lines.append(f"from {model.__module__} import {model.__name__}")
        lines.append("from tofutypes.provider.client import host")
        start = f"with host({cls.__name__}) as provider:"
    if config is not None:
        lines.append(f"from {type(config).__module__} import {type(config).__name__}")
    lines += ["", start]
    if config is not None:
        lines.append(f"    provider.configure({instance_source(config)})")
    if isinstance(provider, Mux | str | Path):
        name = model.__tofu_info__.type_name
        lines.append(
            f"    {model.__name__} = build_model("
            f"provider.schema.resources[{name!r}], name={name!r})"
        )
    return tuple(lines)
