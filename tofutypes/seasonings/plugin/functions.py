"""Functions of a plugin: `functions/getSchema` and `functions/call`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tofutypes.errors import DecodeError, SchemaError, TofuTypesError
from tofutypes.seasonings.errors import CallError, ErrorCode
from tofutypes.seasonings.plugin.author import argument_error, error_of, run_author
from tofutypes.seasonings.protocol.values import list_param, of_inline, text_param, to_inline
from tofutypes.seasonings.rpc.handlers import Call
from tofutypes.seasonings.rpc.messages import Params

if TYPE_CHECKING:
    from tofutypes.models import ProviderFunction


class Functions:
    """The functions of a plugin."""

    def __init__(self) -> None:
        self._functions: dict[str, ProviderFunction[..., Any]] = {}

    def __bool__(self) -> bool:
        return bool(self._functions)

    def add(self, function: ProviderFunction[..., Any]) -> None:
        """Add a function.

        Raises:
            SchemaError: If there is a function of the name, or its signature does not do.
        """
        if function.name in self._functions:
            raise SchemaError(f"the plugin has two functions {function.name}")
        _ = function.schema  # raises what is wrong with the signature
        self._functions[function.name] = function

    def get_schema(self, _params: Params, _call: Call) -> Mapping[str, object]:
        """Answer `functions/getSchema`."""
        from tofutypes.schema.document import write_part

        return {
            "functions": {
                name: write_part(function.schema) for name, function in self._functions.items()
            }
        }

    def call(self, params: Params, call: Call) -> Mapping[str, object]:
        """Answer `functions/call`."""
        name = text_param(params, "name")
        arguments = [of_inline(argument) for argument in list_param(params, "arguments")]
        function = self._functions.get(name)
        if function is None:
            raise CallError(ErrorCode.INVALID_PARAMS, f"unknown function {name!a}")
        what = f"function {name}"

        def implementation(*values: Any) -> Any:
            try:
                return run_author(call, function, *values)
            except BaseException as raised:  # noqa: BLE001  # whatever the author's code raises
                raise error_of(raised, what) from None

        try:
            return {"result": to_inline(function.call(implementation, arguments))}
        except DecodeError as error:
            raise argument_error(error) from None
        except CallError:
            raise
        except TofuTypesError as error:  # what the author's code returned is not of its type
            raise CallError(ErrorCode.INTERNAL, f"{what}: wrong result: {error}") from None
