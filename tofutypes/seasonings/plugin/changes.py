"""What hooks get to see: the change of one resource, or the stage of a command."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from tofutypes.errors import DecodeError, Path
from tofutypes.narrowing import is_dict, is_list
from tofutypes.seasonings.errors import CallError, ErrorCode
from tofutypes.seasonings.protocol.diagnostics import (
    Diagnostic,
    HookResult,
    Severity,
    plain_metadata,
)
from tofutypes.seasonings.protocol.paths import PathLike, read_path, to_path
from tofutypes.seasonings.protocol.values import of_inline, optional_text_param, read_type
from tofutypes.seasonings.rpc.messages import Params

if TYPE_CHECKING:
    from tofutypes.models import Model
    from tofutypes.types import Type

V = TypeVar("V")
M = TypeVar("M", bound="Model")


class Hook:
    """What a hook is called about: a change or a stage. It collects what the hook says.

    Attributes:
        metadata: what hooks said before, by the name of their plugin.
    """

    def __init__(self, params: Params) -> None:
        metadata = params.get("metadata")
        self.metadata: Mapping[str, Any] = (
            {str(key): value for key, value in metadata.items()} if is_dict(metadata) else {}
        )
        self._diagnostics: list[Diagnostic] = []
        self._metadata: dict[str, object] = {}

    def fail(self, message: str, *, path: PathLike = (), detail: str = "") -> None:
        """Fail the operation, when the hook returns.

        Args:
            message: what is wrong, in one line.
            path: the attribute: `acl`, `disk[0].size`.
            detail: why, and what to do.
        """
        self._add(Severity.ERROR, message, path, detail)

    def warn(self, message: str, *, path: PathLike = (), detail: str = "") -> None:
        """Warn the user. The arguments are those of `fail`."""
        self._add(Severity.WARNING, message, path, detail)

    def add_metadata(self, **members: object) -> None:
        """Leave something for later hooks, which find it under the name of this plugin."""
        self._metadata.update(members)

    @property
    def result(self) -> HookResult:
        """What the hook has said so far."""
        metadata = plain_metadata(self._metadata) if self._metadata else None
        return HookResult(tuple(self._diagnostics), metadata)

    def include(self, other: Hook) -> None:
        """Say what another hook has said, too."""
        self._diagnostics += other._diagnostics
        self._metadata |= other._metadata

    def _add(self, severity: Severity, message: str, path: PathLike, detail: str) -> None:
        self._diagnostics.append(Diagnostic(severity, str(message), str(detail), to_path(path)))


class Change(Hook, Generic[V]):
    """The change of one resource instance. Values are models, or dicts without a model.

    Attributes:
        address: `aws_s3_bucket.logs[0]`; None where it is not known.
        provider: the address of the provider.
        resource_mode: `managed` or `data`.
        resource_type: `aws_s3_bucket`.
        resource_name: `logs`; None where it is not known.
        action: `create`, `read`, `update`, `delete`, `replace` or `no-op`.
        redacted: the paths of sensitive values, which are unknown here.
    """

    def __init__(self, params: Params, model: type[Model] | None = None) -> None:
        super().__init__(params)
        self._params = params
        self._model = model
        self.address = optional_text_param(params, "address")
        self.provider = optional_text_param(params, "provider") or ""
        self.resource_mode = optional_text_param(params, "resource_mode") or "managed"
        self.resource_type = optional_text_param(params, "resource_type") or ""
        self.resource_name = optional_text_param(params, "resource_name")
        self.action = optional_text_param(params, "planned_action") or ""
        redacted = params.get("redacted")
        self.redacted: Sequence[Path] = tuple(map(read_path, redacted if is_list(redacted) else ()))

    def __repr__(self) -> str:
        return f"<{self.action} of {self.address or self.resource_type}>"

    @cached_property
    def before(self) -> V | None:
        """The resource before the operation; None if it does not exist yet."""
        return self._value("before")

    @cached_property
    def after(self) -> V | None:
        """The resource after the operation, with unknown values in plans; None if it is gone."""
        return self._value("after")

    @cached_property
    def config(self) -> V | None:
        """The configuration of the resource; None where it is not known."""
        return self._value("config")

    @cached_property
    def type_constraint(self) -> Type:
        """The type constraint of the values.

        Raises:
            CallError: If the host sent none.
        """
        return read_type(self._params.get("type"))

    def _value(self, name: str) -> V | None:
        form = self._params.get(name)
        if form is None:
            return None
        try:
            if self._model is None:
                from tofutypes.wire import decode_msgpack

                return cast(V, decode_msgpack(of_inline(form), self.type_constraint))
            return cast(V, self._model.from_msgpack(of_inline(form)))
        except DecodeError as error:
            what = f"{name} of {self.address or self.resource_type}"
            if self._model is not None:
                what += f" does not fit {self._model.__name__}"
            raise CallError(ErrorCode.INVALID_PARAMS, f"{what}: {error}") from None

    def of(self, model: type[M]) -> Change[M]:
        """The same change with values of a model."""
        return Change(self._params, model)


class Stage(Hook):
    """The start or the end of a command's stage: `init`, `plan` or `apply`.

    Attributes:
        command: what was run, as a list.
        error: what went wrong, if the stage failed.
        changes: the changes of all resources, where they are known.
    """

    def __init__(self, params: Params) -> None:
        super().__init__(params)
        command, resources = params.get("command"), params.get("resources")
        self.command: Sequence[str] = tuple(map(str, command if is_list(command) else ()))
        self.error = optional_text_param(params, "error")
        self.changes: Sequence[Change[dict[str, Any]]] = tuple(
            Change({str(key): value for key, value in resource.items()})
            for resource in (resources if is_list(resources) else ())
            if is_dict(resource)
        )

    def changes_of(self, model: type[M]) -> Iterator[Change[M]]:
        """The changes of the resources of a model, with their values as instances."""
        type_name = model.__tofu_info__.type_name
        return (change.of(model) for change in self.changes if change.resource_type == type_name)
