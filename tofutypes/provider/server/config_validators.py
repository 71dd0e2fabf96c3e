"""Ready-made checks over several attributes of a configuration.

    class Servers(ResourceHandler[Server]):
        validators = (exactly_one_of("image", "snapshot"), required_together("user", "password"))

A check waits where values are unknown: a later one sees them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tofutypes.errors import SchemaError
from tofutypes.provider.objchange.planning import find_part
from tofutypes.provider.objchange.schema_parts import Part, Parts
from tofutypes.provider.objchange.traversal import attributes_of, elements_of, items_of
from tofutypes.provider.server.context import ValidateContext
from tofutypes.schema import NestingMode
from tofutypes.unknown import Unknown


@dataclass(frozen=True, slots=True)
class ConfigValidator:
    """A check over several attributes.

    Attributes:
        names: The attributes by their names on the wire; `login.user` in a single block.
        check: Returns what is wrong, given those that are set and those that are unknown; None if
            nothing is.
    """

    names: tuple[str, ...]
    check: Callable[[Sequence[str], Sequence[str]], str | None]

    def ensure_names(self, parts: Parts, place: str) -> None:
        """Check that the attributes exist.

        Raises:
            SchemaError: If one does not.
        """
        for name in self.names:
            if find_part(parts, tuple(name.split("."))) is None:
                raise SchemaError(f"{place}: no attribute or nested block {name}")

    def validate(self, parts: Parts, config: object, context: ValidateContext) -> None:
        """Report an error if the configuration does not pass the check."""
        values = {name: _value(parts, config, name.split(".")) for name in self.names}
        given = [name for name, value in values.items() if value is not None]
        unknown = [name for name in given if isinstance(values[name], Unknown)]
        known = [name for name in given if name not in unknown]
        message = self.check(known, unknown)
        if message is not None:
            context.error("Invalid combination of attributes", message, known[0] if known else "")


def _value(parts: Parts, config: object, names: Sequence[str]) -> object:
    part = find_part(parts, (names[0],))
    value = attributes_of(config).get(names[0])
    if part is None or isinstance(value, Unknown):
        return value
    if len(names) > 1:
        return _value(part.inner, value, names[1:])
    return None if _no_blocks(part, value) else value


def _no_blocks(part: Part, value: object) -> bool:
    collections = (NestingMode.LIST, NestingMode.SET, NestingMode.MAP)
    blocks = part.attribute is None and part.nesting in collections
    return blocks and not elements_of(value) and not items_of(value)


def exactly_one_of(*names: str) -> ConfigValidator:
    """Demand that exactly one of these attributes is set."""

    def check(known: Sequence[str], unknown: Sequence[str]) -> str | None:
        if len(known) > 1:
            return f"Set exactly one of {_listed(names)}, not {_listed(known, 'and')}."
        return None if known or unknown else f"Set exactly one of {_listed(names)}."

    return ConfigValidator(names, check)


def at_least_one_of(*names: str) -> ConfigValidator:
    """Demand that at least one of these attributes is set."""

    def check(known: Sequence[str], unknown: Sequence[str]) -> str | None:
        return None if known or unknown else f"Set at least one of {_listed(names)}."

    return ConfigValidator(names, check)


def conflicting(*names: str) -> ConfigValidator:
    """Demand that no two of these attributes are set."""

    def check(known: Sequence[str], unknown: Sequence[str]) -> str | None:
        if len(known) < 2:
            return None
        return f"Set at most one of {_listed(names)}, not {_listed(known, 'and')}."

    return ConfigValidator(names, check)


def required_together(*names: str) -> ConfigValidator:
    """Demand that all of these attributes are set, or none."""

    def check(known: Sequence[str], unknown: Sequence[str]) -> str | None:
        missing = [name for name in names if name not in known and name not in unknown]
        if not known or not missing:
            return None
        return f"Set {_listed(missing, 'and')} too: {_listed(names, 'and')} belong together."

    return ConfigValidator(names, check)


def _listed(names: Sequence[str], word: str = "or") -> str:
    quoted = [f"`{name}`" for name in names]
    if len(quoted) == 1:
        return quoted[0]
    return f"{', '.join(quoted[:-1])} {word} {quoted[-1]}"
