"""From the schema of a provider to typed values, bytes and errors, and to a provider, in a second.

Run it with `make demo`. It generates models for Nimbus, a cloud that exists only in this folder,
into a temporary folder, and then runs the lines of Python that it shows.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.rule import Rule
from rich.syntax import Syntax

from tofutypes import TofuTypesError
from tofutypes_codegen.cli import main as tofutypes

HERE = Path(__file__).parent.resolve()
SCHEMA = HERE / "nimbus" / "schema.json"
FIRST = HERE / "first" / "provider.py"

IMPORTS = """
from infra.nimbus.resources.nimbus_server import Disk, NetworkInterface, NimbusServer
from tofutypes import UNKNOWN, Unknown, is_known, read_schemas, schema_of
"""

PLAN = """
server = NimbusServer(
    name="web",
    size="small",
    tags={"team": "search"},
    password="correct horse battery staple",
    metadata={"role": "web", "weight": 0.1},
    network_interface=[NetworkInterface(network_id="net-1")],
    disk=[Disk(name="data", size_gb=100), Disk(name="logs", size_gb=0.5)],
)
# What only the cloud can tell, and what is known of it before:
server.id = Unknown(prefix="nrn:server:", not_null=True)
server.hourly_price = Unknown(lower=0, lower_inclusive=False, upper=10, not_null=True)
server.addresses = Unknown(min_length=1)
server.status = UNKNOWN
print(repr(server))
print(is_known(server.size), is_known(server.id))
"""

BYTES = """
wire = server.to_msgpack()
print(len(wire), "bytes:", wire[:24].hex(" "), "…")
print(NimbusServer.from_msgpack(wire) == server)
"""

MERGE = """
print(server.id.could_be("nrn:server:fra1:web"), server.id.could_be("arn:aws:ec2:web"))
server.id, server.hourly_price = "nrn:server:fra1:web", 0.1
server.addresses, server.status = ["10.0.0.5"], "running"
print(server.to_json()[:160], "…")
print(NimbusServer.from_json(server.to_json()).hourly_price)
"""

SCHEMAS = """
provider = read_schemas("schema.json")["registry.opentofu.org/example/nimbus"]
print(schema_of(NimbusServer) == provider.resources["nimbus_server"])
"""

PROVIDER = """
from pathlib import Path
from first import File, First
from tofutypes.provider.client import host

with host(First) as provider:
    plan = provider.plan(File(path="note.txt", text="hello"))
    state = provider.apply(plan)
    print(f"{state.value!r} is there:", Path("note.txt").read_text())
    changed = provider.plan(File(path="other.txt", text="hello"), prior=state)
    print("to be replaced, because of", *map(str, changed.requires_replace))
    provider.apply(provider.plan(None, prior=state))
    print("is there:", Path("note.txt").exists())
"""

MISTAKES = (
    "NimbusServer(name=3)",
    "NimbusServer(name='web', network_interface=[{'network_id': 'net-1', 'ingres': []}])",
    "NimbusServer(name='web', network_interface=[])",
    "server.disk = [Disk(name='data', size_gb='100')]",
    "server.tags = {'team': ['search']}",
    "NimbusServer.from_msgpack(wire[:100])",
    "Unknown(lower=3).refine(upper=2)",
    "bool(Unknown())",
)

console = Console(highlight=False, soft_wrap=True)


def main() -> None:
    """Run the demo."""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        sys.path.insert(0, folder)
        Path("schema.json").write_bytes(SCHEMA.read_bytes())

        title("A schema becomes a package of typed models")
        console.print("$ tofutypes generate schema.json --output infra", style="bold")
        if tofutypes(["generate", "schema.json", "--output", "infra"]):
            raise SystemExit("the generator failed")
        console.print("\ninfra/nimbus/resources/nimbus_server.py:", style="dim")
        show(excerpt(Path("infra/nimbus/resources/nimbus_server.py")))

        names: dict[str, object] = {"print": answer}
        for heading, lines in (
            ("A planned server: some values are known only after apply", IMPORTS + PLAN),
            ("Its MessagePack, as the provider protocol carries it, and back", BYTES),
            ("After apply: what came out fits what was promised, and JSON is exact", MERGE),
            ("And back to the schema, complete", SCHEMAS),
        ):
            title(heading)
            show(lines)
            run(lines, names)

        title("What a wrong value gets: where, what was expected, what came")
        for line in MISTAKES:
            show(line)
            run(line, names)

        title("A whole provider in Python; the same models plan and apply with it")
        shutil.copy(FIRST, "first.py")
        show(handler(FIRST))
        show(PROVIDER)
        run(PROVIDER, names)


def title(text: str) -> None:
    """Print a heading."""
    console.print()
    console.print(Rule(text, align="left", style="cyan"))


def show(lines: str) -> None:
    """Print lines of Python."""
    text = lines.strip("\n")
    console.print(Syntax(text, "python", theme="ansi_light", background_color="default"))


def answer(*values: object) -> None:
    """What `print` is in the lines that are shown."""
    console.print("→", *values, style="green", markup=False)


def run(lines: str, names: dict[str, object]) -> None:
    """Run lines of Python; of an error print its kind and its message."""
    try:
        exec(lines, names)
    except TofuTypesError as error:
        text = f"{type(error).__name__}: {error}".replace("\n", "\n    ")
        console.print("→", text, style="red", markup=False)


def handler(provider: Path) -> str:
    """The classes of a provider."""
    text = provider.read_text(encoding="utf-8")
    return text[text.index("class File(") : text.index("\n\n\nif __name__")]


def excerpt(module: Path) -> str:
    """The smallest class of a module, and the beginning of its largest."""
    classes = module.read_text(encoding="utf-8").split("\n\n\n")
    disk = next(each for each in classes if each.startswith("class Disk("))
    server = next(each for each in classes if each.startswith("class NimbusServer("))
    return disk + "\n\n\n" + "\n".join(server.splitlines()[:14]) + "\n    …"


if __name__ == "__main__":
    main()
