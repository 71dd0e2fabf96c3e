"""Resources of plugins: handlers of `tofutypes.provider` behind messages, and under a core."""

import os
import shutil
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.seasonings.plugins.nursery import Config, Tree, Water, Weather
from tofutypes import UNKNOWN, Model
from tofutypes.provider.service import requests
from tofutypes.provider.service.diagnostics import ProviderError
from tofutypes.provider.service.wire_value import NULL, WireValue
from tofutypes.seasonings import CallError, SeasoningsError, launch
from tofutypes.seasonings.bridges.launcher import provider_name, write_launcher
from tofutypes.seasonings.resources.remote import PluginService
from tofutypes_codegen.cli import main

ROOT = Path(__file__).parents[2]
NURSERY = [sys.executable, "-m", "tests.seasonings.plugins.nursery"]
TOOLKIT = [sys.executable, str(Path(__file__).parent / "plugins" / "toolkit.py")]


@pytest.fixture(scope="module")
def service() -> Generator[PluginService]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with launch(NURSERY, environment=environment) as client:
        yield PluginService(client)


def value(model: Model) -> WireValue:
    return WireValue.of(model)


OAK = Tree(kind="oak", height=1)


def test_schemas(service: PluginService) -> None:
    schema = service.get_provider_schema().schema
    assert schema is not None
    assert schema.resources["nursery_tree"].version == 1
    assert set(schema.data_sources) == {"nursery_weather"}
    assert set(schema.ephemeral_resources) == {"nursery_water"}
    assert schema.provider is not None
    assert set(schema.provider.block.attributes) == {"soil"}
    metadata = service.get_metadata()
    assert (metadata.resources, metadata.functions) == (("nursery_tree",), ())


def test_the_life_of_a_resource(service: PluginService) -> None:
    name = "nursery_tree"
    proposed = value(Tree(kind="oak"))
    planned = service.plan_resource_change(
        requests.PlanResourceChangeRequest(name, NULL, proposed, proposed)
    )
    assert planned.diagnostics == ()
    assert planned.planned_state.read(Tree) == Tree(kind="oak", height=UNKNOWN)
    applied = service.apply_resource_change(
        requests.ApplyResourceChangeRequest(
            name, NULL, planned.planned_state, proposed, planned.planned_private
        )
    )
    assert applied.new_state.read(Tree) == OAK
    read = service.read_resource(requests.ReadResourceRequest(name, value(OAK), applied.private))
    assert read.new_state.read(Tree) == OAK
    fir = value(Tree(kind="fir"))
    replaced = service.plan_resource_change(
        requests.PlanResourceChangeRequest(
            name, value(OAK), value(Tree(kind="fir", height=1)), fir, applied.private
        )
    )
    assert [str(path) for path in replaced.requires_replace] == ["kind"]
    deleted = service.apply_resource_change(
        requests.ApplyResourceChangeRequest(name, value(OAK), NULL, NULL, applied.private)
    )
    assert deleted.new_state.is_null


def test_errors_are_diagnostics(service: PluginService) -> None:
    plastic = value(Tree(kind="plastic", height=UNKNOWN))
    applied = service.apply_resource_change(
        requests.ApplyResourceChangeRequest("nursery_tree", NULL, plastic, plastic)
    )
    assert [str(each) for each in applied.diagnostics] == ["error: Plastic does not grow (kind)"]
    concrete = requests.ConfigureProviderRequest(value(Config(soil="concrete")))
    assert "Nothing grows on concrete" in str(service.configure_provider(concrete).diagnostics[0])
    sand = requests.ConfigureProviderRequest(value(Config(soil="sand")))
    assert service.configure_provider(sand).diagnostics == ()
    unknown = requests.ReadResourceRequest("nursery_rock", value(OAK))
    assert "nursery_rock" in str(service.read_resource(unknown).diagnostics[0])


def test_validation(service: PluginService) -> None:
    for validate, model, name in [
        (service.validate_provider_config, Config(), ""),
        (service.validate_resource_config, Tree(kind="oak"), "nursery_tree"),
        (service.validate_data_resource_config, Weather(place="x"), "nursery_weather"),
        (service.validate_ephemeral_resource_config, Water(litres=1), "nursery_water"),
    ]:
        request = requests.ValidateConfigRequest(value(model), name)
        assert validate(request).diagnostics == ()


def test_state_of_every_version(service: PluginService) -> None:
    name = "nursery_tree"
    json = requests.RawState(b'{"kind": "oak", "height": 1}')
    current = service.upgrade_resource_state(requests.UpgradeResourceStateRequest(name, 1, json))
    assert current.upgraded_state.read(Tree) == OAK
    old = service.upgrade_resource_state(requests.UpgradeResourceStateRequest(name, 0, json))
    assert "cannot be upgraded" in str(old.diagnostics[0])
    imported = service.import_resource_state(requests.ImportResourceStateRequest(name, "elm"))
    assert imported.imported_resources[0].state.read(Tree) == Tree(kind="elm", height=7)


