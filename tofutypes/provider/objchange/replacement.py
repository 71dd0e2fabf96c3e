"""Which changes make it necessary to replace an object.

Source: the protocol, `PlanResourceChange`: providers name attributes that cannot be
changed in place, whether they changed or not.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from tofutypes.comparison import is_wholly_known
from tofutypes.errors import AttributeStep, IndexStep, KeyStep, Path
from tofutypes.provider.objchange.planning import part_at
from tofutypes.provider.objchange.schema_parts import Parts
from tofutypes.provider.objchange.traversal import attributes_of, elements_of, items_of, same

_NOT_THERE: Final = object()


def necessary(
    paths: Iterable[Path], parts: Parts, prior: object, planned: object
) -> tuple[Path, ...]:
    """Those of the paths that count.

    A path counts if the value there changes or may change, or if it is stored nowhere, so that
    nobody but the provider knows. No path counts for a new object.
    """
    if prior is None or planned is None:
        return ()
    return tuple(path for path in paths if _counts(path, parts, prior, planned))


def _counts(path: Path, parts: Parts, prior: object, planned: object) -> bool:
    part = part_at(parts, path)
    if part is not None and part.write_only:
        return True
    before, after = _find(prior, path), _find(planned, path)
    if before is _NOT_THERE or after is _NOT_THERE:
        return before is not after
    return not is_wholly_known(after) or not same(before, after)


def value_at(value: object, path: Path) -> object:
    """Return the value at a path; None if the path leads nowhere."""
    inner = _find(value, path)
    return None if inner is _NOT_THERE else inner


def _find(value: object, path: Path) -> object:
    for step in path.steps:
        match step:
            case AttributeStep(name):
                value = attributes_of(value).get(name, _NOT_THERE)
            case KeyStep(key):
                value = items_of(value).get(key, _NOT_THERE)
            case IndexStep(position):
                elements = elements_of(value)
                value = elements[position] if 0 <= position < len(elements) else _NOT_THERE
    return value
