"""Values as they travel: bytes of MessagePack or JSON.

Source: the protocol, `DynamicValue`. Terraform Core and OpenTofu send MessagePack and accept JSON
too; an absent value is null.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeVar

from tofutypes.models import Model

M = TypeVar("M", bound=Model)

_NULL: Final = b"\xc0"  # null in MessagePack


class WireValue(NamedTuple):
    """A value of a schema, encoded: MessagePack if there is any, else JSON, else null.

        WireValue.of(Server(name="web")).read(Server)

    Attributes:
        msgpack: The value in MessagePack.
        json: The value in JSON.
    """

    msgpack: bytes = b""
    json: bytes = b""

    @classmethod
    def of(cls, value: Model | None) -> WireValue:
        """Encode an object; None is null.

        Raises:
            EncodeError: If something inside was changed to a value that does not fit the schema.
        """
        return NULL if value is None else cls(value.to_msgpack())

    @property
    def is_null(self) -> bool:
        """Whether the value is null or absent."""
        if self.msgpack:
            return self.msgpack == _NULL
        return self.json.strip() in (b"", b"null")

    def read(self, model: type[M]) -> M | None:
        """Decode the value as an object of a class; None if it is null.

        Raises:
            DecodeError: If the value is not an object of this schema. The message has the path.
        """
        if self.is_null:
            return None
        if self.msgpack:
            return model.from_msgpack(self.msgpack)
        return model.from_json(self.json)

    def __repr__(self) -> str:  # the bytes may hold secrets
        kind = "msgpack" if self.msgpack else "json" if self.json else "absent"
        return f"<WireValue {kind}, {len(self.msgpack or self.json)} bytes>"


NULL: Final = WireValue(_NULL)
"""Null, as Terraform Core and OpenTofu send it."""
