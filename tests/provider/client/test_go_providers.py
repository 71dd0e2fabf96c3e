"""HashiCorp's providers written in Go: their schemas, and models and calls that come from them."""

from __future__ import annotations

import json
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from tests.counterparts.cores import (
    TOFU,
    Core,
    as_opentofu_prints,
    for_each_core,
    need_core,
    printed_schema,
)
from tests.provider.client.go_providers import ADDRESSES, generated, program_of, started
from tofutypes import read_schemas
from tofutypes.provider.client import State, launch
from tofutypes.provider.service.diagnostics import ProviderError
from tofutypes_codegen import cli


@for_each_core
@pytest.mark.parametrize(
    ("name", "protocol"), [*((name, 6) for name in ADDRESSES), ("framework", 5)]
)
def test_the_schema_is_what_the_core_prints(
    core: Core,
    name: str,
    protocol: int,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    need_core(core)
    monkeypatch.setenv("FRAMEWORK_PROTOCOL", str(protocol))
    program, address = program_of(name), ADDRESSES[name]
    assert cli.main(["schema", str(program), "--address", address]) == 0
    ours: dict[str, Any] = json.loads(capsys.readouterr().out)
    ours["provider_schemas"][address].pop("provider_meta", None)  # no core prints it
    printed = printed_schema(core, program, address, tmp_path)
    assert (as_opentofu_prints(ours) if core is TOFU else ours) == printed
    read = read_schemas(json.dumps(printed).encode())[address]
    with launch(program) as client:
        assert client.schema.resources == read.resources
        assert client.schema.identities == read.identities


def test_random(tmp_path: Path) -> None:
    with generated("random", tmp_path) as module, started("random") as client:
        client.configure()
        config = module("resources.random_password").RandomPassword(length=12, min_upper=3)
        state = client.apply(client.plan(config))
        assert len(state.value.result) == 12
        assert client.read(state).value == state.value
        longer = client.plan(config.model_copy(update={"length": 13}), state)
        assert [str(path) for path in longer.requires_replace] == ["length"]
        with pytest.raises(ProviderError, match="length"):
            client.validate(config.model_copy(update={"length": 1}))

        pet = module("resources.random_pet").RandomPet(keepers={"a": "b"})
        assert client.plan(pet).planned.length == 2  # by default

        (imported,) = client.import_state(module("resources.random_id").RandomId, "p-,CMQ")
        state = client.read(imported)
        assert (state.value.b64_url, state.value.dec) == ("p-CMQ", "p-2244")
        assert client.apply(client.plan(None, state)) == State(None)


def test_time(tmp_path: Path) -> None:
    with generated("time", tmp_path) as module, started("time") as client:
        functions = module("functions")
        client.configure()
        offset = module("resources.time_offset").TimeOffset
        config = offset(base_rfc3339="2026-01-31T00:00:00Z", offset_months=1)
        state = client.apply(client.plan(config))
        assert state.value.rfc3339 == "2026-03-03T00:00:00Z"
        (imported,) = client.import_state(offset, "2026-01-31T00:00:00Z,,1,,,,")
        assert client.read(imported).value.rfc3339 == state.value.rfc3339

        parsed = client.call(functions.rfc3339_parse, "2026-01-31T01:02:03Z")
        assert (parsed.year, parsed.month_name, parsed.unix) == (2026, "January", 1769821323)
        with pytest.raises(ProviderError) as refused:
            client.call(functions.rfc3339_parse, "yesterday")
        assert str(refused.value.diagnostics[0].path) == "[0]"


def test_tls(tmp_path: Path) -> None:
    with generated("tls", tmp_path) as module, started("tls") as client:
        client.configure()
        config = module("resources.tls_private_key").TlsPrivateKey(algorithm="ED25519")
        key = client.apply(client.plan(config)).value
        certificate = module("resources.tls_self_signed_cert")
        config = certificate.TlsSelfSignedCert(
            private_key_pem=key.private_key_pem,
            subject=[certificate.Subject(common_name="example.com")],
            validity_period_hours=1,
            allowed_uses=["server_auth"],
        )
        state = client.apply(client.plan(config))
        assert state.value.cert_pem.startswith("-----BEGIN CERTIFICATE-----")
        assert key.private_key_pem not in repr(state.value)
        assert client.plan(config, client.read(state)).planned == state.value


def test_local_which_has_the_legacy_type_system(tmp_path: Path) -> None:
    note = tmp_path / "note"
    with generated("local", tmp_path) as module, started("local") as client:
        client.configure()
        config = module("resources.local_file").LocalFile(filename=str(note), content="hello")
        state = client.apply(client.plan(config))
        assert note.read_text() == "hello"
        assert client.read(state).value == state.value
        note.write_text("bye")
        assert client.read(state).value is None  # this provider takes a changed file for gone
        config = module("data_sources.local_file").LocalFile(filename=str(note))
        assert client.read_data(config).value.content == "bye"


class Page(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/plain")
        self.end_headers()
        self.wfile.write(b"hello")

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # its name there
        pass


def test_http(tmp_path: Path) -> None:
    with (
        ThreadingHTTPServer(("127.0.0.1", 0), Page) as server,
        generated("http", tmp_path) as module,
        started("http") as client,
    ):
        Thread(target=partial(server.serve_forever, 0.01), daemon=True).start()
        client.configure()
        config = module("data_sources.http").Http(url=f"http://127.0.0.1:{server.server_port}/")
        assert client.read_data(config).value.body == "hello"
        server.shutdown()
