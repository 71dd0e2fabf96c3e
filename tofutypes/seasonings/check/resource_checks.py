"""Checks of resources: their schemas, validation and plans. Nothing is created."""

from __future__ import annotations

from collections.abc import Mapping

from tofutypes.errors import InvalidSchemaError, TofuTypesError
from tofutypes.narrowing import is_dict
from tofutypes.schema import Block, NestingMode, Schema, check_schema, implied_type
from tofutypes.schema.document import read_part
from tofutypes.seasonings.check.samples import known
from tofutypes.seasonings.check.session import Session
from tofutypes.seasonings.errors import CallError
from tofutypes.seasonings.protocol.diagnostics import read_diagnostics
from tofutypes.seasonings.protocol.values import of_inline, to_inline
from tofutypes.wire import decode_msgpack, encode_msgpack

_MODES = {
    "resource_schemas": "managed",
    "data_source_schemas": "data",
    "ephemeral_resource_schemas": "ephemeral",
}


async def check_resources(session: Session) -> None:
    """Check all that has a schema."""
    check = "resources/getSchema"
    answer: Mapping[str, object] | CallError = {}
    async with session.checking(check):
        answer = await session.call(check, {})
        if isinstance(answer, CallError):
            raise answer
        session.report.ok(check)
    if isinstance(answer, CallError):
        return
    for kind, mode in _MODES.items():
        listed = answer.get(kind)
        for name, document in listed.items() if is_dict(listed) else ():
            async with session.checking(f"{mode} {name}"):
                schema = read_checked_schema(document)
                session.report.ok(f"{mode} {name}: schema")
                await _check_config(session, mode, str(name), schema)
                if mode == "managed":
                    await _check_plan(session, str(name), schema)
    async with session.checking("unknown resource"):
        params = {"type_name": "tofutypes_no_such_type", "current_state": None, "private": b""}
        refused = await session.call("resources/read", params)
        if isinstance(refused, CallError) or read_diagnostics(refused.get("diagnostics")):
            session.report.ok("unknown resource")
        else:
            session.report.fail("unknown resource", "expected an error or a diagnostic")


def read_checked_schema(document: object) -> Schema:
    """Read a schema that breaks no rule.

    Raises:
        TofuTypesError: If it is none, or breaks a rule.
    """
    if not is_dict(document):
        raise TofuTypesError("expected a schema, which is a map")
    schema = read_part(Schema, {str(key): value for key, value in document.items()})
    if problems := check_schema(schema):
        raise InvalidSchemaError(problems)
    return schema


def _sample(block: Block) -> dict[str, object]:
    """The shortest configuration: what is required."""
    values: dict[str, object] = {}
    for name, attribute in block.attributes.items():
        values[name] = known(implied_type(attribute)) if attribute.required else None
    for name, nested in block.block_types.items():
        match nested.nesting:
            case NestingMode.SINGLE:
                values[name] = _sample(nested.block) if nested.min_items else None
            case NestingMode.GROUP:
                values[name] = _sample(nested.block)
            case NestingMode.MAP:
                values[name] = {}
            case _:
                values[name] = [_sample(nested.block)] * nested.min_items
    return values


async def _check_config(session: Session, mode: str, name: str, schema: Schema) -> None:
    check = f"{mode} {name}: validateConfig"
    config = to_inline(encode_msgpack(_sample(schema.block), implied_type(schema)))
    params = {"mode": mode, "type_name": name, "config": config}
    answer = await session.call("resources/validateConfig", params)
    if isinstance(answer, CallError):
        session.report.fail(check, str(answer), "Report what is wrong as diagnostics.")
    else:
        said = "; ".join(map(str, read_diagnostics(answer.get("diagnostics"))))
        session.report.ok(check, said)


async def _check_plan(session: Session, name: str, schema: Schema) -> None:
    check, type_ = f"managed {name}: planChange", implied_type(schema)
    config = to_inline(encode_msgpack(_sample(schema.block), type_))
    params = {
        "type_name": name,
        "prior_state": None,
        "proposed_new_state": config,
        "config": config,
        "private": b"",
    }
    answer = await session.call("resources/planChange", params)
    if isinstance(answer, CallError):
        session.report.fail(check, str(answer), "Report what is wrong as diagnostics.")
        return
    said = "; ".join(map(str, read_diagnostics(answer.get("diagnostics"))))
    if answer.get("planned_state") is None:
        if said:
            session.report.ok(check, f"refused: {said}")
        else:
            session.report.fail(check, "no planned state, and no diagnostics")
        return
    decode_msgpack(of_inline(answer["planned_state"]), type_)
    session.report.ok(check, said)
