"""Configurations made of states, for objects that are imported."""

from __future__ import annotations

from collections.abc import Callable

from tofutypes.provider.objchange.attribute_rules import Rules
from tofutypes.provider.objchange.schema_parts import Names, Part, Parts
from tofutypes.provider.objchange.traversal import (
    Steps,
    attributes_of,
    empty_value,
    over_objects,
    same,
)


def generated_config(parts: Parts, rules: Rules, state: object) -> dict[str, object]:
    """Return the configuration of an object: its state without what a configuration leaves out.

    Left out are attributes that only the provider sets, attributes that have their default, and
    whatever is deprecated and not required. Source: `ExtractLegacyConfigFromState` of Terraform
    1.15.5, without what it does for providers of Go's old SDK.
    """
    return _object(parts, rules, (), state)


def _object(parts: Parts, rules: Rules, above: Names, state: object) -> dict[str, object]:
    values = attributes_of(state)
    return {
        part.name: _value(part, rules, (*above, part.name), values.get(part.name)) for part in parts
    }


def _value(part: Part, rules: Rules, names: Names, value: object) -> object:
    if value is None:
        return None
    deprecated = part.deprecation is not None and not part.required
    if deprecated or part.write_only or (part.computed and not part.optional):
        return empty_value(part)
    rule = rules.get(names)
    if rule is not None and rule.default is not None and same(value, rule.default):
        return None
    if part.nesting is None:
        return value
    return over_objects(part.nesting, value, _inside(part, rules, names))


def _inside(part: Part, rules: Rules, names: Names) -> Callable[[Steps, object], object]:
    return lambda _, inner: _object(part.inner, rules, names, inner)
