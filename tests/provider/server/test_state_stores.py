"""State stores: what authors write, through a server and a client."""

from __future__ import annotations

import errno
import io
import pickle
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.provider.server.boxes import Toy as Boxes
from tests.provider.server.stores import Memories, Memory, Toy, stored
from tofutypes import UNKNOWN, Attr, StateStore
from tofutypes.provider import (
    Context,
    LockedError,
    LockInfo,
    PluginError,
    Provider,
    ProviderError,
    StateReader,
    StateStoreContext,
    StateStoreHandler,
)
from tofutypes.provider.client import UnsupportedCallError, host
from tofutypes.provider.messages.protocol import protocol_of
from tofutypes.provider.server.service import HandlerService
from tofutypes.provider.service.state_chunks import DEFAULT_CHUNK_SIZE, MAX_CHUNK_SIZE
from tofutypes.provider.service.state_requests import (
    ConfigureStateStoreRequest,
    StateChunk,
    StateRange,
    StateRequest,
    StateStoreCapabilities,
)
from tofutypes.provider.service.wire_value import WireValue

CONFIG = WireValue.of(Memory(name="a"))


def test_a_state_is_written_read_and_deleted() -> None:
    toy = Toy()
    with stored(toy) as store:
        assert store.read("default") is None
        assert store.states() == []
        store.write("default", b"0123456789")
        store.write("b", [b"a", b"bcdefg", b"", b"h"])
        store.write("c", io.BytesIO(b"xyz"))
        assert list(store.chunks("default")) == [b"0123", b"4567", b"89"]
        assert store.read("b") == b"abcdefgh"
        assert store.states() == ["b", "c", "default"]
        store.delete("b")
        store.delete("b")
        assert store.states() == ["c", "default"]
    assert toy.states == {"default": b"0123456789", "c": b"xyz"}


async def pieces() -> AsyncIterator[bytes]:
    yield b"01"
    yield b"23456"


async def later() -> bytes:
    return b"0123456"


@pytest.mark.parametrize(
    "returned",
    [
        lambda *_: b"0123456",
        lambda *_: memoryview(b"0123456"),
        lambda *_: io.BytesIO(b"0123456"),
        lambda *_: iter([b"0", b"12345", b"6"]),
        lambda *_: later(),
        lambda *_: pieces(),
    ],
    ids=["bytes", "memory", "file", "pieces", "later", "pieces later"],
)
def test_what_read_may_return(returned: Callable[..., Any]) -> None:
    with stored(Toy(read=returned)) as store:
        assert list(store.chunks("default")) == [b"0123", b"456"]


@pytest.mark.parametrize("nothing", [None, b"", []])
def test_no_state(nothing: object) -> None:
    with stored(Toy(read=lambda *_: nothing)) as store:
        assert store.read("default") is None


class Pipe(io.RawIOBase):
    """A file that cannot be rewound, and returns a byte at a time."""

    def __init__(self) -> None:
        self._left = list(b"0123456")

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1) -> bytes:
        return bytes([self._left.pop(0)]) if self._left else b""


def test_a_pipe_is_read_and_closed() -> None:
    pipe = Pipe()
    with stored(Toy(read=lambda *_: pipe)) as store:
        assert store.read("default") == b"0123456"
    assert pipe.closed


def test_an_error_beside_a_file() -> None:
    pipe = Pipe()

    def read(_: str, context: StateStoreContext[Memory]) -> Pipe:
        context.error("This is not a state")
        return pipe

    with (
        stored(Toy(read=read)) as store,
        pytest.raises(ProviderError, match="error: This is not a state"),
    ):
        store.read("default")
    assert pipe.closed


