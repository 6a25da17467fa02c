"""Hyperliquid's public info API: one question, one reply, weighed and guarded."""

import json
from collections.abc import Callable
from typing import Any, Final, Protocol, TypeVar

from afterword.pipeline.clock import Clock
from afterword.pipeline.gateway.http.address import checked_address
from afterword.pipeline.gateway.http.breaker import Breaker
from afterword.pipeline.gateway.http.model import AskFailedError, RefusedError, Service
from afterword.pipeline.gateway.http.status import failure
from afterword.pipeline.gateway.http.wire import Wire
from afterword.pipeline.gateway.venue.model import InfoRequest
from afterword.pipeline.gateway.venue.weight import WeightMeter

_SERVICE: Final = Service("Hyperliquid", "AFTERWORD_HYPERLIQUID", "/info", input_name="request")

_BYTES_BESIDE: Final = 65_536
"""Size limit of a reply, beside its rows; bytes."""


_Value = TypeVar("_Value")


def read_json(body: bytes) -> Any:
    """Return what a reply says.

    Raises:
        AskFailedError: it is not JSON.
    """
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        raise AskFailedError("Hyperliquid sent what is not JSON; try again later") from None


class VenueInfo(Protocol):
    """Answers questions to a venue: `HyperliquidInfo`, or `PatientInfo`, which waits."""

    def ask(self, request: InfoRequest, read: Callable[[bytes], _Value] = read_json) -> _Value:
        """Return the reply to a question; see `HyperliquidInfo.ask`."""

    def close(self) -> None:
        """Close the connections."""


class HyperliquidInfo:
    """The info API: no retry, no redirect, one deadline for each question; threads may share it.

    Args:
        base_url: http or https address that has `/info` below it.
        timeout_s: longest one question may take; seconds.
        clock: for a Retry-After that names a moment.
        breaker: leaves the service alone while it fails; None asks in any case.
        meter: keeps the weight of a minute below the limit; None weighs nothing.

    Raises:
        InvalidInputError: an address that can never work.
    """

    def __init__(
        self,
        base_url: str,
        timeout_s: float,
        clock: Clock,
        breaker: Breaker | None = None,
        meter: WeightMeter | None = None,
    ) -> None:
        self._clock, self._breaker, self._meter = clock, breaker, meter
        self._wire = Wire(
            _SERVICE, checked_address(_SERVICE, base_url) + _SERVICE.path, {}, timeout_s
        )

    def ask(self, request: InfoRequest, read: Callable[[bytes], _Value] = read_json) -> _Value:
        """Return the reply to a question.

        Args:
            read: of the reply; what it cannot use is an `AskFailedError`, which counts as a failure
                of the venue. A list that it returns has the rows that were sent.

        Raises:
            RefusedError: the venue will never answer this question.
            AskFailedError: no usable reply; a `SetupError` where the address is wrong.
            NotSentError: the venue was not reached.
            CircuitOpenError: it is left alone for now.
            WeightSpentError: the weight of this minute is spent.
        """
        if self._meter is None:
            return self._guarded(request, read)
        with self._meter.reserved(request.most_weight) as reserved:
            reply = self._guarded(request, read)
            if isinstance(reply, list):
                reserved.weight = request.weight(len(reply))
            return reply

    def close(self) -> None:
        """Close the connections."""
        self._wire.close()

    def _guarded(self, request: InfoRequest, read: Callable[[bytes], _Value]) -> _Value:
        if self._breaker is None:
            return read(self._asked(request))
        return self._breaker.guard(lambda: read(self._asked(request)))

    def _asked(self, request: InfoRequest) -> bytes:
        body = json.dumps({"type": request.type, **request.fields}).encode()
        largest = _BYTES_BESIDE + request.most_rows * request.row_bytes
        received = self._wire.post(body, largest)
        if received.status == 500 and received.body.strip() == b"null":
            # Undocumented, and no failure of its own: an unknown coin, or a malformed address.
            raise RefusedError(*request.unknown)
        if received.status != 200:
            raise failure(_SERVICE, received, self._clock())
        return received.body
