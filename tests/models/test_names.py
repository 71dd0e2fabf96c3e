"""Names: of fields, classes, modules, functions and parameters."""

from __future__ import annotations

import keyword
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

import tofutypes.models
from tofutypes import Model
from tofutypes.models.names import (
    RESERVED_IN_CLASSES,
    RESERVED_IN_MODULES,
    class_name,
    field_names,
    function_names,
    module_names,
    parameter_names,
)


@pytest.mark.parametrize("cls", [BaseModel, Model])
def test_what_every_class_has_is_reserved(cls: type) -> None:
    # What a metaclass has, a field without a default would take for one.
    public = {name for name in [*dir(cls), *dir(type(cls))] if not name.startswith("_")}
    assert public <= RESERVED_IN_CLASSES


def test_what_generated_modules_import_is_reserved() -> None:
    # Generated modules do not import these, or not where a field could hide them.
    not_imported = {
        "Model",
        "ProviderFunction",
        "ValidationError",
        "build_model",
        "deprecated",
        "schema_of",
    }
    assert set(tofutypes.models.__all__) - not_imported <= RESERVED_IN_MODULES


@pytest.mark.parametrize(
    ("names", "python_names"),
    [
        (["name", "größe", "type", "match"], ["name", "größe", "type", "match"]),
        (["from", "class", "None", "lambda"], ["from_", "class_", "None_", "lambda_"]),
        (["copy", "json", "schema"], ["copy_", "json_", "schema_"]),
        (["mro", "register", "Config"], ["mro_", "register_", "Config_"]),
        (["model_config", "to_msgpack"], ["model_config_", "to_msgpack_"]),
        (["list", "str", "Attr", "Unknown"], ["list_", "str_", "Attr_", "Unknown_"]),
        (["self", "cls"], ["self", "cls"]),
        (["x-request-id", "a b", "a.b"], ["x_request_id", "a_b", "a_b_"]),
        (["2fa", "_a", "__class__", "_", ""], ["field_2fa", "a_", "class___", "field_", "field"]),
        (["from", "from_"], ["from__", "from_"]),
        (["from_", "from__", "from"], ["from_", "from__", "from___"]),
        (["a-b", "a_b", "a b"], ["a_b__", "a_b", "a_b_"]),
        (["ﬁ", "fi"], ["fi_", "fi"]),
        (["日本", "👩"], ["日本", "field"]),
    ],
)
def test_fields(names: list[str], python_names: list[str]) -> None:
    assert field_names(names) == dict(zip(names, python_names, strict=True))


@pytest.mark.parametrize(
    ("name", "python_name"),
    [
        ("root_block_device", "RootBlockDevice"),
        ("aws_ec2", "AwsEc2"),
        ("fooBar", "FooBar"),
        ("none", "None_"),
        ("resource", "Resource_"),
        ("object", "Object_"),
        ("2d_points", "Class2dPoints"),
        ("", "Class"),
        ("_", "Class"),
        ("größe", "Größe"),
        ("unknown", "Unknown_"),
    ],
)
def test_classes(name: str, python_name: str) -> None:
    assert class_name(name) == python_name


def test_functions_and_parameters() -> None:
    assert function_names(["list", "def", "parse-id", "schema"]) == {
        "list": "list_",
        "def": "def_",
        "parse-id": "parse_id",
        "schema": "schema",
    }
    assert parameter_names(["a", "a", "class", "str", ""]) == [
        "a",
        "a_",
        "class_",
        "str",
        "parameter",
    ]


def test_modules_differ_in_any_case_of_letters() -> None:
    names = module_names(["Disk", "disk", "DISK", "import"])
    assert len({name.casefold() for name in names.values()}) == 4
    assert names["import"] == "import_"


any_names = st.lists(
    st.text(max_size=6) | st.sampled_from(["from", "from_", "_from", "copy", "a-b", "a_b"]),
    unique=True,
    max_size=8,
)


@given(any_names)
def test_python_names_are_identifiers_and_differ(names: list[str]) -> None:
    for given_names in (field_names(names), function_names(names), module_names(names)):
        chosen = list(given_names.values())
        assert len(set(chosen)) == len(names)
        assert all(each.isidentifier() and not keyword.iskeyword(each) for each in chosen)
    fields = field_names(names).values()
    assert not any(each.startswith("_") or each in RESERVED_IN_CLASSES for each in fields)
    parameters = parameter_names(names)
    assert len(set(parameters)) == len(names)


@given(any_names, st.randoms(use_true_random=False))
def test_python_names_do_not_depend_on_the_order(names: list[str], random: Random) -> None:
    shuffled = random.sample(names, len(names))
    assert field_names(shuffled) == field_names(names)


@given(st.text(max_size=8))
def test_class_names_are_identifiers(name: str) -> None:
    chosen = class_name(name)
    assert chosen.isidentifier()
    assert not keyword.iskeyword(chosen)
    assert chosen not in RESERVED_IN_MODULES


@pytest.mark.parametrize("name", ["con", "aux", "nul", "prn", "com1", "lpt9", "CON", "com0"])
def test_devices_of_windows_are_no_modules(name: str) -> None:
    assert module_names([name, "console", "com10"]) == {
        name: f"{name}_",
        "console": "console",
        "com10": "com10",
    }