def test_no_thread_is_left() -> None:
    """Neither of async code whose state is cut, nor of readers that leave."""

    async def write(_: str, state: StateReader, __: object) -> None:
        async for _chunk in state:
            pass

    def cut() -> Iterator[StateChunk]:
        yield FIRST
        raise OSError("the disk is gone")

    before = threading.active_count()
    with stored(Toy(write=write, read=lambda *_: b"x" * 1000)) as store:
        for _ in range(10):
            with pytest.raises(OSError, match="the disk is gone"):
                store._service.write_state_bytes(cut())
            chunks = store.chunks("default")
            assert next(chunks) == b"xxxx"
            chunks.close()
    end = time.monotonic() + 10
    while threading.active_count() > before and time.monotonic() < end:
        time.sleep(0.05)
    assert threading.active_count() <= before


def test_a_file_that_shrinks() -> None:
    class Shrinking(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            return super().read(size) if self.tell() == 0 else b""

    with (
        stored(Toy(read=lambda *_: Shrinking(b"0123456"))) as store,
        pytest.raises(ProviderError) as caught,
    ):
        store.read("default")
    assert str(caught.value) == (
        "error: The state cannot be read: expected 7 bytes, got 4: the file has changed."
    )


def written(state_id: str, state: StateReader, _: object) -> None:
    """Write with a `for` loop."""
    assert state_id == "default"
    assert state.size == 10
    assert list(state) == [b"0123", b"4567", b"89"]
    assert state.complete


async def written_later(state_id: str, state: StateReader, _: object) -> None:
    assert [chunk async for chunk in state] == [b"0123", b"4567", b"89"]


@pytest.mark.parametrize("code", [written, written_later])
def test_chunks_on_the_way_in(code: Callable[..., Any]) -> None:
    with stored(Toy(write=code)) as store:
        store.write("default", b"0123456789")


def test_a_saved_state(tmp_path: Path) -> None:
    file = tmp_path / "a.tfstate"
    toy = Toy(write=lambda _, state, __: state.save(file), read=lambda *_: file.open("rb"))
    with stored(toy) as store:
        store.write("default", b"0123456789")
        assert file.read_bytes() == b"0123456789"
        assert store.save("default", tmp_path / "copy")
    assert (tmp_path / "copy").read_bytes() == b"0123456789"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.tfstate", "copy"]
    assert file.stat().st_mode & 0o077 == 0


def chunk(data: bytes, start: int, *, total: int = 10, first: bool = False) -> StateChunk:
    meta = StateRequest("toy_memory", "default") if first else None
    return StateChunk(meta, data, total, StateRange(start, start + len(data) - 1))


FIRST, SECOND, THIRD = chunk(b"0123", 0, first=True), chunk(b"4567", 4), chunk(b"89", 8)
AMISS = "The state did not arrive as a whole: "


@pytest.mark.parametrize(
    ("chunks", "message"),
    [
        ([], "Nothing was written: The first chunk names no state."),
        ([SECOND], "Nothing was written: The first chunk names no state."),
        ([FIRST], AMISS + "expected 10 bytes, got 4."),
        ([FIRST, SECOND], AMISS + "expected 10 bytes, got 8."),
        ([FIRST, THIRD], AMISS + "chunk 2: expected 4 bytes, got 2."),
        ([FIRST, FIRST], AMISS + "chunk 2: only the first chunk names the state."),
        ([FIRST, SECOND, THIRD, THIRD], AMISS + "chunk 4: the state already had its 10 bytes."),
        (
            [FIRST, SECOND, chunk(b"89", 8, total=11)],
            AMISS + "chunk 3: expected the total length 10, got 11.",
        ),
        (
            [FIRST, chunk(b"4567", 5)],
            AMISS + "chunk 2: expected the range 4 to 7, got 5 to 8.",
        ),
        (
            [FIRST, SECOND._replace(range=StateRange(4, 8))],
            AMISS + "chunk 2: expected the range 4 to 7, got 4 to 8.",
        ),
        (
            [FIRST, SECOND._replace(range=StateRange(-4, -1))],
            AMISS + "chunk 2: expected the range 4 to 7, got -4 to -1.",
        ),
        ([FIRST, chunk(b"", 4)], AMISS + "chunk 2: expected 4 bytes, got 0."),
        ([chunk(b"01234", 0, first=True)], AMISS + "chunk 1: expected 4 bytes, got 5."),
        (
            [chunk(b"", 0, total=0, first=True)],
            AMISS + "chunk 1: expected a total length above 0, got 0.",
        ),
        (
            [chunk(b"0123", 0, total=-1, first=True)],
            AMISS + "chunk 1: expected a total length above 0, got -1.",
        ),
        (
            [chunk(b"0123", 0, total=1 << 62, first=True)],
            AMISS + f"expected {1 << 62} bytes, got 4.",
        ),
        (
            [FIRST._replace(meta=StateRequest("toy_cloud", "default"))],
            "The provider has no toy_cloud",
        ),
        ([FIRST._replace(meta=StateRequest("toy_memory"))], "The call names no state"),
    ],
)
def test_chunks_that_are_no_state(chunks: list[StateChunk], message: str, tmp_path: Path) -> None:
    """What is stored stays as it was, and the author's code sees an exception."""
    file = tmp_path / "a.tfstate"
    file.write_text("before")
    ended: list[bool] = []

    def write(_: str, state: StateReader, __: object) -> None:
        state.save(file)
        ended.append(True)

    service = HandlerService(Toy(write=write))
    service.configure_state_store(
        ConfigureStateStoreRequest("toy_memory", CONFIG, StateStoreCapabilities(4))
    )
    try:
        diagnostics = service.write_state_bytes(iter(chunks)).diagnostics
    except ProviderError as error:
        diagnostics = tuple(error.diagnostics)
    assert [str(diagnostic) for diagnostic in diagnostics] == [f"error: {message}"]
    assert not ended
    assert [path.read_text() for path in tmp_path.iterdir()] == ["before"]


@pytest.mark.parametrize("other", [None, RuntimeError("secret")], ids=["hidden", "another"])
def test_a_fault_of_which_the_author_makes_another(other: Exception | None) -> None:
    def write(_: str, state: StateReader, __: object) -> None:
        try:
            state.read()
        except ProviderError:
            if other is not None:
                raise other from None

    service = HandlerService(Toy(write=write))
    service.configure_state_store(ConfigureStateStoreRequest("toy_memory", CONFIG))
    answer = service.write_state_bytes(iter([chunk(b"01", 0, total=1, first=True)]))
    assert [diagnostic.summary for diagnostic in answer.diagnostics] == [
        "The state did not arrive as a whole"
    ]


def test_an_author_that_does_not_wait_for_the_end() -> None:
    with (
        stored(Toy(write=lambda _, state, __: next(iter(state)))) as store,
        pytest.raises(ProviderError) as caught,
    ):
        store.write("default", b"0123456789")
    assert str(caught.value) == (
        "error: The provider is at fault: Memories.write returned before it had read the entire "
        "state."
    )


def test_a_cut_write_changes_nothing() -> None:
    seen: list[BaseException] = []
    started, ended = threading.Event(), threading.Event()
    toy = Toy()

    def write(state_id: str, state: StateReader, _: object) -> None:
        started.set()
        try:
            toy.states[state_id] = state.read()
        except BaseException as error:
            seen.append(error)
            raise
        finally:
            ended.set()

    toy.code["write"] = write
    toy.states["default"] = b"before"

    def cut() -> Iterator[StateChunk]:
        yield FIRST
        assert started.wait(5)
        raise OSError("the disk is gone")

    with stored(toy) as store:
        with pytest.raises(OSError, match="the disk is gone"):
            store._service.write_state_bytes(cut())
        assert ended.wait(5)
        assert store.read("default") == b"before"
    (error,) = seen  # gRPC may take a cancelled call for one that has ended
    assert str(error) in (
        "the stream was cut before its end",
        f"error: {AMISS}expected 10 bytes, got 4.",
    )


def test_locks() -> None:
    toy = Toy()
    with stored(toy) as store:
        with store.locked("default", "OperationTypeApply") as lock_id:
            info = toy.locks["default"]
            assert (info.id, info.operation) == (lock_id, "OperationTypeApply")
            assert "@" in info.who
            with pytest.raises(ProviderError) as caught:
                store.lock("default", "plan")
            assert str(caught.value) == (
                f"error: The state is locked: Lock {lock_id} (OperationTypeApply, {info.who}, "
                f"{info.created})."
            )
            with pytest.raises(ProviderError, match=f"is locked: Lock {lock_id} "):
                store.unlock("default", "another")
        assert toy.locks == {}
        with pytest.raises(ProviderError, match="error: The state is not locked by this lock"):
            store.unlock("default", lock_id)


def test_locked_errors_can_be_pickled() -> None:
    error = LockedError(LockInfo("1", "plan"))
    assert pickle.loads(pickle.dumps(error)).holder == error.holder


@pytest.mark.parametrize(
    ("proposed", "own", "chosen"),
    [
        (DEFAULT_CHUNK_SIZE, None, DEFAULT_CHUNK_SIZE),
        (1, None, 1),
        (0, None, DEFAULT_CHUNK_SIZE),
        (-1, None, DEFAULT_CHUNK_SIZE),
        (1 << 62, None, MAX_CHUNK_SIZE),
        (DEFAULT_CHUNK_SIZE, 100, 100),
    ],
)
def test_sizes_of_chunks(
    monkeypatch: pytest.MonkeyPatch, proposed: int, own: int | None, chosen: int
) -> None:
    monkeypatch.setattr(Memories, "chunk_size", own)
    with stored(Toy(), proposed) as store:
        assert store.chunk_size == chosen


def test_before_it_is_configured() -> None:
    service = HandlerService(Toy())
    (answer,) = service.read_state_bytes(StateRequest("toy_memory", "default"))
    assert [str(diagnostic) for diagnostic in answer.diagnostics] == [
        "error: The state store toy_memory is not configured"
    ]


def fail(*_: object) -> None:
    raise OSError(errno.ENOSPC, "not shown", "/secret/path")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("read", "error: The reading of a state of toy_memory failed: No space left on device."),
        ("write", "error: The writing of a state of toy_memory failed: No space left on device."),
        ("lock", "error: The locking of a state of toy_memory failed: No space left on device."),
        ("unlock", "error: The unlocking of a state of toy_memory failed: No space left on "),
        ("states", "error: The listing of the states of toy_memory failed: No space left on "),
        ("delete", "error: The deletion of a state of toy_memory failed: No space left on device."),
    ],
)
def test_a_full_disk(call: str, message: str) -> None:
    arguments: dict[str, list[Any]] = {"write": ["a", b"1"], "unlock": ["a", "1"], "states": []}
    with stored(Toy(**{call: fail})) as store, pytest.raises(ProviderError) as caught:
        getattr(store, call)(*arguments.get(call, ["a"]))
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("call", "returned", "message"),
    [
        ("read", "text", "read: expected bytes, a binary file or pieces, got a string."),
        ("read", 5, "read: expected bytes, a binary file or pieces, got a number."),
        ("read", [b"a", "b"], "read: expected pieces of bytes, got a string."),
        (
            "read",
            io.StringIO("text"),
            "read: expected bytes, a binary file or pieces, got a text file.",
        ),
        ("lock", None, "lock must return the id of the lock, got null."),
        ("states", "default", "states must return the ids of states, got a string."),
        ("states", [1], "states must return strings, got a number."),
    ],
)
def test_what_methods_must_not_return(call: str, returned: object, message: str) -> None:
    with (
        stored(Toy(**{call: lambda *_: returned})) as store,
        pytest.raises(ProviderError) as caught,
    ):
        getattr(store, call)(*([] if call == "states" else ["default"]))
    assert str(caught.value) == f"error: The provider is at fault: Memories.{message}"


