"""Hyperliquid's public info API: one question, one reply, weighed and guarded."""

import json
from typing import Any, Final

from afterword.pipeline.clock import Clock
from afterword.pipeline.gateway.http.address import checked_address
from afterword.pipeline.gateway.http.breaker import Breaker
from afterword.pipeline.gateway.http.model import AskFailedError, RefusedError, Service
from afterword.pipeline.gateway.http.status import failure
from afterword.pipeline.gateway.http.wire import Wire
from afterword.pipeline.gateway.venue.model import InfoRequest
from afterword.pipeline.gateway.venue.weight import WeightMeter

SERVICE: Final = Service("Hyperliquid", "AFTERWORD_HYPERLIQUID", "/info", input_name="request")

BYTES_BESIDE: Final = 65_536
"""Size limit of a reply, beside its rows; bytes."""


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
        self._wire = Wire(SERVICE, checked_address(SERVICE, base_url) + SERVICE.path, {}, timeout_s)

    def ask(self, request: InfoRequest) -> Any:
        """Return the reply to a question, as JSON says it.

        Raises:
            RefusedError: the venue will never answer this question.
            AskFailedError: no usable reply; a `SetupError` where the address is wrong.
            NotSentError: the venue was not reached.
            CircuitOpenError: it is left alone for now.
            WeightSpentError: the weight of this minute is spent.
        """
        if self._meter is None:
            return self._guarded(request)
        with self._meter.reserved(request.most_weight) as reserved:
            reply = self._guarded(request)
            if isinstance(reply, list):
                reserved.weight = request.weight(len(reply))
            return reply

    def close(self) -> None:
        """Close the connections."""
        self._wire.close()

    def _guarded(self, request: InfoRequest) -> Any:
        if self._breaker is None:
            return self._asked(request)
        return self._breaker.guard(lambda: self._asked(request))

    def _asked(self, request: InfoRequest) -> Any:
        body = json.dumps({"type": request.type, **request.fields}).encode()
        largest = BYTES_BESIDE + request.most_rows * request.row_bytes
        received = self._wire.post(body, largest)
        if received.status == 500 and received.body.strip() == b"null":
            # Undocumented, and no failure of its own: an unknown coin, or a malformed address.
            raise RefusedError(request.type, "Hyperliquid answers null", "what it knows")
        if received.status != 200:
            raise failure(SERVICE, received, self._clock())
        try:
            return json.loads(received.body)
        except ValueError as error:
            raise AskFailedError(
                f"{SERVICE.name} sent what is not JSON; try again later"
            ) from error
