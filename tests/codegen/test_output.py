"""Whose the files of a folder are, what differs, and what is written."""

import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

import pytest

from tests.codegen.fake_renderer import FakeModule, module
from tests.codegen.folders import OURS, TREE, paths, put, tree
from tofutypes_codegen import staging
from tofutypes_codegen.errors import GeneratorError
from tofutypes_codegen.output import Changes, compare, write

# What is written


def test_a_new_folder(tmp_path: Path) -> None:
    changes = write(tmp_path / "new" / "infra", TREE)
    assert changes.missing == paths("__init__.py", "aws/__init__.py", "aws/disk.py", "py.typed")
    assert (changes.changed, changes.stale, changes.unchanged) == ([], [], 0)
    assert tree(tmp_path) == {
        "new/infra/__init__.py": OURS,
        "new/infra/aws/__init__.py": OURS,
        "new/infra/aws/disk.py": OURS + "a = 1\n",
        "new/infra/py.typed": "",
    }


def test_files_are_readable_as_others_are(tmp_path: Path) -> None:
    write(tmp_path / "infra", TREE)
    (tmp_path / "usual").mkdir()
    assert (tmp_path / "infra").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_an_empty_folder_that_is_there(tmp_path: Path) -> None:
    (tmp_path / "infra").mkdir()
    write(tmp_path / "infra", TREE)
    assert set(tree(tmp_path / "infra")) == {str(file.path) for file in TREE} | {"py.typed"}


def test_nothing_to_do(infra: Path) -> None:
    before = {path: path.stat().st_mtime_ns for path in (infra, *infra.rglob("*"))}
    changes = write(infra, TREE)
    assert not changes
    assert changes.unchanged == 3
    assert {path: path.stat().st_mtime_ns for path in (infra, *infra.rglob("*"))} == before


def test_changed_new_and_stale_files(infra: Path) -> None:
    kept = (infra / "__init__.py").stat()
    changes = write(
        infra, [module("__init__.py"), module("aws/disk.py", "b\n"), module("null/x.py")]
    )
    assert changes.missing == paths("null/x.py")
    assert changes.changed == paths("aws/disk.py")
    assert changes.stale == paths("aws/__init__.py")
    assert changes.unchanged == 1
    assert tree(infra.parent) == {
        "infra/__init__.py": OURS,
        "infra/aws/disk.py": OURS + "b\n",
        "infra/null/x.py": OURS,
        "infra/py.typed": "",
    }
    now = (infra / "__init__.py").stat()
    assert (now.st_mtime_ns, now.st_ino) == (kept.st_mtime_ns, kept.st_ino)


def test_stale_files_leave_no_empty_folders(infra: Path) -> None:
    put(infra, {"aws/__pycache__/disk.pyc": "", "mine/notes.txt": "", "aws2/keep.txt": ""})
    put(infra, {"aws2/stale.py": OURS})
    (infra / "empty").mkdir()
    write(infra, TREE[:1])
    assert not (infra / "aws").exists()
    assert (infra / "empty").is_dir()
    assert set(tree(infra)) == {"__init__.py", "py.typed", "mine/notes.txt", "aws2/keep.txt"}


def test_the_files_are_taken_one_by_one(tmp_path: Path) -> None:
    alive: list[int] = []

    class Counted(str):
        def __init__(self, _: str) -> None:
            alive.append(1)

        def __del__(self) -> None:
            alive.pop()

    def files() -> Iterator[FakeModule]:
        for number in range(50):
            yield FakeModule(PurePosixPath(f"m{number}.py"), Counted(OURS))
            assert len(alive) < 4

    write(tmp_path / "infra", files())
    assert len(tree(tmp_path / "infra")) == 51


def test_unix_line_ends_everywhere(tmp_path: Path, infra: Path) -> None:
    assert b"\r" not in (infra / "aws/disk.py").read_bytes()


def test_line_ends_that_git_turned_are_no_change(infra: Path) -> None:
    file = infra / "aws/disk.py"
    file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
    assert not compare(infra, TREE)


