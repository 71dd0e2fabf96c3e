"""Which part of a provider has what."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from tofutypes.errors import did_you_mean
from tofutypes.provider.mux.kinds import KINDS
from tofutypes.provider.mux.parts import Part
from tofutypes.provider.service.diagnostics import Diagnostic, ProviderError, Severity
from tofutypes.provider.service.unsupported import no_such_type

MISMATCH: Final = "The parts of the provider do not fit together"

_TO_MOVE: Final = (
    "If one of them takes the place of the other, name it in `without` of the executable: "
)


class Routes:
    """The parts by what they have. Source: terraform-plugin-mux, `tf6muxserver`.

    Args:
        parts: The parts.

    Raises:
        ProviderError: If two parts have the same, or `without` names what a part does not have.
            One error reports all of them.
    """

    def __init__(self, parts: Sequence[Part]) -> None:
        faults = [fault for part in parts for fault in _unknown_names(part)]
        moved: list[str] = []
        self._parts: dict[str, dict[str, Part]] = {}
        for kind in KINDS:
            owners = _owners(parts, kind)
            for name, owning in owners.items():
                if len(owning) > 1:
                    faults.append(_clash(kind, name, owning))
                    if any(part.is_executable for part in owning):
                        moved.append(f'"{KINDS[kind].prefix}{name}"')
            self._parts[kind] = {name: owning[0] for name, owning in owners.items()}
        if moved:
            faults.append(f"{_TO_MOVE}without=[{', '.join(moved)}]")
        if faults:
            raise ProviderError(MISMATCH, "\n".join(faults))
        self.diagnostics: tuple[Diagnostic, ...] = tuple(
            dict.fromkeys(each for part in parts for each in part.metadata.diagnostics)
        )

    def names(self, kind: str) -> Mapping[str, Part]:
        """Return everything of a kind by name, with the part that has it."""
        return self._parts[kind]

    def part_with(self, kind: str, name: str) -> Part:
        """Return the part that has something.

        Raises:
            ProviderError: If no part has it, or the parts reported errors with their names.
        """
        part = self._parts[kind].get(name)
        if part is None:
            if any(each.severity is Severity.ERROR for each in self.diagnostics):
                raise ProviderError.of(self.diagnostics)
            no_such_type(name)
        return part


def _owners(parts: Sequence[Part], kind: str) -> dict[str, list[Part]]:
    owners: dict[str, list[Part]] = {}
    for part in parts:
        for name in dict.fromkeys(getattr(part.metadata, kind)):
            if f"{KINDS[kind].prefix}{name}" not in part.without:
                owners.setdefault(name, []).append(part)
    return owners


def _clash(kind: str, name: str, owning: Sequence[Part]) -> str:
    number = "two" if len(owning) == 2 else str(len(owning))
    names = " and ".join(part.name for part in owning)
    return f"{name}: {number} parts have this {KINDS[kind].noun}: {names}"


def _unknown_names(part: Part) -> Iterator[str]:
    if not part.without:
        return
    known = {
        f"{prefix}{name}"
        for kind, (_, prefix) in KINDS.items()
        for name in getattr(part.metadata, kind)
    }
    for name in sorted(part.without - known):
        yield f"without: {part.name} has no {name}{did_you_mean(name, known)}"
