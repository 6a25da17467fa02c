"""A client of any service that speaks Anthropic's Messages API, by the official SDK."""

from collections.abc import Mapping
from typing import Any, Final

import anthropic
import httpx2
from pydantic import SecretStr

from afterword.pipeline.clock import Clock
from afterword.pipeline.errors import PipelineError
from afterword.pipeline.gateway.budget import Reply
from afterword.pipeline.gateway.http.address import bearer, checked_address
from afterword.pipeline.gateway.http.model import Service
from afterword.pipeline.gateway.http.status import failure
from afterword.pipeline.gateway.http.wire import HttpReply, Wire
from afterword.pipeline.gateway.llm.reply import LARGEST_REPLY, Message, read_message

_SERVICE: Final = Service("model service", "AFTERWORD_LLM", "/v1/messages", input_name="question")

_FORWARDED: Final = ("accept", "anthropic-version", "user-agent")
"""Headers of the SDK that are sent; it also reads some from the environment, and those are not."""

_KEPT: Final = ("content-type", "request-id", "retry-after")


class AnthropicModel:
    """Sends one request per call: no retry, no redirect, one deadline. It books no cost.

    The SDK builds requests and reads statuses. Its time-out bounds only the gaps between bytes, so
    requests go over our own `Wire`, which bounds the whole call.

    Args:
        base_url: http or https address that has `/v1/messages` below it.
        api_key: sent as a bearer token; empty: none is sent.
        model: name of the model.
        timeout_s: longest one call may take; seconds.
        clock: for a Retry-After that names a moment.

    Raises:
        InvalidInputError: an address or key that can never work.
    """

    provider = "anthropic"

    def __init__(
        self, base_url: str, api_key: SecretStr, model: str, timeout_s: float, clock: Clock
    ) -> None:
        self.model = model
        self.timeout_s = timeout_s
        self._clock = clock
        address = checked_address(_SERVICE, base_url)
        self._wire = Wire(_SERVICE, address + _SERVICE.path, bearer(_SERVICE, api_key), timeout_s)
        self._sdk = anthropic.Anthropic(
            api_key="on the wire",  # the SDK takes none from elsewhere if it is given one
            base_url=address,
            max_retries=0,
            timeout=timeout_s,
            open_telemetry=False,
            http_client=httpx2.Client(transport=_OnTheWire(self._wire), trust_env=False),
        )

    def ask(self, request: Mapping[str, Any]) -> Reply[Message]:
        """Send one request, and return the reply and the tokens it names.

        Raises:
            RefusedError: the service will never accept this request.
            AskFailedError: no usable reply; a `SetupError` if no request would get one.
            NotSentError: the service was not reached.
        """
        try:
            raw = self._sdk.messages.with_raw_response.create(**request)
        except anthropic.APIStatusError as error:
            raise failure(_SERVICE, _received(error.response), self._clock()) from None
        except anthropic.APIConnectionError as error:
            if isinstance(error.__cause__, PipelineError):
                raise error.__cause__ from None
            raise
        return read_message(raw.http_response.content, raw.request_id or "")

    def close(self) -> None:
        """Close the connections."""
        self._sdk.close()
        self._wire.close()


class _OnTheWire(httpx2.BaseTransport):
    """Sends the SDK's requests over a `Wire`; returns whole replies only."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        sent = {name: request.headers[name] for name in _FORWARDED if name in request.headers}
        received = self._wire.post(request.read(), LARGEST_REPLY, sent)
        headers = {name: received.headers[name] for name in _KEPT if name in received.headers}
        return httpx2.Response(received.status, headers=headers, content=received.body)


def _received(response: httpx2.Response) -> HttpReply:
    return HttpReply(response.status_code, dict(response.headers), response.content)
