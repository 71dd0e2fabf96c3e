"""Hooks of a plugin: which function is called when, and about which resources."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, overload

from typing_extensions import TypeIs

from tofutypes.errors import SchemaError
from tofutypes.seasonings.plugin.author import error_of, run_author
from tofutypes.seasonings.plugin.changes import Change, Hook, Stage
from tofutypes.seasonings.protocol.diagnostics import write_hook_result
from tofutypes.seasonings.protocol.methods import HookPoint, StagePoint
from tofutypes.seasonings.rpc.handlers import Call
from tofutypes.seasonings.rpc.messages import Params

if TYPE_CHECKING:
    from tofutypes.models import Model

M = TypeVar("M", bound="Model")
H = TypeVar("H", bound=Hook)
F = TypeVar("F", bound=Callable[..., object])

AnyChange: TypeAlias = Change[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class _ResourceHook:
    """A function that is called about changes of some resources."""

    function: Callable[..., object]
    pattern: str
    mode: str | None
    model: type[Model] | None

    def wants(self, change: AnyChange) -> bool:
        return self.mode in (None, change.resource_mode) and fnmatchcase(
            change.resource_type, self.pattern
        )


class ResourceHooks:
    """A decorator for the functions of one hook of resources, such as `plugin.post_plan`.

    @plugin.post_plan(AwsS3Bucket)      # typed by a model
    @plugin.post_plan("aws_s3_*")       # by a pattern of types; values are dicts
    @plugin.post_plan                   # every resource and data source
    """

    def __init__(self, point: HookPoint) -> None:
        self.point = point
        self._hooks: list[_ResourceHook] = []

    def __bool__(self) -> bool:
        return bool(self._hooks)

    @property
    def resource_types(self) -> Sequence[str] | None:
        """Patterns of the types that the hooks are about; None for all."""
        patterns = sorted({hook.pattern for hook in self._hooks})
        return None if "*" in patterns else patterns

    @overload
    def __call__(  # type: ignore[overload-overlap]  # a class is a callable, too
        self, subject: type[M]
    ) -> Callable[[Callable[[Change[M]], object]], Callable[[Change[M]], object]]: ...
    @overload
    def __call__(
        self, subject: str
    ) -> Callable[[Callable[[AnyChange], object]], Callable[[AnyChange], object]]: ...
    @overload
    def __call__(self, subject: Callable[[AnyChange], object]) -> Callable[[AnyChange], object]: ...
    def __call__(self, subject: Any) -> object:
        """Register a function.

        Raises:
            SchemaError: If the model has no type name.
        """
        if isinstance(subject, str):
            return self._decorator(subject, None, None)
        if _is_model(subject):
            type_name = subject.__tofu_info__.type_name
            if type_name is None:
                raise SchemaError(f"{subject.__name__} has no type name")
            from tofutypes.models import DataSource

            mode = "data" if issubclass(subject, DataSource) else "managed"
            return self._decorator(type_name, mode, subject)
        function: Callable[..., object] = subject
        return self._decorator("*", None, None)(function)

    def _decorator(
        self, pattern: str, mode: str | None, model: type[Model] | None
    ) -> Callable[[F], F]:
        def register(function: F) -> F:
            self._hooks.append(_ResourceHook(function, pattern, mode, model))
            return function

        return register

    def call(self, params: Params, call: Call) -> Mapping[str, object]:
        """Answer the hook's method."""
        change: AnyChange = Change(params)
        for hook in self._hooks:
            if not hook.wants(change):
                continue
            seen: Change[Any] = change if hook.model is None else Change(params, hook.model)
            _run(call, hook.function, seen)
            if seen is not change:
                change.include(seen)
            if self.point.is_pre and change.result.failed:
                break
        return write_hook_result(change.result)


class StageHooks:
    """A decorator for the functions of one hook of stages, such as `plugin.plan_stage_start`."""

    def __init__(self, point: StagePoint) -> None:
        self.point = point
        self._functions: list[Callable[[Stage], object]] = []

    def __bool__(self) -> bool:
        return bool(self._functions)

    def __call__(self, function: Callable[[Stage], object]) -> Callable[[Stage], object]:
        """Register a function."""
        self._functions.append(function)
        return function

    def call(self, params: Params, call: Call) -> Mapping[str, object]:
        """Answer the hook's method."""
        stage = Stage(params)
        for function in self._functions:
            _run(call, function, stage)
            if self.point.is_pre and stage.result.failed:
                break
        return write_hook_result(stage.result)


def _is_model(subject: object) -> TypeIs[type[Model]]:
    if not isinstance(subject, type):
        return False
    from tofutypes.models import Model  # a plugin without models does not import pydantic

    return issubclass(subject, Model)


def _run(call: Call, function: Callable[..., object], subject: Hook) -> None:
    try:
        run_author(call, function, subject)
    except BaseException as raised:  # noqa: BLE001  # whatever the author's code raises
        raise error_of(raised, f"hook {getattr(function, '__name__', 'without a name')}") from None
