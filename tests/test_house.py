"""The plan of the house: imports run downwards only, and never in a circle."""

import ast
import graphlib
from itertools import pairwise
from pathlib import Path

import grimp
import pytest

ROOT = Path(__file__).parents[1]
SOURCES = {"tofutypes": ROOT, "tofutypes_codegen": ROOT / "codegen"}

# From the ground up. The rooms of one floor may import each other.
FLOORS = (
    ["tofutypes.errors", "tofutypes.limits"],
    [
        "tofutypes.document_bytes",
        "tofutypes.lazy_names",
        "tofutypes.locks",
        "tofutypes.narrowing",
        "tofutypes.nesting",
        "tofutypes.numbers",
        "tofutypes.path_text",
        "tofutypes.text",
        "tofutypes.lazy_names",
    ],
    [
        "tofutypes.types",
        "tofutypes.type_parsing",
        "tofutypes.refinements",
        "tofutypes.unknown",
    ],
    ["tofutypes.comparison", "tofutypes.sets", "tofutypes.dynamic"],
    ["tofutypes.schema"],
    ["tofutypes.wire"],
    ["tofutypes.models"],
    ["tofutypes"],  # the public face: its `__init__` alone
    ["tofutypes.documents"],
    ["tofutypes.runner"],
    ["tofutypes.provider"],
    ["tofutypes.seasonings", "tofutypes.testing"],
    ["tofutypes_codegen"],
    ["tofutypes.__main__"],  # `python -m tofutypes` is the command line
)
# Inside the room `tofutypes.provider`.
PROVIDER_FLOORS = (
    ["proto", "service"],
    ["messages"],
    ["objchange"],
    ["transport"],
    ["server"],
    ["client"],
    ["mux"],
)
FLOOR_OF = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}

# Imports inside functions and under `TYPE_CHECKING` count like all others.
GRAPH = grimp.build_graph(*SOURCES, cache_dir=None)
MODULES = sorted(GRAPH.modules)
IMPORTED_BY = {
    module: sorted(GRAPH.find_modules_directly_imported_by(module)) for module in MODULES
}
IMPORTS = [(importer, imported) for importer in MODULES for imported in IMPORTED_BY[importer]]


def room_of(module: str) -> str:
    """The room of a module: `tofutypes.wire` is that of `tofutypes.wire.msgpack`."""
    package, *inside = module.split(".")
    return ".".join([package, *inside[:1]]) if package == "tofutypes" else package


def file_of(module: str) -> Path:
    package, *inside = module.split(".")
    path = SOURCES[package].joinpath(package, *inside)
    return (path / "__init__.py" if path.is_dir() else path.with_suffix(".py")).relative_to(ROOT)


def line_of(importer: str, imported: str) -> str:
    details = GRAPH.get_import_details(importer=importer, imported=imported)
    return f"{file_of(importer)}:{details[0]['line_number']}: {importer} imports {imported}"


def report(faults: list[str]) -> None:
    if faults:
        pytest.fail("\n".join(faults), pytrace=False)


def test_every_module_has_a_room() -> None:
    report(
        [f"{file_of(m)}: give it a place in FLOORS" for m in MODULES if room_of(m) not in FLOOR_OF]
    )


def test_imports_run_downwards() -> None:
    report(
        [
            f"{line_of(importer, imported)}, a room above it"
            for importer, imported in IMPORTS
            if FLOOR_OF.get(room_of(importer), 0) < FLOOR_OF.get(room_of(imported), 0)
        ]
    )


def test_imports_run_downwards_inside_the_provider() -> None:
    floor_of = {room: floor for floor, rooms in enumerate(PROVIDER_FLOORS) for room in rooms}

    def floor(module: str) -> int | None:
        _, inside, name = module.partition("tofutypes.provider.")
        return floor_of[name.split(".")[0]] if inside else None

    report(
        [
            f"{line_of(importer, imported)}, a room above it"
            for importer, imported in IMPORTS
            if (upper := floor(importer)) is not None
            and (lower := floor(imported)) is not None
            and upper < lower
        ]
    )


def test_imports_run_in_no_circle() -> None:
    try:
        graphlib.TopologicalSorter(IMPORTED_BY).prepare()
    except graphlib.CycleError as error:
        circle: list[str] = error.args[1]
        report([line_of(importer, imported) for imported, importer in pairwise(circle)])


def test_private_modules_stay_at_home() -> None:
    def private(module: str, importer: str) -> bool:
        home, found, _ = module.partition("._")
        return bool(found) and not f"{importer}.".startswith(f"{home}.")

    report(
        [
            f"{line_of(importer, imported)}, which is private"
            for importer, imported in IMPORTS
            if private(imported, importer)
        ]
    )


def test_init_files_only_hand_on_names() -> None:
    def hands_on(statement: ast.stmt) -> bool:
        match statement:
            case ast.Import() | ast.ImportFrom() | ast.Expr(ast.Constant()):
                return True
            case ast.Assign(targets=[ast.Name(name)]) | ast.AnnAssign(target=ast.Name(name)):
                return name.startswith("__")
            case ast.If(body=[ast.Raise()], orelse=[]):  # what it needs is not installed
                return True
            case ast.If(test=ast.Name("TYPE_CHECKING"), orelse=[]):  # imported on first use
                return all(map(hands_on, statement.body))
            case ast.If(
                test=ast.UnaryOp(op=ast.Not(), operand=ast.Name("TYPE_CHECKING")),
                body=[ast.Assign(value=ast.Call(func=ast.Name("import_on_use")))],
                orelse=[],
            ):
                return True
            case _:
                return False

    report(
        [
            f"{file.relative_to(ROOT)}:{statement.lineno}: more than a name handed on"
            for package, source in SOURCES.items()
            for file in sorted((source / package).rglob("__init__.py"))
            for statement in ast.parse(file.read_text()).body
            if not hands_on(statement)
        ]
    )
