"""State that the core has stored: JSON of some schema version, or the older flat form."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import orjson

from tofutypes.errors import DecodeError, InvalidValueError, Path, describe
from tofutypes.models import Model
from tofutypes.narrowing import is_dict
from tofutypes.provider.server.flatmap import expand
from tofutypes.wire import json

if TYPE_CHECKING:
    from tofutypes.provider.service.requests import RawState

M = TypeVar("M", bound=Model)


class StoredState:
    """An object as it was stored, by this version of the provider or an older one.

    Attributes:
        version: the schema version that it was stored with.
        dropped: the places of attributes that the last `read` found no place for.
    """

    def __init__(self, state: RawState, version: int = 0) -> None:
        self.version = version
        self.dropped: tuple[Path, ...] = ()
        self._json = state.json
        self._flat: Mapping[str, str] = state.flatmap

    def read(self, model: type[M]) -> M:
        """The object as an instance of a class: of the class of its version, or of a later one.

        What is missing is null, primitive values are converted, attributes that the class does
        not have are dropped (`dropped` lists them).

        Raises:
            DecodeError: it does not fit.
        """
        self.dropped = ()
        text = self._json
        if not text:
            text = orjson.dumps(expand(self._flat, model.__tofu_layout__().type))
        value, self.dropped = model.from_stored_json(text)
        return value

    def values(self) -> dict[str, Any]:
        """The object as plain Python values, whatever schema it had. Numbers are exact.

        Raises:
            DecodeError: it is not JSON (state of before Terraform 0.12 is not: `read` it).
        """
        try:
            parsed = json.parse(self._json)
        except InvalidValueError as error:
            raise DecodeError(error.message) from None
        if not is_dict(parsed):
            raise DecodeError(f"an object is required, got {describe(parsed)}")
        return {str(name): value for name, value in parsed.items()}
