"""Channels over file descriptors."""

import asyncio
import os
import socket
import tempfile
from pathlib import Path

from tests.seasonings.peers import run
from tofutypes.seasonings.rpc.channel import FileChannel


class Received:
    def __init__(self) -> None:
        self.data = bytearray()
        self.ended = asyncio.Event()
        self.broken = asyncio.Event()

    def take(self, data: bytes) -> None:
        self.data += data
        if not data:
            self.ended.set()


def test_large_data_over_pipes_that_fill() -> None:
    async def main() -> None:
        got = Received()
        read, write = os.pipe()
        other, unused = os.pipe()
        reader = FileChannel(read, unused, got.take, got.broken.set)
        writer = FileChannel(other, write, lambda _: None, got.broken.set)
        data = os.urandom(5 << 20)
        assert writer.write(data) > 0
        await asyncio.to_thread(writer.write, b"end")
        await writer.drain()
        writer.close()
        await got.ended.wait()
        assert bytes(got.data) == data + b"end"
        assert not got.broken.is_set()
        reader.close()
        reader.close()
        assert reader.write(b"x") == 0

    run(main())


def test_a_socket_both_ways() -> None:
    async def main() -> None:
        got = Received()
        near, far = socket.socketpair()
        descriptor = near.detach()
        channel = FileChannel(descriptor, descriptor, got.take, got.broken.set)
        channel.write(b"to")
        assert far.recv(10) == b"to"
        far.sendall(b"fro")
        far.close()
        await got.ended.wait()
        assert got.data == b"fro"
        channel.close()

    run(main())


def test_nobody_reads_any_more() -> None:
    async def main() -> None:
        got = Received()
        read, write = os.pipe()
        silent, kept = os.pipe()
        channel = FileChannel(silent, write, got.take, got.broken.set)
        os.close(read)
        channel.write(b"x")
        await got.broken.wait()
        channel.close()
        os.close(kept)

    run(main())


def test_files_can_be_read() -> None:
    async def main() -> None:
        got = Received()
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "stream")
            file.write_bytes(b"content")
            out = Path(folder, "out")
            channel = FileChannel(
                os.open(file, os.O_RDONLY),
                os.open(out, os.O_WRONLY | os.O_CREAT),
                got.take,
                got.broken.set,
            )
            channel.write(b"written")
            await got.ended.wait()
            channel.close()
            assert (bytes(got.data), out.read_bytes()) == (b"content", b"written")

    run(main())
