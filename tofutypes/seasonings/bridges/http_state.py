"""The `http` backend of OpenTofu and Terraform, kept by a storage plugin.

Source: the documentation of the backend `http`; what Terraform 1.11 sends was observed: LOCK and
UNLOCK carry the lock's info, `force-unlock` sends UNLOCK without a body, POST has `?ID=` while a
lock is held, and `Content-MD5`.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Final, TypeVar

from aiohttp import web
from aiohttp.typedefs import Handler

from tofutypes.errors import one_line
from tofutypes.locks import LockInfo
from tofutypes.narrowing import is_dict
from tofutypes.seasonings.bridges.keeper import PluginKeeper
from tofutypes.seasonings.errors import CallError, CallTimeoutError, ErrorCode, SeasoningsError
from tofutypes.seasonings.host.client import AsyncPluginClient
from tofutypes.seasonings.protocol.locks import read_lock_info
from tofutypes.seasonings.rpc.limits import DEFAULT_LIMITS

_log: Final = logging.getLogger("tofutypes.seasonings")

T = TypeVar("T")

_LOCKED: Final = 423

_NAMES: Final = {
    "id": "ID",
    "operation": "Operation",
    "who": "Who",
    "version": "Version",
    "created": "Created",
    "info": "Info",
}
"""The members of a lock's info in messages, and in the JSON of the backend."""

_OVERHEAD: Final = 64 << 10
"""Bytes of a message around a state."""


class _RefusedError(Exception):
    """A request that is answered with an error."""

    def __init__(self, status: int, message: str, body: str | None = None) -> None:
        self.status = status
        self.body = body
        super().__init__(message)


