"""The command line of OpenTofu and Terraform, and the providers that `init` has installed."""

import shlex
import sys
from pathlib import Path

import pytest

from tofutypes.seasonings.bridges.relay.installed import installed_providers
from tofutypes.seasonings.bridges.relay.wrapped_command import WrappedCommand
from tofutypes_codegen.cli import main


@pytest.mark.parametrize(
    ("words", "subcommand", "stage", "folder"),
    [
        ("tofu", "", "", "."),
        ("tofu plan", "plan", "planStageStart", "."),
        ("tofu -chdir=live apply -auto-approve", "apply", "applyStageStart", "live"),
        ("terraform destroy", "destroy", "applyStageStart", "."),
        ("terraform --chdir=a/b init", "init", "initStageStart", "a/b"),
        ("tofu state list", "state", "", "."),
        ("tofu plan -chdir=x", "plan", "planStageStart", "."),
    ],
)
def test_command_lines(words: str, subcommand: str, stage: str, folder: str) -> None:
    command = WrappedCommand(words.split())
    assert command.subcommand == subcommand
    assert (command.stage.start.value if command.stage else "") == stage
    assert command.folder == Path(folder)


@pytest.mark.parametrize(
    ("words", "file"),
    [
        ("tofu plan", None),
        ("tofu plan -out=p", Path("p")),
        ("tofu plan -out p", Path("p")),
        ("tofu -chdir=live plan --out=a/p", Path("live/a/p")),
    ],
)
def test_plan_files(words: str, file: Path | None) -> None:
    assert WrappedCommand(words.split()).plan_file == file


LOCK = """
provider "registry.opentofu.org/hashicorp/random" {
  version     = "3.0.0"
  constraints = "~> 3.0"
  hashes = [
    "h1:}",
  ]
}
"""


def test_installed_providers(tmp_path: Path) -> None:
    def install(data: str, path: str, mode: int = 0o755) -> None:
        file = tmp_path / data / "providers" / path
        file.parent.mkdir(parents=True)
        file.write_text("#!/bin/sh\n")
        file.chmod(mode)

    random = "registry.opentofu.org/hashicorp/random"
    install(".terraform", f"{random}/2.0.0/linux_amd64/terraform-provider-random_v2.0.0")
    install(".terraform", f"{random}/3.0.0/linux_amd64/terraform-provider-random_v3.0.0")
    install(".terraform", "example.com/a/one/1.0.0/linux_amd64/terraform-provider-one")
    install(".terraform", "example.com/a/two/1.0.0/linux_amd64/terraform-provider-two", 0o644)
    install("data", "example.com/a/three/1.0.0/linux_amd64/terraform-provider-three")
    (tmp_path / ".terraform.lock.hcl").write_text(LOCK)

    def found(**environment: str) -> list[tuple[str, str]]:
        return [
            (provider.address, provider.executable.name)
            for provider in installed_providers(tmp_path, environment)
        ]

    assert found() == [
        ("example.com/a/one", "terraform-provider-one"),
        (random, "terraform-provider-random_v3.0.0"),
    ]
    assert found(TF_DATA_DIR="data") == [("example.com/a/three", "terraform-provider-three")]
    assert list(installed_providers(tmp_path / "none", {})) == []


CONFIGURED = """
from typing import Annotated
from tofutypes import Attr, ProviderConfig
from tofutypes.seasonings import Plugin, Stage

class Config(ProviderConfig):
    word: Attr[str | None] = Attr(optional=True, default=None)

plugin = Plugin(NAME, config=Config)

@plugin.plan_stage_start
def start(stage: Stage) -> None:
    stage.warn(f"word: {plugin.config.word}")

plugin.run()
"""


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--plugin a", "--plugin b"], ["None", "None"]),
        (["--config one", "--plugin a", "--plugin b"], ["1", "1"]),
        (["--plugin a", "--config one", "--plugin b"], ["1", "None"]),
        (["--config one", "--plugin a", "--plugin b", "--config two"], ["1", "2"]),
        (["--plugin a", "--config one", "--plugin b", "--config two"], ["1", "2"]),
    ],
)
def test_each_plugin_has_its_configuration(
    options: list[str], words: list[str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for number, name in enumerate(("one", "two"), 1):
        (tmp_path / name).write_text(f'{{"word": "{number}"}}')
    arguments: list[str] = []
    for option, name in map(str.split, options):
        file = tmp_path / name
        if option == "--plugin":
            file = tmp_path / f"{name}.py"
            file.write_text(CONFIGURED.replace("NAME", repr(name)))
        start = [sys.executable] if option == "--plugin" else []
        arguments += [option, shlex.join([*start, str(file)])]
    assert main(["plugin", "run", *arguments, "--", "echo", "plan"]) == 0
    assert capfd.readouterr().err.splitlines() == [
        f"warning: word: {word} (plugin {name})" for name, word in zip("ab", words, strict=True)
    ]


def test_two_configurations_for_one_plugin(capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--plugin", "a", "--config", "x", "--config", "y"]
    assert main(["plugin", "run", *options, "--", "echo", "plan"]) == 2
    assert "--config: 'a' has a configuration already" in capsys.readouterr().err
