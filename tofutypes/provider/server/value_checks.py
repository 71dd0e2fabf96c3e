"""Constraints that annotations put on values: pydantic's, `Literal`, enums, valid spellings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pydantic import ValidationError

from tofutypes.comparison import is_wholly_known
from tofutypes.errors import AttributeStep, IndexStep, KeyStep, Path
from tofutypes.narrowing import is_mapping, is_sequence
from tofutypes.provider.objchange.attribute_rules import Rules, ValueRules
from tofutypes.provider.objchange.faults import Fault, Faults
from tofutypes.provider.objchange.schema_parts import Names, Parts
from tofutypes.provider.objchange.traversal import (
    Steps,
    attributes_of,
    elements_of,
    is_given,
    objects_in,
)
from tofutypes.sets import is_tofu_set

_AUTHORS: Final = ("value_error", "assertion_error")
"""Errors of pydantic whose text the author of a validator wrote."""


def constraint_faults(parts: Parts, rules: Rules, config: object) -> Faults:
    """Check the known values of a configuration against the annotations of its model.

    Args:
        parts: The schema.
        rules: What the model says of its attributes.
        config: The configuration.
    """
    checked = {names: rule.values for names, rule in rules.items() if rule.values}
    if checked:
        yield from _object(parts, checked, config, (), ())


def _object(
    parts: Parts, rules: dict[Names, ValueRules], config: object, above: Names, at: Steps
) -> Faults:
    values = attributes_of(config)
    for part in parts:
        names, here = (*above, part.name), (*at, AttributeStep(part.name))
        value = values.get(part.name)
        if not is_given(value):
            continue
        if part.nesting is not None:
            for steps, element in objects_in(part.nesting, value).items():
                yield from _object(part.inner, rules, element, names, (*here, *steps))
        elif names in rules:
            for path, message in _value(rules[names], value, here, part.secret):
                yield Fault(Path(here if part.secret else path), message)


def _value(
    rules: ValueRules, value: object, at: Steps, secret: bool
) -> Iterator[tuple[Steps, str]]:
    if not is_given(value):
        return
    if rules.annotation is not None and is_wholly_known(value):
        for message in _messages(rules, value, secret):
            yield at, message
    if rules.equality is not None and isinstance(value, str):
        try:
            rules.equality.canonical(value)
        except ValueError:
            yield at, f"expected {rules.equality.expected}"
    for steps, element_rules, element in _inside(rules, value):
        yield from _value(element_rules, element, (*at, steps), secret)


def _inside(
    rules: ValueRules, value: object
) -> Iterator[tuple[AttributeStep | IndexStep | KeyStep, ValueRules, object]]:
    element = rules.element
    if element is not None and is_mapping(value):
        for key, each in value.items():
            yield KeyStep(str(key)), element, each
    elif element is not None and (is_sequence(value) or is_tofu_set(value)):
        for at, each in enumerate(elements_of(value)):
            yield IndexStep(at), element, each
    elif rules.attributes:
        values = attributes_of(value)
        for name, attribute in rules.attributes.items():
            yield AttributeStep(name), attribute, values.get(name)


def _messages(rules: ValueRules, value: object, secret: bool) -> Iterator[str]:
    try:
        rules.adapter.validate_python(value)
    except ValidationError as error:
        for each in error.errors(include_url=False, include_input=False, include_context=False):
            if secret and each["type"] in _AUTHORS:
                yield "the value is not valid"
            else:
                message = each["msg"].removeprefix("Value error, ")
                yield message[:1].lower() + message[1:]
