"""Resources that exist: in state, as `show -json` prints it and as state files hold it."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Generic, cast

from typing_extensions import TypeVar

from tofutypes.documents.addresses import ModuleAddress, ResourceAddress, ResourceMode
from tofutypes.documents.changes import address_of
from tofutypes.documents.marks import guessed_marks, marks_of_paths, with_schema_marks
from tofutypes.documents.paths import PathLike, is_marked, is_schema_sensitive, marks_at, to_path
from tofutypes.documents.records import (
    Member,
    Record,
    bounded,
    read_flag,
    read_integer,
    read_list,
    read_plain,
    read_required_text,
    read_text,
    read_texts,
    wrong,
)
from tofutypes.documents.typed import ModelClass, Models, Note, read_model
from tofutypes.documents.values import PLAN, Values, copied, values_of
from tofutypes.errors import DocumentError, Path
from tofutypes.models import Model
from tofutypes.models.bases import SchemaModel
from tofutypes.models.secrets import has_marks
from tofutypes.wire.format import Reading
from tofutypes.wire.json import READING
from tofutypes.wire.layout import ObjectLayout

M_co = TypeVar("M_co", bound="Model | Values", covariant=True, default="Model | Values")


class StateResource(Record, Generic[M_co]):
    """One object of state: the current one of an instance of a resource, or a deposed one.

    Attributes:
        schema_version: the version of the schema that its values follow.
        identity: the plain identity; None without one.
        identity_schema_version: the version of the schema of the identity.
    """

    reading: Reading = PLAN
    schema_version = Member(read_integer)
    identity = Member(read_plain)
    identity_schema_version = Member(read_integer)

    def __init__(
        self, json: object, place: str, models: Models, promised: ModelClass | None = None
    ) -> None:
        super().__init__(json, place)
        self._models = models
        self._promised = promised

    @cached_property
    def address(self) -> ResourceAddress:
        """Where it is."""
        raise NotImplementedError

    @property
    def provider_name(self) -> str | None:
        """The address of its provider; a short name in documents of Terraform 0.12."""
        raise NotImplementedError

    @property
    def depends_on(self) -> tuple[str, ...]:
        """The addresses of the resources that it depends on."""
        raise NotImplementedError

    @property
    def is_tainted(self) -> bool:
        """Whether it is to be replaced, for its creation failed or the user said so."""
        raise NotImplementedError

    @property
    def deposed_key(self) -> str | None:
        """The key of a deposed object; None for the current one."""
        raise NotImplementedError

    @cached_property
    def marks(self) -> object:
        """Which parts of the values the document marks as sensitive.

        Documents of Terraform before 0.15 do not say: attributes with names such as `password` or
        `private_key` count as sensitive then.
        """
        raise NotImplementedError

    @property
    def attributes(self) -> object:
        """The JSON of the values, not to be changed."""
        raise NotImplementedError

    @property
    def mode(self) -> ResourceMode:
        """Managed or data."""
        return self.address.mode

    @property
    def type(self) -> str:
        """The type name."""
        return self.address.type

    @cached_property
    def model(self) -> ModelClass | None:
        """The class of `values`; None if no model is known."""
        if self._promised is not None:
            return self._promised
        address = self.address
        return self._models.model_for(address.mode, address.type, self.provider_name or "")

    @property
    def values(self) -> M_co | None:
        """The values; None if there are none.

        A model, or `Values` if no model is known or the values do not fit it: `notes` says why.

        Raises:
            DocumentError: If it comes from `resources_of`, which promises a model, and does not
                fit.
        """
        values, notes = self._read
        if self._promised is not None and isinstance(values, Values):
            raise DocumentError(f"{self.address}: {notes[0]}; the plain values are in plain_values")
        return cast("M_co | None", values)

    @cached_property
    def plain_values(self) -> Values | None:
        """The plain values: all that the document has, whether a model has it or not."""
        attributes = self._copied()
        if attributes is None:
            return None
        if not isinstance(attributes, dict):
            raise wrong(self.place, "an object", attributes)
        named = cast("dict[str, object]", attributes)
        return values_of(named, with_schema_marks(named, self.marks, self.layout))

    @property
    def notes(self) -> tuple[Note, ...]:
        """What the model leaves out, or why there is none."""
        if self.model is None:
            return (Note(Path(), f"no model of {self.mode.value} {self.type}"),)
        return self._read[1]

    def is_sensitive(self, path: PathLike = Path()) -> bool:  # noqa: B008  # it is frozen
        """Whether the value at a path is sensitive: by the schema or by marks.

        A value of which only parts are sensitive is not; see `holds_sensitive`.
        """
        where = to_path(path)
        return is_marked(self.marks, where) or is_schema_sensitive(self.layout, where)

    def holds_sensitive(self, path: PathLike = Path()) -> bool:  # noqa: B008  # it is frozen
        """Whether the value at a path is sensitive or has a part that is marked so."""
        where = to_path(path)
        return self.is_sensitive(where) or has_marks(marks_at(self.marks, where))

    @property
    def layout(self) -> ObjectLayout | None:
        """The layout of the model; None without one."""
        return None if self.model is None else self.model.__tofu_layout__()

    def _copied(self) -> object:
        with bounded(self.place):
            return copied(self.attributes)

    @cached_property
    def _read(self) -> tuple[Model | Values | None, tuple[Note, ...]]:
        if self.attributes is None:
            return None, ()
        if self.model is None:
            return self.plain_values, ()
        if note := self._older_than(self.model):
            return self.plain_values, (note,)
        model, notes = read_model(self.model, self._copied, self.reading, self.marks)
        return (self.plain_values if model is None else model), notes

    def _older_than(self, model: ModelClass) -> Note | None:
        version = self.schema_version
        if version is None or not issubclass(model, SchemaModel):
            return None
        newer = model.__tofu_info__.version
        if version >= newer:
            return None
        return Note(
            Path(), f"stored by version {version} of the schema, {model.__name__} has {newer}"
        )

    def __repr__(self) -> str:
        deposed = f" (deposed {self.deposed_key})" if self.deposed_key else ""
        return f"<StateResource {self.address}{deposed}>"


class ShownResource(StateResource[M_co]):
    """An object of state as `show -json` prints it."""

    member_names = frozenset(
        {"address", "mode", "type", "name", "index", "provider_name", "values"}
        | {"sensitive_values", "depends_on", "tainted", "deposed_key"}
    )

    @cached_property
    def address(self) -> ResourceAddress:
        return address_of(self)

    @property
    def provider_name(self) -> str | None:
        return read_text(self.members.get("provider_name"), self.place_of("provider_name"))

    @property
    def depends_on(self) -> tuple[str, ...]:
        return read_texts(self.members.get("depends_on"), self.place_of("depends_on"))

    @property
    def is_tainted(self) -> bool:
        return read_flag(self.members.get("tainted"), self.place_of("tainted"))

    @property
    def deposed_key(self) -> str | None:
        return read_text(self.members.get("deposed_key"), self.place_of("deposed_key"))

    @cached_property
    def marks(self) -> object:
        if "sensitive_values" not in self.members:
            return guessed_marks(self.attributes)
        return self.members.get("sensitive_values")

    @property
    def attributes(self) -> object:
        return self.members.get("values")


class StoredResource(StateResource[M_co]):
    """An object of state as a state file of version 4 holds it.

    Attributes:
        create_before_destroy: whether a replacement is created before it is destroyed.
        skip_destroy: whether it is to be forgotten rather than destroyed (OpenTofu).
        attributes_flat: the values in the form of state files before version 4.
    """

    reading = READING
    member_names = frozenset(
        {"index_key", "status", "deposed", "attributes", "sensitive_attributes", "private"}
        | {"dependencies", "provider"}
    )
    create_before_destroy = Member(read_flag)
    skip_destroy = Member(read_flag)
    attributes_flat = Member(read_plain)

    def __init__(
        self,
        json: object,
        place: str,
        models: Models,
        around: Mapping[str, Any],
        promised: ModelClass | None = None,
    ) -> None:
        super().__init__(json, place, models, promised)
        self._around = around

    @cached_property
    def address(self) -> ResourceAddress:
        around, place = self._around, self.place
        key = self.members.get("index_key")
        if key is not None and (isinstance(key, bool) or not isinstance(key, int | str)):
            raise wrong(self.place_of("index_key"), "a whole number or a string", key)
        mode = around.get("mode", "managed")
        if mode not in ("managed", "data", "ephemeral"):
            raise wrong(f"{place}.mode", '"managed" or "data"', mode)
        return ResourceAddress.of(
            read_required_text(around.get("type"), f"{place}.type"),
            read_required_text(around.get("name"), f"{place}.name"),
            key,
            ResourceMode(mode),
            ModuleAddress(read_text(around.get("module"), f"{place}.module") or ""),
        )

    @property
    def provider(self) -> str | None:
        """Its provider configuration: `provider["registry.opentofu.org/hashicorp/aws"].west`."""
        own = self.members.get("provider", self._around.get("provider"))
        return read_text(own, self.place_of("provider"))

    @property
    def provider_name(self) -> str | None:
        provider = self.provider or ""
        _, opening, rest = provider.partition('["')
        return rest.partition('"]')[0] if opening else provider or None

    @property
    def provider_alias(self) -> str | None:
        """The alias of its provider configuration; None for the default one."""
        _, _, alias = (self.provider or "").rpartition('"].')
        return alias if '"].' in (self.provider or "") else None

    @property
    def depends_on(self) -> tuple[str, ...]:
        return read_texts(self.members.get("dependencies"), self.place_of("dependencies"))

    @property
    def is_tainted(self) -> bool:
        return self.members.get("status") == "tainted"

    @property
    def deposed_key(self) -> str | None:
        return read_text(self.members.get("deposed"), self.place_of("deposed"))

    @cached_property
    def marks(self) -> object:
        if "sensitive_attributes" not in self.members:
            return guessed_marks(self.attributes)
        place = self.place_of("sensitive_attributes")
        return marks_of_paths(read_list(self.members.get("sensitive_attributes"), place), place)

    @property
    def attributes(self) -> object:
        return self.members.get("attributes")

    @property
    def private(self) -> bytes | None:
        """The private state of the provider; None without any.

        Raises:
            DocumentError: If it is not base64.
        """
        place = self.place_of("private")
        text = read_text(self.members.get("private"), place)
        try:
            return None if text is None else base64.b64decode(text, validate=True)
        except (binascii.Error, ValueError):
            raise DocumentError(f"{place}: expected base64") from None
