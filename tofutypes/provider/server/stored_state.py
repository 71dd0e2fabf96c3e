"""Stored state: JSON of some schema version, or the flat form of before Terraform 0.12."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from tofutypes import wire
from tofutypes.errors import DecodeError, InvalidValueError, Path, describe
from tofutypes.models import Model
from tofutypes.narrowing import is_dict

if TYPE_CHECKING:
    from tofutypes.provider.service.requests import RawState

M = TypeVar("M", bound=Model)


class StoredState:
    """An object as it was stored, by this version of the provider or an older one.

        old = state.read(ServerV0)

    Attributes:
        version: The schema version that it was stored with.
        dropped: The paths of attributes that the last `read` dropped.
    """

    def __init__(self, state: RawState, version: int = 0) -> None:
        self.version = version
        self.dropped: tuple[Path, ...] = ()
        self._json = state.json
        self._flat: Mapping[str, str] = state.flatmap

    def read(self, model: type[M]) -> M:
        """Read the object as an instance of a class: of the old schema version or of a later one.

        Missing attributes are null, primitive values are converted, and attributes that the class
        does not have are dropped (`dropped` lists them).

        Raises:
            DecodeError: If the object does not fit. The message has the path.
        """
        self.dropped = ()
        text = self._json
        if not text:
            import orjson

            from tofutypes.provider.server.flatmap import expand  # few states are that old

            text = orjson.dumps(expand(self._flat, model.__tofu_layout__().type))
        value, self.dropped = model.from_stored_json(text)
        return value

    def values(self) -> dict[str, Any]:
        """Return the object as plain Python values, whatever schema it had. Numbers are exact.

        Raises:
            DecodeError: If it is not JSON, as state of before Terraform 0.12 (`read` reads it).
        """
        try:
            parsed = wire.json.parse(self._json)
        except InvalidValueError as error:
            raise DecodeError(error.message) from None
        if not is_dict(parsed):
            raise DecodeError(f"expected an object, got {describe(parsed)}")
        return {str(name): value for name, value in parsed.items()}
