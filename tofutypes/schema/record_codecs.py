"""JSON objects ↔ frozen classes: one table of keys a class, which drives both directions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Protocol, TypeVar

from tofutypes.errors import AttributeStep
from tofutypes.schema.document_codecs import Json, Kind, MisfitError, Reading, entries
from tofutypes.schema.frozen_dict import FrozenDict


class HasExtra(Protocol):
    """A class that a record can fill."""

    @property
    def extra(self) -> Mapping[str, object]: ...


T = TypeVar("T", bound=HasExtra)

MAX_NESTING: Final = 64
"""How deep blocks and nested types may nest. Ours; those of AWS go 13 deep."""

_JSON: Final = Json()


@dataclass(frozen=True, slots=True)
class Key:
    """A key of a JSON object, and the field of the class that holds its value.

    Attributes:
        name: the key.
        kind: the kind of its value.
        field: the name of the field; "" if it is that of the key.
        required: a document without the key is refused, and the key is always written.
        noted: the key is written even if it is empty; if a document does not have it, the field
            `absent` of the class says so.
    """

    name: str
    kind: Kind[Any]
    field: str = ""
    required: bool = False
    noted: bool = False


class Record(Kind[T]):
    """A JSON object with known keys, held by a frozen class with a field for each.

    Args:
        make: the class. Its field `extra` holds the keys that are not known.
        keys: tells the keys. (A function, because classes refer to each other in circles.)
        absent: the value that an absent key stands for.
        nests: whether it counts as a level of nesting.
    """

    def __init__(
        self,
        make: Callable[..., T],
        keys: Callable[[], Sequence[Key]],
        *,
        absent: T | None = None,
        nests: bool = False,
    ) -> None:
        self._make = make
        self._tell_keys = keys
        self.absent = absent
        self._nests = nests

    @cached_property
    def _keys(self) -> dict[str, tuple[str, Key]]:
        return {key.name: (key.field or key.name, key) for key in self._tell_keys()}

    @cached_property
    def _absent_fields(self) -> dict[str, object]:
        return {field: key.kind.absent for field, key in self._keys.values()}

    @cached_property
    def _expected_keys(self) -> list[Key]:
        return [key for _, key in self._keys.values() if key.required or key.noted]

    def read(self, source: object, reading: Reading) -> T:
        reading.depth += self._nests
        if reading.depth > MAX_NESTING:
            raise MisfitError(f"blocks are nested too deeply (the limit is {MAX_NESTING} levels)")
        known = self._keys
        fields = self._absent_fields.copy()
        extra: dict[str, object] = {}
        for name, value in entries(source):
            try:
                if name not in known:
                    extra[name] = _JSON.read(value, reading)
                elif value is not None:
                    field, key = known[name]
                    fields[field] = key.kind.read(value, reading)
            except MisfitError as error:
                raise error.at(AttributeStep(name)) from None
        if extra:
            fields["extra"] = FrozenDict(extra)
        if self._expected_keys:
            self._check_expected(source, fields)
        reading.depth -= self._nests
        return self._make(**fields)

    def _check_expected(self, source: Any, fields: dict[str, object]) -> None:
        missing = [key for key in self._expected_keys if source.get(key.name) is None]
        for key in missing:
            if key.required:
                raise MisfitError(f'missing required key "{key.name}"')
        if missing:
            fields["absent"] = frozenset(key.name for key in missing)

    def write(self, value: T) -> dict[str, object]:
        document: dict[str, object] = {}
        for field, key in self._keys.values():
            held = getattr(value, field)
            kept = key.required or (key.noted and key.name not in _absent(value))
            if kept or held != key.kind.absent:
                document[key.name] = key.kind.write(held)
        for name, held in value.extra.items():
            document.setdefault(name, _JSON.write(held))
        return document


def _absent(value: Any) -> frozenset[str]:
    names: frozenset[str] = value.absent
    return names