def test_warnings() -> None:
    def read(_: str, context: StateStoreContext[Memory]) -> bytes:
        context.warn(f"{context.config.name} is old")
        return b"0123456"

    def configure(_: Memory, context: Context) -> None:
        context.warn("This is slow")

    with stored(Toy(read=read, configure=configure)) as store:
        assert store.read("default") == b"0123456"
        assert [str(warning) for warning in store.diagnostics] == [
            "warning: This is slow",
            "warning: a is old",
        ]


def test_a_warning_without_a_state() -> None:
    def read(_: str, context: StateStoreContext[Memory]) -> None:
        context.warn("Nothing here")

    with stored(Toy(read=read)) as store:
        assert store.read("default") is None
        assert [str(warning) for warning in store.diagnostics] == ["warning: Nothing here"]


def test_configurations() -> None:
    def validate(config: Memory, context: Context) -> None:
        context.error("That is too much", path="limit")

    with host(Toy()) as provider:
        assert provider.validate(Memory(name=UNKNOWN)).diagnostics == ()
    with host(Toy(validate=validate, configure=lambda *_: fail())) as provider:
        with pytest.raises(ProviderError, match=r"error: That is too much \(limit\)"):
            provider.validate(Memory(name="a", limit=5))
        with pytest.raises(ProviderError, match="configuration of toy_memory failed: No space"):
            provider.configure_state_store(Memory(name="a"))


