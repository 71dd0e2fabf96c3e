"""What a project says about its documentation beside the templates: subcategories."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path

from tofutypes.errors import TofuTypesError
from tofutypes.narrowing import is_list


def read_subcategories(project: Path) -> Mapping[str, str]:
    """Read `templates/subcategories.toml`: type names by subcategory.

        Compute = ["nimbus_server", "nimbus_image"]

    Returns:
        The subcategory of each type name; nothing without the file.

    Raises:
        TofuTypesError: If the file is not TOML of this shape.
    """
    file = project / "templates" / "subcategories.toml"
    try:
        table: dict[str, object] = tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except tomllib.TOMLDecodeError as error:
        raise TofuTypesError(f"{file}: {error}") from None
    subcategories: dict[str, str] = {}
    for subcategory, names in table.items():
        if not is_list(names):
            raise TofuTypesError(f"{file}: {subcategory}: expected a list of type names")
        subcategories.update(dict.fromkeys(map(str, names), subcategory))
    return subcategories