# What is not ours


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"__init__.py": "mine\n"}, "infra/__init__.py: tofutypes did not generate this"),
        ({"aws/disk.py": "mine\n"}, "infra/aws/disk.py: tofutypes did not generate this"),
        ({"aws/disk.py": ""}, "infra/aws/disk.py: tofutypes did not generate this"),
        ({"aws/disk.py": f"\n{OURS}"}, "infra/aws/disk.py: tofutypes did not generate this"),
        ({"py.typed": "partial\n"}, "infra/py.typed: tofutypes did not generate this"),
        ({"aws/disk.py/x": "mine"}, "infra/aws/disk.py: tofutypes did not generate this"),
    ],
)
def test_files_of_others_are_in_the_way(
    tmp_path: Path, files: dict[str, str], message: str
) -> None:
    infra = tmp_path / "infra"
    put(infra, {"root.py": OURS} | files)
    before = tree(tmp_path)
    with pytest.raises(GeneratorError) as refused:
        write(infra, TREE)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)
    assert tree(tmp_path) == before


def test_a_file_where_a_folder_has_to_be(tmp_path: Path) -> None:
    put(tmp_path / "infra", {"root.py": OURS, "aws": "mine"})
    with pytest.raises(GeneratorError, match="infra/aws: a file is in the way of a folder"):
        write(tmp_path / "infra", TREE)


def test_files_of_others_stay(infra: Path) -> None:
    others = {
        "README.md": "mine",
        "helpers.py": "mine",
        "aws/helpers.py": "",
        ".hidden/generated.py": OURS,
        "other_package/py.typed": "",
        "other_package/generated.py": OURS,
        "aws/data.json": OURS,
    }
    put(infra, others)
    write(infra, TREE[:1])
    assert tree(infra) == {"__init__.py": OURS, "py.typed": ""} | others


@pytest.mark.parametrize("files", [{"setup.py": "mine"}, {"a/b.py": OURS}, {"py.typed": "mine"}])
def test_a_folder_of_others_is_refused(tmp_path: Path, files: dict[str, str]) -> None:
    put(tmp_path / "src", files)
    with pytest.raises(
        GeneratorError, match=r"src: the folder has files that .* did not generate \("
    ):
        write(tmp_path / "src", TREE)
    assert tree(tmp_path / "src") == files


def test_a_way_through_folders_that_are_not_there(tmp_path: Path) -> None:
    put(tmp_path / "src", {"setup.py": "mine"})
    for act in (write, compare):
        with pytest.raises(GeneratorError, match=r"src: the folder has files that"):
            act(tmp_path / "nowhere" / ".." / "src", TREE)
    write(tmp_path / "nowhere" / ".." / "infra", TREE)
    assert (tmp_path / "infra" / "__init__.py").exists()


@pytest.mark.parametrize("name", [".gitkeep", "__pycache__/x.pyc", "py.typed"])
def test_a_folder_with_next_to_nothing_is_taken(tmp_path: Path, name: str) -> None:
    put(tmp_path / "infra", {name: ""})
    write(tmp_path / "infra", TREE)
    assert (tmp_path / "infra" / name).exists()


def test_the_output_is_a_file(tmp_path: Path) -> None:
    put(tmp_path, {"infra": "mine"})
    with pytest.raises(GeneratorError, match="infra: expected a folder, got a file"):
        write(tmp_path / "infra", TREE)
    with pytest.raises(GeneratorError, match=r"infra/below: .*Not a directory"):
        write(tmp_path / "infra" / "below", TREE)
    assert tree(tmp_path) == {"infra": "mine"}


def test_paths_that_lead_out_of_the_package(tmp_path: Path) -> None:
    for path in ("/etc/x.py", "../x.py", "aws/../../x.py"):
        with pytest.raises(GeneratorError, match="outside the package"):
            write(tmp_path / "infra", [module(path)])
    assert tree(tmp_path) == {}


# Symbolic links


def test_the_folder_may_be_a_link(infra: Path) -> None:
    (infra.parent / "elsewhere").mkdir()
    link = infra.parent / "elsewhere" / "linked"
    link.symlink_to(infra)
    write(link, [module("__init__.py", "new")])
    assert link.is_symlink()
    assert tree(infra) == {"__init__.py": OURS + "new", "py.typed": ""}
    assert list((infra.parent / "elsewhere").iterdir()) == [link]


