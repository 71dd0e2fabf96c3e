"""Plans made of models read as the models that they were made of."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.documents.shown import change_of, plain
from tests.golden.nimbus.nimbus.data_sources.nimbus_image import NimbusImage
from tests.golden.nimbus.nimbus.registry import RESOURCES
from tests.golden.nimbus.nimbus.resources.nimbus_bucket import NimbusBucket
from tests.golden.nimbus.nimbus.resources.nimbus_server import Disk
from tests.models.random_values import RandomValues
from tofutypes import UNKNOWN, DocumentError, schema_of
from tofutypes.documents import PlannedChange, ResourceMode, planned, read_plan

BUCKET = NimbusBucket(name="logs")


def test_models_are_created() -> None:
    plan = planned(BUCKET, BUCKET, NimbusBucket(name=UNKNOWN))
    changes = plan.changes_of(NimbusBucket)
    addresses = ["nimbus_bucket.example", "nimbus_bucket.example1", "nimbus_bucket.example2"]
    assert [change.address for change in changes] == addresses
    assert all(change.is_create for change in changes)
    assert changes[0].after == BUCKET
    assert changes[2].is_unknown("name")


def test_changes_say_more() -> None:
    other = NimbusBucket(name="other")
    address = 'module.a["x"].nimbus_bucket.b[0]'
    plan = planned(
        PlannedChange(before=BUCKET, after=other, address=address, sensitive=["name"]),
        PlannedChange(before=BUCKET, after=other, replace_paths=["name"]),
        PlannedChange(before=BUCKET),
        PlannedChange(before=BUCKET, after=BUCKET),
        PlannedChange(after=BUCKET, actions=["forget"]),
    )
    update, replace, delete, no_op, forget = plan.changes_of(NimbusBucket)
    assert update.address == address
    assert (update.address.module, update.address.key) == ('module.a["x"]', 0)
    assert update.is_sensitive("name")
    assert "other" not in repr(update.after)
    assert update.is_update
    assert replace.is_replace
    assert list(map(str, replace.replace_paths)) == ["name"]
    assert (delete.is_delete, delete.after) == (True, None)
    assert no_op.is_no_op
    assert forget.is_forget


def test_data_sources_have_their_own_mode() -> None:
    plan = planned(PlannedChange(after=NimbusImage(name="x"), actions=["read"]))
    [change] = plan.resource_changes
    assert change.address == "data.nimbus_image.example"
    assert change.mode is ResourceMode.DATA
    assert isinstance(change.after, NimbusImage)


@pytest.mark.parametrize("type_name", sorted(RESOURCES))
@given(random=st.randoms(use_true_random=False))
def test_the_document_is_that_of_the_product(type_name: str, random: Random) -> None:
    model = RESOURCES[type_name]
    instance = model.model_validate(RandomValues(random).of_schema(schema_of(model)))
    document = planned(instance).to_json()
    [change] = read_plan(document).resource_changes
    expected = change_of(None, plain(instance), "create")
    for member in ("before", "after", "after_unknown", "actions"):
        assert change.json["change"][member] == expected[member]


def test_what_cannot_be_planned() -> None:
    with pytest.raises(DocumentError, match="needs before or after"):
        planned(PlannedChange())
    with pytest.raises(DocumentError, match="expected the address of a nimbus_bucket"):
        planned(PlannedChange(after=BUCKET, address="aws_instance.x"))
    with pytest.raises(DocumentError, match="expected the model of a resource"):
        planned(Disk(name="x", size_gb=1))
