"""Addresses of modules and resources: `module.net["a"].aws_instance.web[0]`.

They are strings, so that they compare with and stand in for the text of documents, and know their
parts. They sort as OpenTofu and Terraform sort them: the root module first, then modules by depth,
data sources before managed resources, numeric keys by value.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, Self, TypeAlias

from tofutypes.errors import DocumentError

InstanceKey: TypeAlias = int | str | None
"""The key of an instance: an int of `count`, a string of `for_each`, None without either."""


class ResourceMode(StrEnum):
    """What a resource block declares."""

    MANAGED = "managed"
    DATA = "data"
    EPHEMERAL = "ephemeral"


@dataclass(frozen=True, slots=True)
class ModuleStep:
    """A call of a module: its name, and the key of the instance."""

    name: str
    key: InstanceKey = None

    def __str__(self) -> str:
        return f"module.{self.name}{_key_text(self.key)}"


class _Address(str):
    """A string that sorts by its parts."""

    __hash__ = str.__hash__

    def sort_key(self) -> tuple[Any, ...]:
        """What it is sorted by."""
        raise NotImplementedError

    def __lt__(self, other: str) -> bool:
        if isinstance(other, type(self)):
            return self.sort_key() < other.sort_key()
        return str.__lt__(self, other)

    def __le__(self, other: str) -> bool:
        return self == other or self < other

    def __gt__(self, other: str) -> bool:
        return not self <= other

    def __ge__(self, other: str) -> bool:
        return not self < other

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        return str.__eq__(self, other) if isinstance(other, str) else NotImplemented

    def __ne__(self, other: object) -> bool:
        return not self == other


class ModuleAddress(_Address):
    """The address of a module instance: `module.net["a"].module.subnet`; empty for the root module.

        >>> ModuleAddress('module.net["a"]').name
        'net'

    Attributes:
        steps: the calls that lead there, from the root.

    Raises:
        DocumentError: If the text is not the address of a module.
    """

    steps: tuple[ModuleStep, ...]

    def __new__(cls, text: str = "") -> Self:
        if isinstance(text, cls):
            return text
        steps, rest = _parse_modules(text)
        if rest != len(text):
            raise _not_an_address(text, "a module")
        return cls.of(steps)

    @classmethod
    def of(cls, steps: Sequence[ModuleStep]) -> Self:
        """Make the address of its parts."""
        address = str.__new__(cls, ".".join(map(str, steps)))
        address.steps = tuple(steps)
        return address

    def __reduce__(self) -> tuple[type[Self], tuple[str]]:
        return type(self), (str(self),)

    @property
    def name(self) -> str:
        """The name of the last call; empty for the root module."""
        return self.steps[-1].name if self.steps else ""

    @property
    def key(self) -> InstanceKey:
        """The key of the instance of the last call."""
        return self.steps[-1].key if self.steps else None

    @property
    def parent(self) -> ModuleAddress:
        """The module that has the last call; of the root module, the root module itself."""
        return ModuleAddress.of(self.steps[:-1])

    @property
    def without_keys(self) -> ModuleAddress:
        """The address in the configuration, where instances do not exist yet."""
        return ModuleAddress.of([ModuleStep(step.name) for step in self.steps])

    def sort_key(self) -> tuple[Any, ...]:
        return len(self.steps), *((step.name, _key_order(step.key)) for step in self.steps)


class ResourceAddress(_Address):
    """The address of a resource, or of one of its instances.

        >>> address = ResourceAddress('module.net["a"].data.aws_ami.web[0]')
        >>> address.module, address.mode.value, address.type, address.name, address.key
        (ModuleAddress('module.net["a"]'), 'data', 'aws_ami', 'web', 0)

    Attributes:
        module: the module instance that holds it.
        mode: managed, data or ephemeral.
        type: the type name.
        name: the name in the configuration.
        key: the key of the instance; None without `count` and `for_each`.

    Raises:
        DocumentError: If the text is not the address of a resource.
    """

    module: ModuleAddress
    mode: ResourceMode
    type: str
    name: str
    key: InstanceKey

    def __new__(cls, text: str) -> Self:
        if isinstance(text, cls):
            return text
        steps, start = _parse_modules(text)
        match = _RESOURCE.match(text, start + bool(steps))
        if match is None or (steps and text[start : start + 1] != "."):
            raise _not_an_address(text, "a resource")
        key, end = _parse_key(text, match.end())
        if end != len(text):
            raise _not_an_address(text, "a resource")
        mode = ResourceMode(match["mode"] or "managed")
        return cls.of(match["type"], match["name"], key, mode, ModuleAddress.of(steps))

    @classmethod
    def of(
        cls,
        type: str,
        name: str,
        key: InstanceKey = None,
        mode: ResourceMode = ResourceMode.MANAGED,
        module: ModuleAddress | str = "",
    ) -> Self:
        """Make the address of its parts."""
        module = ModuleAddress(module)
        prefix = "" if mode is ResourceMode.MANAGED else f"{mode.value}."
        inside = f"{module}." if module else ""
        address = str.__new__(cls, f"{inside}{prefix}{type}.{name}{_key_text(key)}")
        address.module, address.mode = module, mode
        address.type, address.name, address.key = type, name, key
        return address

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return type(self), (str(self),)

    @property
    def resource(self) -> ResourceAddress:
        """The address of the resource, without the key of the instance."""
        return ResourceAddress.of(self.type, self.name, None, self.mode, self.module)

    @property
    def without_keys(self) -> ResourceAddress:
        """The address in the configuration, where instances do not exist yet."""
        return ResourceAddress.of(self.type, self.name, None, self.mode, self.module.without_keys)

    def sort_key(self) -> tuple[Any, ...]:
        mode = _MODE_ORDER[self.mode]
        return self.module.sort_key(), mode, self.type, self.name, _key_order(self.key)


def split_resource(text: str) -> tuple[ResourceAddress, str] | None:
    """The resource at the start of a reference, and the rest: `aws_vpc.main` and `.id`.

    Returns:
        None if the text starts with no resource.
    """
    match = _RESOURCE.match(text)
    if match is None:
        return None
    key, end = _parse_key(text, match.end())
    mode = ResourceMode(match["mode"] or "managed")
    return ResourceAddress.of(match["type"], match["name"], key, mode), text[end:]


def split_module(text: str) -> tuple[str, str]:
    """The name of the module at the start of a reference, and the rest: `net` and `.id`."""
    match = _MODULE.match(text)
    if match is None:
        return "", text
    _, end = _parse_key(text, match.end())
    return match[1], text[end:]


_MODE_ORDER: Final = {ResourceMode.EPHEMERAL: 0, ResourceMode.DATA: 1, ResourceMode.MANAGED: 2}
_NAME: Final = r"[^\W\d][\w-]*"
_MODULE: Final = re.compile(rf"module\.({_NAME})")
_RESOURCE: Final = re.compile(
    rf"(?:(?P<mode>data|ephemeral)\.|(?!(?:data|ephemeral|module)\.))"
    rf"(?P<type>{_NAME})\.(?P<name>{_NAME})"
)
_INDEX: Final = re.compile(r"\[(-?[0-9]{1,18})\]")
_TEXT_KEY: Final = re.compile(r'\["((?:[^"\\]|\\.)*)"\]', re.DOTALL)
_ESCAPE: Final = re.compile(
    r'\\(?:([nrt"\\])|u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8}))|([$%])\4(?=\{)|(\\)'
)
_LETTERS: Final = {"n": "\n", "r": "\r", "t": "\t", '"': '"', "\\": "\\"}
_LONGEST_SHOWN: Final = 80


def _parse_modules(text: str) -> tuple[list[ModuleStep], int]:
    """The calls at the start of an address, and where they end."""
    steps: list[ModuleStep] = []
    end = 0
    while match := _MODULE.match(text, end + 1 if steps else 0):
        if steps and text[end] != ".":
            break
        key, end = _parse_key(text, match.end())
        steps.append(ModuleStep(match[1], key))
    return steps, end


def _parse_key(text: str, start: int) -> tuple[InstanceKey, int]:
    if match := _INDEX.match(text, start):
        return int(match[1]), match.end()
    if match := _TEXT_KEY.match(text, start):
        return _unescape(match[1]), match.end()
    return None, start


def _unescape(text: str) -> str:
    if "\\" not in text and "{" not in text:
        return text

    def character(match: re.Match[str]) -> str:
        letter, short, long, introducer, _ = match.groups()
        if letter or introducer:
            return _LETTERS[letter] if letter else str(introducer)
        code = int(short or long or "110000", 16)
        if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF:
            raise _not_an_address(text, "a resource")
        return chr(code)

    return _ESCAPE.sub(character, text)


def _key_text(key: InstanceKey) -> str:
    if key is None:
        return ""
    if isinstance(key, str):
        return f'["{quoted(key)}"]'
    return f"[{key}]"


_QUOTED: Final = {character: f"\\{letter}" for letter, character in _LETTERS.items()}


def quoted(text: str) -> str:
    """The text as it stands between quotation marks in HCL."""
    # OpenTofu's `toHCLQuotedString` (internal/addrs/instance_key.go).
    if text.isalnum() and text.isascii():
        return text
    return re.sub(r"([$%])(?=\{)", r"\1\1", "".join(map(_quoted_character, text)))


def _quoted_character(character: str) -> str:
    if character in _QUOTED:
        return _QUOTED[character]
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _key_order(key: InstanceKey) -> tuple[int, int, str]:
    match key:
        case None:
            return 0, 0, ""
        case int():
            return 1, key, ""
        case str():
            return 2, 0, key


def _not_an_address(text: str, kind: str) -> DocumentError:
    shown = text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"
    return DocumentError(f"expected the address of {kind}, got {shown!r}")