def test_links_inside_are_not_followed(infra: Path) -> None:
    outside = infra.parent / "outside"
    put(outside, {"generated.py": OURS})
    (infra / "linked").symlink_to(outside)
    (infra / "stale.py").symlink_to(outside / "generated.py")
    write(infra, TREE)
    assert (infra / "stale.py").exists()
    for path in ("linked/new.py", "stale.py"):
        with pytest.raises(GeneratorError, match="a symbolic link is in the way"):
            write(infra, [*TREE, module(path)])
    assert tree(outside) == {"generated.py": OURS}


def test_a_link_to_nothing(tmp_path: Path) -> None:
    (tmp_path / "infra").symlink_to(tmp_path / "nowhere")
    with pytest.raises(GeneratorError, match="infra: the symbolic link is broken"):
        write(tmp_path / "infra", TREE)


# Names that differ in case alone


def test_the_same_path_twice(tmp_path: Path) -> None:
    with pytest.raises(GeneratorError, match=r"a\.py and a\.py would be the same file"):
        write(tmp_path / "infra", [module("a.py"), module("a.py")])
    assert tree(tmp_path) == {}


def test_names_that_differ_in_case(tmp_path: Path) -> None:
    (tmp_path / "probe").touch()
    twins = [module("a.py", "1"), module("A.py", "2")]
    if (tmp_path / "PROBE").exists():
        with pytest.raises(GeneratorError, match="has the same name in another case"):
            write(tmp_path / "infra", twins)
    else:
        write(tmp_path / "infra", twins)
        assert len(tree(tmp_path / "infra")) == 3
        assert not compare(tmp_path / "infra", twins)


def test_names_that_are_the_same_while_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    genuine = staging.Staging.keep

    def keep(self: staging.Staging, path: PurePosixPath, content: bytes) -> None:
        genuine(self, PurePosixPath(str(path).lower()), content)

    monkeypatch.setattr(staging.Staging, "keep", keep)
    with pytest.raises(GeneratorError, match="has the same name in another case"):
        write(tmp_path / "infra", [module("a.py"), module("A.py")])
    assert tree(tmp_path) == {}


def test_a_file_under_another_spelling_is_not_stale(infra: Path) -> None:
    # As on a file system that ignores case: both names are the same file.
    os.link(infra / "aws/disk.py", infra / "aws/Disk.py")
    assert compare(infra, TREE).stale == []
    with pytest.raises(GeneratorError, match=r"aws/disk\.py and aws/Disk\.py would be the same"):
        compare(infra, [*TREE, module("aws/Disk.py")])


# What is told


def test_where_files_differ(infra: Path) -> None:
    put(infra, {"aws/disk.py": OURS + "a = 2\nb\nc\nd\ne\n"})
    [sample] = compare(infra, TREE).samples
    assert (sample.path, sample.line) == (PurePosixPath("aws/disk.py"), 2)
    assert (sample.found, sample.wanted) == (("a = 2", "b", "c"), ("a = 1",))


def test_only_the_first_differences_are_kept(tmp_path: Path) -> None:
    names = [f"m{number}.py" for number in range(20)]
    write(tmp_path / "infra", map(module, names))
    changes = compare(tmp_path / "infra", [module(name, "new") for name in names])
    assert len(changes.changed) == 20
    assert len(changes.samples) == 3


def test_comparing_writes_nothing(tmp_path: Path) -> None:
    changes = compare(tmp_path / "infra", TREE)
    assert changes
    assert len(changes.missing) == 4
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("files", "example"),
    [
        ([], "__init__.py"),
        (["__init__.py", "a/_private.py"], "__init__.py"),
        (["a/provider.py", "a/data_sources/x.py"], "a/provider.py"),
        (["a/provider.py", "a/resources/x.py", "a/resources/y.py"], "a/resources/x.py"),
    ],
)
def test_an_example_to_import(tmp_path: Path, files: list[str], example: str) -> None:
    changes: Changes = compare(tmp_path / "infra", map(module, files))
    assert changes.example == PurePosixPath(example)