def test_an_empty_state_is_not_written() -> None:
    with stored(Toy()) as store, pytest.raises(PluginError, match="a state cannot be empty"):
        store.write("default", b"")


def test_metadata_need_no_schema(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a schema was made")

    for name in ("to_schema._block", "to_schema._identity_schema"):
        monkeypatch.setattr(f"tofutypes.models.{name}", refuse)
    metadata = HandlerService(Boxes()).get_metadata()
    assert metadata.resources == ("toy_box",)
    with pytest.raises(AssertionError):
        HandlerService(Boxes()).get_provider_schema()


def test_versions_of_the_protocol() -> None:
    toy = HandlerService(Toy())
    assert toy.get_metadata().state_stores == ("toy_memory",)
    assert "WriteStateBytes" not in protocol_of(5).calls
    with host(Toy()) as provider:
        assert list(provider.schema.state_stores) == ["toy_memory"]
    with host(Toy(), 5) as provider:
        assert provider.schema.state_stores == {}
        with pytest.raises(UnsupportedCallError, match="protocol 5 has no call configure_state"):
            provider.configure_state_store(Memory(name="a"))


def test_mistakes_of_authors() -> None:
    class Wrong(StateStore, type_name="toy_wrong"):
        provider: Attr[str] = Attr(required=True)

    class Wrongs(StateStoreHandler[Wrong]):
        async def read(self, state_id: str, context: Any) -> None: ...
        async def write(self, state_id: str, state: Any, context: Any) -> None: ...
        async def delete(self, state_id: str, context: Any) -> None: ...
        async def lock(self, state_id: str, info: Any) -> str:  # type: ignore[override]  # wrong
            return ""

        async def unlock(self, state_id: str, lock_id: str, context: Any) -> None: ...
        async def states(self, context: Any) -> list[str]:
            return []

    class Toys(Provider):
        address = "registry.opentofu.org/example/toy"
        state_stores = (Wrongs,)

    with host(Toys) as provider, pytest.raises(ProviderError) as caught:
        _ = provider.schema
    first, second = str(caught.value).splitlines()
    assert "Wrong.provider: OpenTofu and Terraform take the argument `provider`" in first
    assert "Wrongs.lock: the parameters must be `lock(self, state_id, info, context)`" in second
