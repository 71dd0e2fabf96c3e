"""Errors that only the author of a provider can correct, as the user sees them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from tofutypes.provider.service.diagnostics import Diagnostic, ProviderError, Severity

if TYPE_CHECKING:
    from tofutypes.provider.objchange.faults import Fault

PROVIDER_AT_FAULT: Final = "The provider is at fault"


def provider_bug(detail: str) -> ProviderError:
    """Make the error for a mistake in the code of the provider."""
    return ProviderError(PROVIDER_AT_FAULT, detail)


def inconsistencies(summary: str, faults: Iterable[Fault]) -> ProviderError | None:
    """Make the error for values that Terraform Core would call inconsistent; None without any."""
    diagnostics = [
        Diagnostic(
            Severity.ERROR, summary, f"{fault}. This is a fault of the provider.", fault.path
        )
        for fault in faults
    ]
    return ProviderError.of(diagnostics) if diagnostics else None
