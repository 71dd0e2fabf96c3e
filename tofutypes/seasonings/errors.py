"""The errors of Seasonings: what a peer answers, and a peer that does not work as one."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from tofutypes.errors import TofuTypesError


class ErrorCode(IntEnum):
    """The codes of error answers. Those above -32600 are JSON-RPC's and the language server's."""

    PARSE = -32700
    INVALID_REQUEST = -32600
    NO_SUCH_METHOD = -32601
    INVALID_PARAMS = -32602
    INTERNAL = -32603
    CANCELLED = -32800
    NOT_INITIALIZED = -32002
    LOCKED = -32010
    LIMIT = -32020


class SeasoningsError(TofuTypesError):
    """The base of the errors of Seasonings."""


class CallError(SeasoningsError):
    """An error answer to a call: raised by handlers to send one, and by calls that get one.

    Args:
        code: one of [`ErrorCode`][tofutypes.seasonings.errors.ErrorCode], or a code of the peer.
        message: what is wrong, in one line.
        data: more about it, as MessagePack can carry it: `{"argument": 0}`.
    """

    def __init__(self, code: int, message: str, data: object = None) -> None:
        self.code: Final = code
        self.message: Final = message
        self.data: Final = data
        super().__init__(code, message, data)

    def __str__(self) -> str:
        return self.message


class PeerError(SeasoningsError):
    """The other side failed to start, ended, timed out or violated the protocol."""


class CallTimeoutError(PeerError):
    """The other side did not answer a call in time."""


def no_such_method(method: str) -> CallError:
    """The error for a method that a peer does not serve."""
    return CallError(ErrorCode.NO_SUCH_METHOD, f"no such method: {method!a}")
