"""Wait until the weight of a minute has room, for a person who looks on."""

from collections.abc import Callable
from typing import TypeVar

from afterword.pipeline.clock import Clock
from afterword.pipeline.gateway.venue.info import HyperliquidInfo, read_json
from afterword.pipeline.gateway.venue.model import InfoRequest
from afterword.pipeline.gateway.venue.weight import WeightSpentError

_Value = TypeVar("_Value")


class PatientInfo:
    """The info API for one who waits; a job is postponed instead.

    Args:
        info: what is asked.
        clock: the real present.
        sleep: waits some seconds.
    """

    def __init__(
        self, info: HyperliquidInfo, clock: Clock, sleep: Callable[[float], object]
    ) -> None:
        self._info, self._clock, self._sleep = info, clock, sleep

    def close(self) -> None:
        """Close the connections."""
        self._info.close()

    def ask(self, request: InfoRequest, read: Callable[[bytes], _Value] = read_json) -> _Value:
        """Return the reply to a question once there is room for it; see `HyperliquidInfo.ask`."""
        while True:
            try:
                return self._info.ask(request, read)
            except WeightSpentError as spent:
                assert spent.reopens_at is not None, "a minute ends by itself"
                self._sleep(max(0.0, (spent.reopens_at - self._clock()).total_seconds()))
