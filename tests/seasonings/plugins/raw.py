"""A plugin in raw MessagePack, which does one thing wrong: the one that its argument names."""

import itertools
import os
import sys
from typing import Any

import msgpack

FAULT = sys.argv[1] if len(sys.argv) > 1 else ""
CAPABILITIES = ["hooks.postPlan", "functions", "storage", "hooks.planStageComplete"]
STRING = {"name": "text", "type": "string", "is_nullable": True}
FUNCTIONS = {"upper": {"return_type": "string", "parameters": [STRING]}}

greeted: list[bool] = []
states: dict[str, bytes] = {}
locks: dict[str, dict[str, str]] = {}
counter = itertools.count()


class CallError(Exception):
    pass


def refuse(code: int, message: str, data: object = None) -> CallError:
    return CallError({"code": code, "message": message, "data": data})


def upper(params: Any) -> Any:
    arguments = params["arguments"]
    if FAULT == "crash":
        os._exit(7)
    if len(arguments) != 1:
        raise refuse(-32602, "expected 1 argument")
    text = arguments[0]
    if text is None:
        return {"result": None}
    if not isinstance(text, str):
        raise refuse(-32602, "expected a string", {} if FAULT == "argument" else {"argument": 0})
    if FAULT == "type":
        return {"result": 3}
    if FAULT == "no result":
        return {}
    return {"result": text.upper() + (str(next(counter)) if FAULT == "impure" else "")}


def check_lock(params: Any) -> None:
    if FAULT == "lock" or (FAULT == "lost" and params["path"] in locks):
        return
    if (locks.get(params["path"]) or {}).get("id") != params.get("lock_id"):
        raise refuse(-32010, "locked", locks.get(params["path"]))


def write(params: Any) -> Any:
    check_lock(params)
    if FAULT != "lost" or len(params["state"]) < 1000:
        states[params["path"]] = params["state"]
    return {}


def delete(params: Any) -> Any:
    check_lock(params)
    if FAULT != "undead":
        states.pop(params["path"], None)
    return {}


def lock(params: Any) -> Any:
    if params["path"] in locks and FAULT != "two locks":
        raise refuse(-32010, "locked", None if FAULT == "holder" else locks[params["path"]])
    locks[params["path"]] = params["info"]
    return {"lock_id": params["info"]["id"]}


def unlock(params: Any) -> Any:
    if params.get("lock_id") is not None:
        check_lock(params)
    locks.pop(params["path"], None)
    return {}


def hook(params: Any) -> Any:
    if FAULT == "hook":
        raise refuse(-32603, "raised")
    if FAULT == "status":
        return {"status": "maybe"}
    return {"status": "warning", "message": "careful"}


METHODS: dict[str, Any] = {
    "middleware/postPlan": hook,
    "middleware/planStageComplete": hook,
    "functions/getSchema": lambda _: {"functions": FUNCTIONS},
    "functions/call": upper,
    "storage/read": lambda params: {"state": states.get(params["path"])},
    "storage/write": write,
    "storage/delete": delete,
    "storage/lock": lock,
    "storage/unlock": unlock,
    "storage/list": lambda params: {"paths": [] if FAULT == "list" else sorted(states)},
}
if FAULT == "declared":
    del METHODS["middleware/postPlan"], METHODS["functions/getSchema"]


def init(_: Any) -> Any:
    if FAULT == "version":
        return {"protocol_version": "3.0", "plugin": {"name": "raw"}, "capabilities": []}
    listed = CAPABILITIES + (["magic"] if FAULT == "capability" else [])
    return {
        "protocol_version": "1.0",
        "plugin": {"name": "raw", "version": "0"},
        "capabilities": listed,
    }


def answer(message: Any) -> Any:
    _, _, method, params = message
    if not isinstance(method, str):
        if FAULT == "kind":
            return {}
        raise refuse(-32600, "a method is a string")
    if isinstance(params, list):
        if FAULT == "array":
            raise refuse(-32602, "expected a map")
        params = params[0] if params else {}
    if method == "init":
        greeted.append(True)
        return init(params)
    if method == "ping":
        return {} if FAULT == "ping" else {"status": "ok"}
    if method == "shutdown":
        return {}
    if not greeted and FAULT != "order":
        raise refuse(-32002, "call init first")
    if method not in METHODS:
        if FAULT == "unknown":
            return {}
        raise refuse(-32000 if FAULT == "code" else -32601, "no such method")
    return METHODS[method](params)


def main() -> None:
    unpacker = msgpack.Unpacker(max_buffer_size=1 << 30)
    if FAULT == "print":
        print("loading…", flush=True)
    while data := os.read(0, 1 << 20):
        unpacker.feed(data)
        if FAULT == "pieces" and len(data) < 5:
            continue
        for message in unpacker:
            if message[0] == 2:
                if message[1] == "shutdown" and FAULT != "notified":
                    return
                if FAULT == "notification":
                    sys.exit(3)
                continue
            try:
                reply = [1, message[1], None, answer(message)]
            except CallError as error:
                reply = [1, message[1], error.args[0], None]
            if FAULT == "twice" and message[2] == "ping":
                os.write(1, msgpack.packb(reply))
            view = memoryview(msgpack.packb(reply))
            while view:
                view = view[os.write(1, view) :]
            if message[2] == "shutdown" and FAULT != "shutdown":
                return
    if FAULT == "end":
        sys.exit(4)


main()