def test_data_sources_and_ephemeral_resources(service: PluginService) -> None:
    weather = requests.ReadDataSourceRequest("nursery_weather", value(Weather(place="Hamburg")))
    read = service.read_data_source(weather)
    assert read.state.read(Weather) == Weather(place="Hamburg", sunny=False)
    water = requests.OpenEphemeralResourceRequest("nursery_water", value(Water(litres=2)))
    opened = service.open_ephemeral_resource(water)
    assert opened.result.read(Water) == Water(litres=2, drops=40000)
    held = requests.EphemeralResourceRequest("nursery_water", opened.private)
    assert service.renew_ephemeral_resource(held).renew_at is None
    assert service.close_ephemeral_resource(held).diagnostics == ()


def test_what_plugins_have_not(service: PluginService) -> None:
    with pytest.raises(ProviderError, match="cannot be moved"):
        service.move_resource_state(requests.MoveResourceStateRequest("nursery_tree"))
    with pytest.raises(ProviderError, match="no identity"):
        service.upgrade_resource_identity(requests.UpgradeResourceIdentityRequest("nursery_tree"))
    assert service.get_resource_identity_schemas().identity_schemas == {}


def test_functions() -> None:
    with launch(TOOLKIT) as client:
        service = PluginService(client)
        assert "repeat" in service.get_functions().functions
        text, number = WireValue(b"\xa2ab"), WireValue(b"\x02")
        call = requests.CallFunctionRequest("repeat", (text, number))
        assert service.call_function(call).result == WireValue(b"\xa4abab")
        call = requests.CallFunctionRequest("repeat", (text, WireValue(b"\xff")))
        error = service.call_function(call).error
        assert error == ("expected a number of at least 0", 1)
        error = service.call_function(requests.CallFunctionRequest("wrong")).error
        assert error is not None
        assert error.text.startswith("plugin toolkit: function wrong: wrong result: ")
        config = requests.ConfigureProviderRequest(NULL)
        assert service.configure_provider(config).diagnostics == ()


def test_params_that_do_not_fit() -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with launch(NURSERY, environment=environment) as client:
        for method, params, message in [
            ("validateConfig", {"mode": "odd"}, "mode: expected one of provider, managed, data"),
            ("planChange", {}, "type_name: expected a string"),
            ("upgradeState", {"type_name": "nursery_tree"}, "version: expected an integer"),
        ]:
            with pytest.raises(CallError, match=message):
                client.call(f"resources/{method}", params)


@pytest.mark.parametrize("address", ["cloud", "a/b", "registry.opentofu.org/acme/", "x/y/z\n"])
def test_addresses(address: str) -> None:
    with pytest.raises(SeasoningsError, match="expected the address of a provider"):
        provider_name(address)


def test_launchers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    address = "registry.opentofu.org/acme/cloud"
    config = tmp_path / "config.json"
    config.write_text("{}")
    options = ["--address", address, "--write-launcher", str(tmp_path / "bin")]
    assert main(["plugin", "provider", *options, "--config", str(config), "--", *TOOLKIT]) == 0
    launcher = Path(capsys.readouterr().out.strip())
    assert launcher == tmp_path / "bin" / "terraform-provider-cloud"
    assert os.access(launcher, os.X_OK)
    assert f"--config {config}" in launcher.read_text()


CONFIGURATION = """
terraform {
  required_providers {
    toolkit = {
      source = "acme/toolkit"
    }
  }
}
variable "seconds" {
  default = 60
}
resource "toolkit_note" "it" {
  path = "${path.module}/note.txt"
  text = provider::toolkit::presigned_url("key", var.seconds)
}
"""


@pytest.mark.parametrize("program", ["tofu", "terraform"])
def test_under_a_real_core(program: str, tmp_path: Path) -> None:
    built = ROOT / ".counterparts" / "bin" / program
    executable = str(built) if built.exists() else shutil.which(program)
    if executable is None:
        pytest.skip(f"no {program}: make counterparts")
    example = ROOT / "examples" / "seasonings" / "toolkit.py"
    address = "registry.opentofu.org/acme/toolkit"
    write_launcher(str(tmp_path / "bin"), address, [sys.executable, str(example)])
    (tmp_path / "rc").write_text(
        f'provider_installation {{\n  dev_overrides {{\n    "acme/toolkit" = "{tmp_path}/bin"\n'
        "  }\n}\n"
    )
    (tmp_path / "main.tf").write_text(CONFIGURATION)

    def run(*arguments: str) -> str:
        done = subprocess.run(
            [executable, *arguments, "-no-color"],
            cwd=tmp_path,
            env={
                **os.environ,
                "TF_CLI_CONFIG_FILE": str(tmp_path / "rc"),
                "CHECKPOINT_DISABLE": "1",
                "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "codegen")]),
            },
            capture_output=True,
            text=True,
            timeout=200,
            check=False,
        )
        return " ".join((done.stdout + done.stderr).split())

    assert "1 added" in run("apply", "-auto-approve")
    assert (
        (tmp_path / "note.txt").read_text().startswith("https://files.example.com/key?expires=60")
    )
    refused = run("plan", "-var=seconds=-1")
    assert 'Invalid value for "expires_in" parameter: expected a number of seconds above' in refused
    assert "1 destroyed" in run("destroy", "-auto-approve")
