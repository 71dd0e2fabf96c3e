"""Arithmetic without rounding: Python rounds to 28 digits, if nobody says otherwise."""

from collections.abc import Iterable
from decimal import Context, Decimal, localcontext
from typing import Final

from tofutypes import Number

EXACT: Final = Context(prec=150)
"""As many digits as OpenTofu and Terraform keep, which compute with 512 bits."""


def add(numbers: Iterable[Number]) -> Decimal:
    """The sum of the numbers."""
    with localcontext(EXACT):
        return sum(map(Decimal, numbers), Decimal(0))


def hundredth(number: Number) -> Decimal:
    """The number divided by 100."""
    return Decimal(number).scaleb(-2, EXACT)
