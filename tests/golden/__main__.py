"""Write the golden files anew: `make golden`, then read the diff.

`python -m tests.typing` writes those of the type checkers.
"""

import shutil

from tests.golden.nimbus_package import FOLDER, PAGES, modules, pages

shutil.rmtree(FOLDER, ignore_errors=True)
shutil.rmtree(PAGES, ignore_errors=True)
for folder, files in ((FOLDER, modules()), (PAGES, pages())):
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8", newline="\n")