class HttpState:
    """Answers the requests of the backend.

    Args:
        keeper: the storage plugin.
        credentials: passwords by user; without any, everybody who can connect is served.
    """

    def __init__(self, keeper: PluginKeeper, credentials: Mapping[str, str] | None = None) -> None:
        self._keeper = keeper
        self._credentials = dict(credentials or {})
        self._lock_ids: dict[tuple[str, str], str] = {}
        """The plugin's id of a lock, where it is not the id that the client chose."""

    def application(self) -> web.Application:
        """The web application."""
        size = DEFAULT_LIMITS.size - _OVERHEAD
        application = web.Application(client_max_size=size, middlewares=[self._guard])
        for method, answer in (
            ("GET", self._get),
            ("POST", self._post),
            ("PUT", self._post),
            ("DELETE", self._delete),
            ("LOCK", self._lock),
            ("UNLOCK", self._unlock),
        ):
            application.router.add_route(method, "/{path:.*}", answer)
        return application

    @web.middleware
    async def _guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Refuse who must not come in, and turn errors into responses."""
        try:
            self._authorize(request)
            return await handler(request)
        except _RefusedError as error:
            self._tell(request, error.status, str(error))
            kind = "application/json" if error.body is not None else "text/plain"
            headers = {"WWW-Authenticate": 'Basic realm="state"'} if error.status == 401 else None
            return web.Response(
                status=error.status,
                text=error.body or f"{error}\n",
                content_type=kind,
                headers=headers,
            )
        except CallTimeoutError as error:
            self._tell(request, 504, str(error))
            return web.Response(status=504, text=f"{error}\n")
        except SeasoningsError as error:
            self._tell(request, 503, str(error))
            return web.Response(status=503, text=f"{error}\n")

    def _tell(self, request: web.Request, status: int, message: str) -> None:
        level = logging.INFO if status == 404 else logging.WARNING
        _log.log(level, "%s %a: %s: %s", request.method, request.path, status, one_line(message))

    def _authorize(self, request: web.Request) -> None:
        if "Origin" in request.headers:  # a page in a browser could write to a server on loopback
            raise _RefusedError(403, "requests of web pages are refused")
        if not self._credentials:
            return
        scheme, _, encoded = request.headers.get("Authorization", "").partition(" ")
        try:
            user, _, password = base64.b64decode(encoded, validate=True).decode().partition(":")
        except ValueError:
            raise _RefusedError(401, "expected a user and a password") from None
        wanted = self._credentials.get(user)
        same = hmac.compare_digest((wanted or "").encode(), password.encode())
        if scheme.lower() != "basic" or wanted is None or not same:
            raise _RefusedError(401, "wrong user or password")

    async def _get(self, request: web.Request) -> web.Response:
        path = _path(request)
        state = await self._call(lambda plugin: plugin.read_state(path))
        if state is None:
            raise _RefusedError(404, "no state")
        return web.Response(
            body=state, content_type="application/json", headers={"Content-MD5": _md5(state)}
        )

    async def _post(self, request: web.Request) -> web.Response:
        path = _path(request)
        state = await request.read()
        wanted = request.headers.get("Content-MD5")
        if wanted is not None and wanted != _md5(state):
            raise _RefusedError(400, "the body is not what Content-MD5 says: it is damaged")
        if request.content_length is not None and request.content_length != len(state):
            raise _RefusedError(400, "the body is cut off")
        lock_id = self._lock_id(path, request.query.get("ID"))
        await self._call(lambda plugin: plugin.write_state(path, state, lock_id))
        return web.Response()

    async def _delete(self, request: web.Request) -> web.Response:
        path = _path(request)
        lock_id = self._lock_id(path, request.query.get("ID"))
        await self._call(lambda plugin: plugin.delete_state(path, lock_id))
        return web.Response()

    async def _lock(self, request: web.Request) -> web.Response:
        path, info = _path(request), _read_info(await request.read())
        if info is None:
            raise _RefusedError(400, "expected the info of the lock")
        try:
            lock_id = await self._keeper.repeat(lambda plugin: plugin.lock_state(path, info))
        except CallError as error:
            holder = _holder(error)
            # The plugin may have ended after it locked, and the request come again.
            if holder is None or holder.id != info.id:
                raise _refused(error) from None
            lock_id = info.id
        if lock_id != info.id:
            self._lock_ids[path, info.id] = lock_id
        return web.Response()

    async def _unlock(self, request: web.Request) -> web.Response:
        path, info = _path(request), _read_info(await request.read())
        lock_id = None if info is None else self._lock_id(path, info.id)
        try:
            await self._keeper.repeat(lambda plugin: plugin.unlock_state(path, lock_id))
        except CallError as error:
            # Nobody holds the lock: it is as the client wants it.
            if error.code != ErrorCode.LOCKED or _holder(error) is not None:
                raise _refused(error) from None
        if info is not None:
            self._lock_ids.pop((path, info.id), None)
        return web.Response()

    def _lock_id(self, path: str, id: str | None) -> str | None:
        return None if not id else self._lock_ids.get((path, id), id)

    async def _call(
        self, call: Callable[[AsyncPluginClient], Awaitable[bytes | None]]
    ) -> bytes | None:
        try:
            return await self._keeper.repeat(call)
        except CallError as error:
            raise _refused(error) from None


def _path(request: web.Request) -> str:
    path = request.match_info["path"]
    if not path or any(step in ("", ".", "..") for step in path.split("/")):
        raise _RefusedError(400, "expected the path of a state")
    return path


def _md5(state: bytes) -> str:
    return base64.b64encode(hashlib.md5(state, usedforsecurity=False).digest()).decode()


def _read_info(body: bytes) -> LockInfo | None:
    """The lock's info in the body of a request; None if there is none."""
    if not body.strip():
        return None
    try:
        members: object = json.loads(body)
    except (ValueError, RecursionError):
        raise _RefusedError(400, "the info of the lock is not JSON") from None
    if not is_dict(members):
        raise _RefusedError(400, "the info of the lock is not an object")
    try:
        return read_lock_info({name: members.get(json_name) for name, json_name in _NAMES.items()})
    except CallError as error:
        raise _RefusedError(400, str(error)) from None


def _holder(error: CallError) -> LockInfo | None:
    """Who holds the lock for which a call was refused; None if nobody does."""
    if error.code != ErrorCode.LOCKED or error.data is None:
        return None
    try:
        return read_lock_info(error.data)
    except CallError:
        return None


def _refused(error: CallError) -> _RefusedError:
    if error.code != ErrorCode.LOCKED:
        return _RefusedError(500, str(error))
    holder = _holder(error)
    if holder is None:
        return _RefusedError(409, str(error))
    # Clients read a time, so none is said where it is not known.
    members = {
        json_name: getattr(holder, name)
        for name, json_name in _NAMES.items()
        if getattr(holder, name) or name != "created"
    }
    return _RefusedError(_LOCKED, str(error), json.dumps(members))
