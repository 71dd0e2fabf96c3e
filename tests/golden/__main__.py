"""Write the golden files anew: `make golden`, then read the diff."""

import shutil

from tests.golden.nimbus_package import FOLDER, modules

shutil.rmtree(FOLDER, ignore_errors=True)
for path, text in modules().items():
    (FOLDER / path).parent.mkdir(parents=True, exist_ok=True)
    (FOLDER / path).write_text(text, encoding="utf-8", newline="\n")
