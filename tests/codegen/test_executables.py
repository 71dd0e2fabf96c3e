"""Programs of providers as sources."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.provider.client.scripts import ROOT, WHOLE, write_script
from tofutypes import StringKind
from tofutypes.schema.definitions import Function, Parameter, ProviderSchema
from tofutypes.types import STRING
from tofutypes_codegen import cli
from tofutypes_codegen.errors import GeneratorError
from tofutypes_codegen.executables import address_of, ask_program, is_program
from tofutypes_codegen.schema_document import document_text
from tofutypes_codegen.sources import load_schemas

PROVIDER = "terraform-provider-fake"
FAKE = "registry.terraform.io/hashicorp/fake"
OTHER = "example.com/acme/fake"


@pytest.fixture(scope="module")
def provider(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("mirror") / OTHER / "1.2.3" / "linux_amd64"
    return write_script(folder / f"{PROVIDER}_v1.2.3", WHOLE)


def test_schemas_of_a_program(provider: Path) -> None:
    ((address, schema),) = load_schemas(str(provider)).items()
    assert address == "registry.opentofu.org/example/fake"
    assert schema.resources["fake_thing"].version == 2


def test_schemas_of_a_program_that_tells_no_address(tmp_path: Path) -> None:
    silent = WHOLE.replace("registry.opentofu.org/example/fake", "fake")
    folder = tmp_path / OTHER / "1.2.3" / "linux_amd64"
    assert list(load_schemas(str(write_script(folder / PROVIDER, silent)))) == [OTHER]
    assert list(load_schemas(str(write_script(tmp_path / PROVIDER, silent)))) == [FAKE]


def test_schema(provider: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["schema", str(provider), "--address", "example.com/other/fake"]) == 0
    printed = capsys.readouterr().out
    assert printed.endswith("\n")
    document = json.loads(printed)
    assert document["format_version"] == "1.0"
    assert list(document["provider_schemas"]) == ["example.com/other/fake"]
    (schema,) = document["provider_schemas"].values()
    assert schema["functions"] == {
        "twice": {"return_type": "string", "parameters": [{"name": "of", "type": "string"}]}
    }


def test_schemas_are_read_as_they_are_printed(
    provider: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cli.main(["schema", str(provider)])
    document = tmp_path / "schema.json"
    document.write_text(capsys.readouterr().out)
    assert load_schemas(str(document)) == load_schemas(str(provider))
    assert cli.main(["schema", str(document), "--provider", "fake"]) == 0
    assert capsys.readouterr().out == document.read_text()


def test_generate(provider: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    generate = ["generate", str(provider), "--output", str(tmp_path / "infra")]
    assert cli.main(generate) == 0
    assert "from infra.fake.resources import fake_thing" in capsys.readouterr().out
    assert cli.main([*generate, "--check"]) == 0


def test_a_choice_of_providers(here: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["schema", "schema.json", "--provider", "aws"]) == 2
    assert "unknown provider" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("place", "address"),
    [
        ("terraform-provider-null", "registry.terraform.io/hashicorp/null"),
        ("terraform-provider-null_v2.1.2_x4", "registry.terraform.io/hashicorp/null"),
        (f"{OTHER}/1.2.3/linux_amd64/{PROVIDER}", OTHER),
        (f".terraform/providers/{OTHER}/1.2.3-rc1/darwin_arm64/{PROVIDER}_v1.2.3", OTHER),
        (f"{OTHER}/1.2.3/linux_amd64/terraform-provider-null", f"{FAKE[:-4]}null"),
        (f"{OTHER}/latest/linux_amd64/{PROVIDER}", FAKE),
        (f"{OTHER}/1.2.3/build/{PROVIDER}", FAKE),
        (f"/1.2.3/linux_amd64/{PROVIDER}", FAKE),
    ],
)
def test_addresses(place: str, address: str) -> None:
    assert address_of(Path(place)) == address


@pytest.mark.parametrize("address", ["fake", "acme/fake", "a/b/c/d", "a b/c/d", "//"])
def test_addresses_that_are_none(provider: Path, address: str) -> None:
    with pytest.raises(GeneratorError, match="expected an address such as registry"):
        ask_program(provider, address, 1)


def test_addresses_of_what_is_no_program(here: Path) -> None:
    with pytest.raises(
        GeneratorError, match=r"--address: schema.json is not the executable of a pro"
    ):
        load_schemas("schema.json", address=OTHER)


def test_programs_that_are_no_providers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = write_script(tmp_path / "tool", "sys.exit(4)")
    assert cli.main(["schema", str(program)]) == 2
    complaint = capsys.readouterr().err
    assert complaint.startswith(f"tofutypes: error: {program}: ")
    assert complaint.endswith("; is this the executable of a provider?\n")


@pytest.mark.parametrize(
    ("content", "program"),
    [(b"\x7fELF", True), (b"MZ\x90", True), (b"#!/bin/sh", True), (b"{}", False), (b"", False)],
)
def test_what_is_a_program(tmp_path: Path, content: bytes, program: bool) -> None:
    file = tmp_path / "file"
    file.write_bytes(content)
    assert is_program(file) == program
    assert not is_program(tmp_path)
    assert not is_program(tmp_path / "nowhere")


WITHOUT_THE_EXTRA = """
import sys
sys.path[:0] = [{root!r}, {codegen!r}]
for name in ("grpc", "google", "cryptography"):
    sys.modules[name] = None
from tofutypes_codegen.cli import main
sys.exit(main(sys.argv[1:]))
"""


def without_the_extra(*arguments: str) -> subprocess.CompletedProcess[str]:
    program = WITHOUT_THE_EXTRA.format(root=str(ROOT), codegen=str(ROOT / "codegen"))
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_without_the_extra(here: Path, provider: Path) -> None:
    refused = without_the_extra("schema", str(provider))
    assert refused.returncode == 2
    assert refused.stderr == (
        f"tofutypes: error: {provider}: to run the executable of a provider, "
        "pip install 'tofutypes[provider]'\n"
    )
    assert without_the_extra("schema", "schema.json").returncode == 0


def test_providers_without_the_extra() -> None:
    program = "import sys; sys.modules['grpc'] = None; import tofutypes.provider"
    ran = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert ran.stderr.endswith(
        "ModuleNotFoundError: tofutypes.provider needs more: pip install 'tofutypes[provider]'\n"
    )


def test_documents_need_no_grpc(here: Path) -> None:
    program = (
        f"import sys; sys.path[:0] = [{str(ROOT)!r}, {str(ROOT / 'codegen')!r}]\n"
        "from tofutypes_codegen.cli import main; main(['schema', 'schema.json'])\n"
        "assert not {'grpc', 'google', 'cryptography', 'asyncio'} & set(sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, check=False)
    assert run.returncode == 0, run.stderr.decode()


def test_what_no_document_has_is_not_printed() -> None:
    odd = Parameter("a", STRING, allow_unknown_values=True, description_kind=StringKind.MARKDOWN)
    function = Function(STRING, (odd,), odd, description_kind=StringKind.MARKDOWN)
    schema = ProviderSchema(functions={"f": function})
    assert json.loads(document_text({"a/b/c": schema}))["provider_schemas"]["a/b/c"] == {
        "functions": {
            "f": {
                "return_type": "string",
                "parameters": [{"name": "a", "type": "string"}],
                "variadic_parameter": {"name": "a", "type": "string"},
            }
        }
    }
