"""Addresses parse, print, compare and sort as in OpenTofu."""

from __future__ import annotations

import pickle
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tofutypes import DocumentError
from tofutypes.documents import ModuleAddress, ModuleStep, ResourceAddress, ResourceMode

# In the order of OpenTofu 1.12 (internal/addrs, `AbsResourceInstance.Less`).
IN_ORDER = [
    "ephemeral.z_z.z",
    "data.a_a.a",
    "data.b_b.a",
    "a_a.a",
    "a_a.a[2]",
    "a_a.a[10]",
    'a_a.a["1"]',
    "a_a.b",
    "b_b.a",
    "module.a.a_a.a",
    "module.a[2].a_a.a",
    "module.a[10].a_a.a",
    'module.a["x"].a_a.a',
    "module.b.data.a_a.a",
    "module.b.a_a.a",
    "module.a.module.b.a_a.a",
]

NOT_ADDRESSES = [
    "",
    "aws_instance",
    "aws_instance.",
    "aws_instance.web[",
    "aws_instance.web[x]",
    'aws_instance.web["x]',
    "aws_instance.web[0].id",
    "module.a",
    "module.a.",
    "module.aaws.x_y.z.",
    "data.aws_ami",
    "1x.y",
    "a.b\n",
    "module.a[0]x.y",
    r'a.b["\x"]',
    r'a.b["\ud800"]',
    "a.b[" + "9" * 30 + "]",
]

KEYS = st.none() | st.integers(0, 10**9) | st.text(max_size=12)
NAMES = st.from_regex(r"[a-z_][a-z0-9_-]{0,8}", fullmatch=True)
STEPS = st.lists(st.builds(ModuleStep, NAMES, KEYS), max_size=3)


def test_an_address_has_its_parts() -> None:
    address = ResourceAddress('module.net["a"].module.sub.data.aws_ami.web[0]')
    assert address.module == 'module.net["a"].module.sub'
    assert address.module.parent == 'module.net["a"]'
    assert (address.module.parent.name, address.module.parent.key) == ("net", "a")
    assert (address.mode, address.type, address.name, address.key) == (
        ResourceMode.DATA,
        "aws_ami",
        "web",
        0,
    )
    assert address.resource == 'module.net["a"].module.sub.data.aws_ami.web'
    assert address.without_keys == "module.net.module.sub.data.aws_ami.web"
    assert pickle.loads(pickle.dumps(address)).key == 0
    assert repr(ModuleAddress()) == "ModuleAddress('')"


@given(STEPS, st.sampled_from(ResourceMode), NAMES, NAMES, KEYS)
def test_what_is_printed_is_parsed_again(
    steps: list[ModuleStep], mode: ResourceMode, type_name: str, name: str, key: str | int | None
) -> None:
    module = ModuleAddress.of(steps)
    if mode is ResourceMode.MANAGED and type_name in ("data", "ephemeral", "module"):
        type_name += "_"
    address = ResourceAddress.of(type_name, name, key, mode, module)
    again = ResourceAddress(str(address))
    assert again == address
    assert again.module.steps == tuple(steps)
    assert (again.mode, again.type, again.name, again.key) == (mode, type_name, name, key)


@pytest.mark.parametrize(
    ("key", "shown"),
    [
        ('a"b', r"a\"b"),
        ("${x}%{y}$z", "$${x}%%{y}$z"),
        ("\n\t\r\\", r"\n\t\r\\"),
        ("é\u200b\U000e0001", "é\\u200b\\U000e0001"),
    ],
)
def test_keys_are_quoted_as_in_hcl(key: str, shown: str) -> None:
    address = ResourceAddress.of("a", "b", key)
    assert str(address) == f'a.b["{shown}"]'
    assert ResourceAddress(str(address)).key == key


def test_they_sort_as_in_opentofu() -> None:
    shuffled = [ResourceAddress(text) for text in IN_ORDER]
    random.Random(7).shuffle(shuffled)
    assert sorted(shuffled) == IN_ORDER
    assert max(shuffled) == IN_ORDER[-1]
    assert ResourceAddress("a.b[10]") > ResourceAddress("a.b[9]")
    assert ResourceAddress("a.b[9]") <= ResourceAddress("a.b[10]")


@pytest.mark.parametrize("text", NOT_ADDRESSES)
def test_other_text_is_refused(text: str) -> None:
    with pytest.raises(DocumentError, match="expected the address of a resource"):
        ResourceAddress(text)


def test_a_resource_is_no_module() -> None:
    with pytest.raises(DocumentError, match="expected the address of a module"):
        ModuleAddress("module.a.b.c")
