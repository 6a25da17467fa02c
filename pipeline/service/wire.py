"""One POST, cut off at one deadline and one size, told apart by whether it ever left."""

import asyncio
import threading
from collections.abc import Coroutine, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

import httpx

from pipeline.budget import NotSentError
from pipeline.errors import UnavailableError
from pipeline.service.model import AskFailedError, Service

Value = TypeVar("Value")

# Compressed, a small reply could unfold into more than memory holds.
_ALWAYS = {"Content-Type": "application/json", "Accept-Encoding": "identity"}


@dataclass(frozen=True, slots=True)
class Received:
    """A reply as it came off the wire.

    Args:
        headers: by lower-case name.
    """

    status: int
    headers: Mapping[str, str]
    body: bytes


class Wire:
    """Connections to one address, kept open between calls; safe to share between threads.

    httpx bounds the gaps between bytes, so a peer that drips its head or its body holds a caller
    for ever. An event loop on a thread of its own can cut the whole call, name look-up included.
    Make it in the process that uses it: a fork leaves the thread behind.

    Args:
        service: whom it leads to, for what it says.
        url: where to post.
        headers: sent with every request.
        timeout_s: longest one call may take from start to last byte; seconds.
    """

    def __init__(
        self, service: Service, url: str, headers: Mapping[str, str], timeout_s: float
    ) -> None:
        self._service = service
        self._url = url
        self._timeout_s = timeout_s
        # A redirect would carry the key elsewhere; proxies of the environment are not settings.
        self._client = httpx.AsyncClient(
            headers=_ALWAYS | dict(headers), timeout=None, follow_redirects=False, trust_env=False
        )
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(
            target=self._loop.run_forever, name=f"{service.name} wire", daemon=True
        )
        self._thread.start()

    def post(
        self, body: bytes, largest_reply: int, headers: Mapping[str, str] | None = None
    ) -> Received:
        """Send one request and return its reply, whatever its status; never a second one.

        Args:
            body: JSON.
            largest_reply: bytes beyond which the reply is not read.
            headers: sent with this request too.

        Raises:
            AskFailedError: no whole reply in time.
            NotSentError: not reached, so certainly not asked.
        """
        request = self._client.build_request("POST", self._url, content=body, headers=headers)
        exchange = _Exchange(self._service, self._client, request)
        return self._run(exchange.run(self._timeout_s, largest_reply))

    def close(self) -> None:
        """Wait for calls on their way (their deadline ends them), then hang up; twice is fine."""
        if self._loop.is_closed():
            return
        self._run(self._finish())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _finish(self) -> None:
        # A loop stopped under a call would leave its caller waiting for ever.
        calls = asyncio.all_tasks() - {asyncio.current_task()}
        await asyncio.gather(*calls, return_exceptions=True)
        await self._client.aclose()
        await self._loop.shutdown_default_executor()

    def _run(self, work: Coroutine[Any, Any, Value]) -> Value:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()


class _Exchange:
    """One request, and whether any of it was sent."""

    def __init__(self, service: Service, client: httpx.AsyncClient, request: httpx.Request) -> None:
        self._sent = True
        self._opened: Any = None  # the stream, if this request opened a connection of its own
        self._service = service
        self._client = client
        self._request = request
        request.extensions["trace"] = self._watch

    async def run(self, timeout_s: float, largest: int) -> Received:
        try:
            async with asyncio.timeout(timeout_s):
                return await self._reply(largest)
        except TimeoutError:
            await self._hang_up()
            raise self._failed(f"gave no whole reply within {timeout_s:g} s") from None
        except (httpx.TransportError, OSError) as error:  # OSError: a TLS record that is broken
            raise self._failed(f"broke the connection ({type(error).__name__})") from None

    async def _watch(self, event: str, info: Mapping[str, Any]) -> None:
        # httpcore names its steps; while it is connecting or shaking hands, nothing of the
        # request has left. Any name not known here counts as sent, so that it is paid for.
        self._sent = not event.startswith("connection.")
        if event == "connection.connect_tcp.complete":
            self._opened = info["return_value"]

    async def _hang_up(self) -> None:
        # httpcore forgets a connection whose handshake is cut short, and leaves it open.
        if self._opened is not None and not self._sent:
            await self._opened.aclose()

    async def _reply(self, largest: int) -> Received:
        response = await self._client.send(self._request, stream=True)
        try:
            body = bytearray()
            async for part in response.aiter_raw():
                body += part
                if len(body) > largest:
                    raise self._failed(f"sent more than {largest:,} bytes")
        finally:
            await response.aclose()
        return Received(response.status_code, dict(response.headers), bytes(body))

    def _failed(self, what: str) -> UnavailableError:
        if self._sent:
            return AskFailedError(f"{self._service.name} {what}; try again later")
        return NotSentError(
            f"{self._service.name} could not be reached; check {self._service.base_url} and the "
            "network, or try again later"
        )
