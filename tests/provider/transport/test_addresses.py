"""Addresses, as paths and as gRPC takes them."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.provider.server.boxes import Toy
from tofutypes.provider import PluginError
from tofutypes.provider.client import connect
from tofutypes.provider.server.listening import listening
from tofutypes.provider.server.service import HandlerService
from tofutypes.provider.transport.addresses import Address, new_address


@pytest.mark.parametrize("name", ["a b", "a#b", "a?b", "a%41", "é"])
def test_any_folder_will_do(name: str) -> None:
    with TemporaryDirectory(prefix=name) as folder:  # whose path is short enough for a socket
        environment = {"PLUGIN_UNIX_SOCKET_DIR": folder}
        with listening(HandlerService(Toy()), 6, environment) as (server, handshake):
            client = connect(handshake.listens_on)
            assert list(client.schema.resources) == ["toy_box"]
            client.close()
            assert server.stop()


def test_the_longest_path() -> None:
    short, long = Path("/" + "x" * 90), Path("/" + "x" * 105)
    assert new_address(short, "12345") == Address("unix", f"{short}/12345")
    with pytest.raises(PluginError, match=r"is too long: 11\d bytes, the limit is 10\d; set TMP"):
        new_address(long, "123456")
