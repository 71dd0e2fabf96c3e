"""`deprecated` for generated classes: type checkers warn, the program does not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing_extensions import deprecated as deprecated  # noqa: PLC0414  # is exported
else:

    def deprecated(message: str) -> Any:
        """Mark a class as deprecated for type checkers and editors (PEP 702).

        Unlike `typing_extensions.deprecated`, the decorator does not warn at run time: decoding
        a value of a deprecated resource is no mistake of the program.
        """

        def mark(cls: type) -> type:
            cls.__deprecated__ = message
            return cls

        return mark
