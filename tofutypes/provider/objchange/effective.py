"""Configurations with their defaults, and values in the spelling that is stored already.

A default works as if the user had written it, and so does the prior spelling of a value that means
the same. What a configuration becomes is therefore a configuration again, and all rules of Core
for proposals, sets included, hold for it.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass

from tofutypes.errors import AttributeStep, Path, UnknownValueError
from tofutypes.narrowing import has_attributes, is_mapping, is_sequence
from tofutypes.provider.objchange.attribute_rules import AttributeRules, Rules, ValueRules
from tofutypes.provider.objchange.schema_parts import Names, Part, Parts
from tofutypes.provider.objchange.traversal import (
    Steps,
    attributes_of,
    elements_of,
    is_given,
    key_of,
    objects_in,
    over_objects,
)
from tofutypes.provider.service.diagnostics import ProviderError
from tofutypes.schema import NestingMode
from tofutypes.sets import TofuSet, is_tofu_set
from tofutypes.unknown import UNKNOWN


def effective_config(parts: Parts, rules: Rules, prior: object, config: object) -> object:
    """Return a configuration with its defaults, and in the spelling of the prior state.

    Args:
        parts: The schema of both.
        rules: What the model says of its attributes.
        prior: The prior state; None for a new object.
        config: The configuration, itself returned if there is nothing to change.

    Raises:
        ProviderError: If elements of a set are equal once their defaults are set.
    """
    wanted = {names: rule for names, rule in rules.items() if _matters(rule)}
    if not wanted:
        return config
    return _Walk(wanted, fill=True, whole=True).walk(parts, prior, config, ())


def respelled(
    parts: Parts, rules: Rules, reference: object, value: object, *, whole: bool = False
) -> object:
    """Return an object with the spelling of another one where both mean the same.

    Args:
        parts: The schema of both.
        rules: What the model says of its attributes.
        reference: The object whose spelling Core knows: a planned or a stored state.
        value: What the provider returned, itself returned if there is nothing to change.
        whole: Whether an attribute keeps a spelling as a whole or not at all, as in plans.
    """
    wanted = {names: rule for names, rule in rules.items() if rule.values.has_equality}
    if not wanted or not is_given(reference) or not is_given(value):
        return value
    return _Walk(wanted, fill=False, whole=whole).walk(parts, reference, value, ())


def _matters(rule: AttributeRules) -> bool:
    return rule.has_default or rule.values.has_equality


@dataclass(frozen=True)
class _Walk:
    """A walk over a value and its reference.

    Attributes:
        rules: The rules of the attributes that may change.
        fill: Whether the value is a configuration, in which defaults are filled in.
        whole: Whether an attribute keeps a spelling as a whole or not at all. Core demands it of
            plans: a value is that of the configuration or that of the prior state.
    """

    rules: Rules
    fill: bool
    whole: bool

    def walk(self, parts: Parts, reference: object, value: object, above: Names) -> object:
        if not is_given(value) or (self.fill and _is_absent_group(parts, value)):
            return value
        values, before = dict(attributes_of(value)), attributes_of(reference)
        for part in parts:
            names = (*above, part.name)
            if not self._leads_to_rules(names):
                continue
            held, rule = values.get(part.name), self.rules.get(names)
            if held is None and self.fill and rule is not None and rule.has_default:
                values[part.name] = _default(rule, value)
            elif part.nesting is not None:
                values[part.name] = self._nested(part, before.get(part.name), held, names)
            elif rule is not None and is_given(held):
                values[part.name] = self._spell(rule.values, before.get(part.name), held)
        return values

    def _leads_to_rules(self, names: Names) -> bool:
        return any(path[: len(names)] == names for path in self.rules)

    def _nested(self, part: Part, reference: object, value: object, names: Names) -> object:
        assert part.nesting is not None
        if part.nesting is NestingMode.SET and is_given(value):
            elements = elements_of(value)
            references = self._counterparts(part.inner, elements_of(reference), elements, names)
            changed = TofuSet(
                self.walk(part.inner, other, element, names)
                for element, other in zip(elements, references, strict=True)
            )
            if part.attribute is not None and self.fill and len(changed) < len(elements):
                # Core counts the elements of nested attributes, though not those of blocks.
                raise ProviderError(
                    "Duplicate elements",
                    "Two elements of the set are equal once their defaults are set.",
                    Path(tuple(map(AttributeStep, names))),
                )
            return changed
        before = objects_in(part.nesting, reference)

        def change(steps: Steps, element: object) -> object:
            return self.walk(part.inner, before.get(steps), element, names)

        return over_objects(part.nesting, value, change)

    def _spell(self, rules: ValueRules, reference: object, value: object) -> object:
        if not rules.has_equality or not is_given(reference):
            return value
        if canonical_key(rules, value) == canonical_key(rules, reference):
            return reference
        return value if self.whole else _spelled_inside(rules, reference, value)

    def _counterparts(
        self, parts: Parts, prior: list[object], elements: list[object], names: Names
    ) -> list[object]:
        """For each element of a set, the prior element that means the same; else None."""
        # Elements differ in computed attributes that the configuration leaves out.
        plain = [part.name for part in parts if part.nesting is None and not part.computed]
        computed = [part.name for part in parts if part.nesting is None and part.computed]
        unused: dict[Hashable, list[object]] = {}
        for element in prior:
            unused.setdefault(self._key(element, plain, names), []).append(element)
        counterparts: list[object] = []
        for element in elements:
            left = unused.get(self._key(element, plain, names), [])
            fitting = (
                at for at, each in enumerate(left) if self._fits(element, each, computed, names)
            )
            at = next(fitting, None)
            counterparts.append(None if at is None else left.pop(at))
        return counterparts

    def _key(self, element: object, attributes: Collection[str], names: Names) -> Hashable:
        values = attributes_of(element)
        return tuple(
            canonical_key(self._values((*names, name)), values.get(name)) for name in attributes
        )

    def _fits(
        self, element: object, prior: object, attributes: Collection[str], names: Names
    ) -> bool:
        configured = [name for name in attributes if attributes_of(element).get(name) is not None]
        return self._key(element, configured, names) == self._key(prior, configured, names)

    def _values(self, names: Names) -> ValueRules:
        rule = self.rules.get(names)
        return _NO_RULES if rule is None else rule.values


_NO_RULES = ValueRules()


def _default(rule: AttributeRules, holder: object) -> object:
    if rule.behavior.default_factory is None:
        return rule.default
    try:
        return rule.behavior.default_factory(holder)
    except UnknownValueError:  # the function needs a value that is decided during apply
        return UNKNOWN


def _is_absent_group(parts: Parts, value: object) -> bool:
    values = attributes_of(value)
    return any(
        part.attribute is not None
        and part.attribute.required
        and values.get(part.name) is None
        and not part.write_only
        for part in parts
    )


def canonical_key(rules: ValueRules, value: object) -> Hashable:
    """Return the same key for values that mean the same."""
    if not rules.has_equality or not is_given(value):
        return key_of(value)
    if rules.equality is not None and isinstance(value, str):
        try:
            return "means", rules.equality.canonical(value)
        except ValueError:
            return key_of(value)
    element = rules.element
    if element is not None and is_tofu_set(value):
        return frozenset(canonical_key(element, inner) for inner in value)
    if element is not None and is_sequence(value):
        return tuple(canonical_key(element, inner) for inner in value)
    if element is not None and is_mapping(value):
        return frozenset((key, canonical_key(element, inner)) for key, inner in value.items())
    return frozenset(
        (name, canonical_key(rules.attributes.get(name, _NO_RULES), inner))
        for name, inner in attributes_of(value).items()
    )


def _spelled_inside(rules: ValueRules, reference: object, value: object) -> object:
    """The value with the spelling of the reference in those elements that mean the same."""
    if rules.equality is not None:
        return reference if rules.equality.same(reference, value) else value
    element = rules.element
    if element is not None and is_tofu_set(value):
        spellings = {canonical_key(element, other): other for other in elements_of(reference)}
        return TofuSet(spellings.get(canonical_key(element, inner), inner) for inner in value)
    if element is not None and is_sequence(value):
        others = elements_of(reference)
        return [
            _spelled_inside(element, others[at], inner) if at < len(others) else inner
            for at, inner in enumerate(value)
        ]
    others_by_name = attributes_of(reference)
    if element is not None and is_mapping(value):
        by_name: Mapping[str, ValueRules] = dict.fromkeys(map(str, value), element)
    elif has_attributes(value):
        by_name = rules.attributes
    else:
        return value
    return {
        name: _spelled_inside(by_name.get(name, _NO_RULES), others_by_name.get(name), inner)
        for name, inner in attributes_of(value).items()
    }
