"""Addresses, as paths and as gRPC takes them."""

from pathlib import Path

import pytest

from tests.provider.server.boxes import Toy
from tofutypes.provider import PluginError
from tofutypes.provider.client import connect
from tofutypes.provider.server.listening import listening
from tofutypes.provider.transport.addresses import Address, new_address


@pytest.mark.parametrize("name", ["a b", "a#b", "a?b", "a%41", "é"])
def test_any_folder_will_do(tmp_path: Path, name: str) -> None:
    folder = tmp_path / name
    folder.mkdir()
    with listening(Toy(), 6, {"PLUGIN_UNIX_SOCKET_DIR": str(folder)}) as (server, handshake):
        client = connect(handshake.listens_on)
        assert list(client.schema.resources) == ["toy_box"]
        client.close()
        assert server.stop()


def test_the_longest_path() -> None:
    long = Path("/" + "x" * 96)
    assert new_address(long, "12345") == Address("unix", f"{long}/12345")
    with pytest.raises(
        PluginError, match=r"the path of a socket has at most 103 bytes; set TMPDIR"
    ):
        new_address(long, "123456")
