"""Requests from asyncio: those of Transport, each in a thread.

A request takes a thread as long as it takes, repetitions included; `parallel` bounds how many there are at once, and more wait for their turn. HTTP needs no
better: the server computes meanwhile, and Python does not. A task that is cancelled does not wait any longer. What it had asked for is not asked for if its turn had not
come; else it goes on and may be done: a tell that was cancelled may have been told. Tell it again with its key (`key=`), and it counts once.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import functools
from types import TracebackType
from typing import Any, Callable, Mapping, Optional, Type, TypeVar

from .changes import Change, Changes
from .errors import PreferError
from .transport import Reply, Transport

T = TypeVar("T")


class AsyncTransport:
    """Sends requests to one server, at most `parallel` at a time."""

    def __init__(self, sync: Transport, parallel: int = 32):
        if parallel < 1:
            raise PreferError(f"parallel = {parallel}, want at least 1")
        self.sync = sync
        self._pool = concurrent.futures.ThreadPoolExecutor(parallel, "prefer")

    async def request(
        self,
        method: str,
        path: str,
        body: Optional[bytes] = None,
        query: Optional[Mapping[str, Any]] = None,
        headers: Optional[Mapping[str, str]] = None,
        repeatable: bool = True,
        extra: float = 0.0,
    ) -> Reply:
        """Transport.request."""
        return await self.run(self.sync.request, method, path, body, query, headers, repeatable, extra)

    async def run(self, do: Callable[..., T], *args: Any) -> T:
        """Calls something in one of the threads."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, functools.partial(do, *args))

    async def close(self) -> None:
        self._pool.shutdown(wait=False)
        self.sync.close()


class AsyncChanges:
    """Changes for `async for`, with a thread of its own. aclose() ends it, and so does leaving `async with`."""

    def __init__(self, transport: AsyncTransport, path: str, last: Optional[int] = None):
        self._changes = Changes(transport.sync, path, last)
        self._pool = concurrent.futures.ThreadPoolExecutor(1, "prefer-events")

    def __aiter__(self) -> "AsyncChanges":
        return self

    async def __anext__(self) -> Change:
        change = await asyncio.get_running_loop().run_in_executor(self._pool, next, self._changes, None)
        if change is None:
            raise StopAsyncIteration
        return change

    async def aclose(self) -> None:
        self._changes.close()
        self._pool.shutdown(wait=False)

    async def __aenter__(self) -> "AsyncChanges":
        return self

    async def __aexit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]) -> None:
        await self.aclose()
