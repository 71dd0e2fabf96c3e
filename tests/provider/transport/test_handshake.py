import base64

import pytest

from tofutypes.provider.service.diagnostics import PluginError
from tofutypes.provider.transport.addresses import Address
from tofutypes.provider.transport.certificates import make_certificate
from tofutypes.provider.transport.handshake import (
    Handshake,
    choose_protocol,
    offered_protocols,
    parse_handshake,
)

DER = make_certificate().der
DER_TEXT = base64.b64encode(DER).decode().rstrip("=")

LINES = [
    ("1|6|unix|/tmp/plugin1|grpc|", Handshake(6, "unix", "/tmp/plugin1")),
    ("1|5|tcp|127.0.0.1:10000|grpc|", Handshake(5, "tcp", "127.0.0.1:10000")),
    (f"1|5|unix|/tmp/p|grpc|{DER_TEXT}", Handshake(5, "unix", "/tmp/p", DER)),
]


@pytest.mark.parametrize(("line", "handshake"), LINES)
def test_lines_are_written_and_read(line: str, handshake: Handshake) -> None:
    assert handshake.line() == f"{line}\n"
    assert parse_handshake(f"{line}\n") == handshake
    assert handshake.line(multiplexing_asked=True) == f"{line}|false\n"
    assert parse_handshake(f"{line}|true\r\n") == handshake


def test_a_line_may_end_early() -> None:
    assert parse_handshake("1|6|unix|/tmp/p|grpc") == Handshake(6, "unix", "/tmp/p")
    assert parse_handshake("1|6|unix|/tmp/p|grpc|short") == Handshake(6, "unix", "/tmp/p")


def test_no_padding_in_certificates() -> None:
    assert len({len(DER_TEXT[:51]) % 4, 0}) == 2  # one that would need padding
    assert "=" not in Handshake(6, "unix", "/tmp/p", b"x" * 40).line()
    assert parse_handshake(Handshake(6, "unix", "/p", b"x" * 40).line()).certificate == b"x" * 40


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("", 'ADDRESS.grpc.CERTIFICATE`, got ""'),
        ("Hello, I am a program\n", 'got "Hello, I am a program"'),
        ("\x1b[31mred\0" + "x" * 300, r'got "\\x1b\[31mred\\x00' + "x" * 45 + '…"'),
        ("2|6|unix|/tmp/p|grpc|", 'version 1 of the plugin handshake, got "2"'),
        ("1|4|unix|/tmp/p", 'protocol version "4": 5 and 6 .* Terraform 0.11 and older'),
        ("1|7|unix|/tmp/p|grpc|", 'protocol version "7": 5 and 6 are supported$'),
        ("1|six|unix|/tmp/p|grpc|", 'protocol version "six"'),
        ("1|5|unix|/tmp/p", 'plugin that speaks gRPC, got "netrpc"'),
        ("1|5|unix|/tmp/p|netrpc|", 'plugin that speaks gRPC, got "netrpc"'),
        ("1|6|pipe|/tmp/p|grpc|", r'`unix\|PATH` or `tcp\|HOST:PORT`, got "pipe'),
        ("1|6|unix||grpc|", r'HOST:PORT`, got "unix\|"'),
        ("1|6|tcp|127.0.0.1|grpc|", r'HOST:PORT`, got "tcp\|127.0.0.1"'),
        ("1|6|tcp|127.0.0.1:x|grpc|", r'HOST:PORT`, got "tcp\|127.0.0.1:x"'),
        (f"1|6|unix|/tmp/p|grpc|{DER_TEXT}=", "expected the certificate in base64 without padding"),
        ("1|6|unix|/tmp/p|grpc|" + "!" * 80, "expected the certificate in base64"),
        ("1|6|unix|/tmp/p|grpc|" + "é" * 80, "expected the certificate in base64"),
    ],
)
def test_other_lines_are_refused(line: str, message: str) -> None:
    with pytest.raises(PluginError, match=message) as refused:
        parse_handshake(line)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 200


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        ("5,6", {5, 6}),
        ("6,5", {5, 6}),
        (" 6 ", {6}),
        ("5,six,,7", {5, 7}),
        ("9" * 5000 + ",6", {6}),
        ("", set()),
        (None, set()),
    ],
)
def test_offered_protocols(text: str | None, offered: set[int]) -> None:
    environment = {} if text is None else {"PLUGIN_PROTOCOL_VERSIONS": text}
    assert offered_protocols(environment) == offered


@pytest.mark.parametrize(
    ("own", "offered", "chosen"),
    [([5, 6], [5, 6], 6), ([5], [5, 6], 5), ([5, 6], [5], 5), ([5, 6], [7], 5), ([6], [], 6)],
)
def test_choose_protocol(own: list[int], offered: list[int], chosen: int) -> None:
    assert choose_protocol(own, offered) == chosen


@pytest.mark.parametrize(
    ("address", "target"),
    [
        (Address("unix", "/tmp/a b"), "unix:/tmp/a%20b"),
        (Address("tcp", "127.0.0.1:80"), "127.0.0.1:80"),
    ],
)
def test_targets_of_grpc(address: Address, target: str) -> None:
    assert address.target == target


def test_ports_of_ipv6() -> None:
    assert Address("tcp", "[::1]:80").host_and_port == ("::1", 80)
