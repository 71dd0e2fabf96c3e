"""The types and functions that a configuration mentions."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal, NoReturn

import orjson

from tofutypes.narrowing import is_dict, is_list
from tofutypes_codegen.errors import GeneratorError
from tofutypes_codegen.hcl import Token, tokenize

Kind = Literal["resource", "data", "ephemeral", "list", "action", "state_store", "function"]
Mention = tuple[Kind, str]

_BLOCKS: Final[dict[str, Kind]] = {
    "resource": "resource",
    "data": "data",
    "ephemeral": "ephemeral",
    "list": "list",
    "action": "action",
}
_NATIVE: Final = (".tf", ".tofu", ".tfquery.hcl")
_JSON: Final = (".tf.json", ".tofu.json", ".tfquery.json")
_FUNCTION: Final = re.compile(r"\bprovider::[\w-]+::([\w-]+)")


def read_mentions(folder: str) -> frozenset[Mention]:
    """The mentions in the files of a configuration and of its subfolders.

    Downloaded modules (`.terraform`) and hidden files are skipped.

    Raises:
        GeneratorError: If there is no configuration, or a file cannot be read.
    """
    if not Path(folder).is_dir():
        raise GeneratorError(f'--used-in "{folder}": no such folder')
    files = sorted(_files(folder))
    if not files:
        raise GeneratorError(
            f'--used-in "{folder}": the folder has no configuration: no file *'
            + ", *".join((*_NATIVE, *_JSON))
        )
    return frozenset(mention for file in files for mention in _read(file))


def _files(folder: str) -> Iterator[Path]:
    for here, folders, names in os.walk(folder, onerror=_refuse):
        folders[:] = [name for name in folders if name != ".terraform"]
        for name in names:
            # Editors keep unsaved work in files that begin like this; `tofu` ignores them too.
            if name.endswith(_NATIVE + _JSON) and not name.startswith((".", "#")):
                yield Path(here, name)


def _refuse(error: OSError) -> NoReturn:
    raise error


def _read(file: Path) -> Iterator[Mention]:
    try:
        text = file.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise GeneratorError(f"{file}: expected UTF-8 text") from None
    return _read_json(text, file) if file.name.endswith(_JSON) else _read_native(text, file)


def _read_native(text: str, file: Path) -> Iterator[Mention]:
    tokens = tokenize(text, str(file))
    for index, token in enumerate(tokens):
        if token == Token("mark", "{") and index >= 3:
            word, label, name = tokens[index - 3 : index]
            if "mark" not in (label.kind, name.kind) and (kind := _BLOCKS.get(word.text)):
                yield kind, label.text
        elif token.kind == "word" and (call := _FUNCTION.fullmatch(token.text)):
            yield "function", call[1]


def _read_json(text: str, file: Path) -> Iterator[Mention]:
    try:
        document = orjson.loads(text)
    except orjson.JSONDecodeError as error:
        raise GeneratorError(f"{file}: invalid JSON: {error}") from None
    for body in _objects(document):
        checks = (check for checks in _objects(body.get("check")) for check in checks.values())
        for block in (body, *(inner for check in checks for inner in _objects(check))):
            for word, kind in _BLOCKS.items():
                for types in _objects(block.get(word)):
                    for name in types.keys() - {"//"}:  # a comment
                        yield kind, name
    # Calls are in strings, all of which are templates; one in a comment does no harm.
    for call in _FUNCTION.finditer(text):
        yield "function", call[1]


def _objects(value: object) -> Iterator[dict[str, object]]:
    """The objects of a value; in JSON syntax a list of objects stands for one object."""
    for item in value if is_list(value) else [value]:
        if is_dict(item):
            yield {str(key): inner for key, inner in item.items()}
