"""The weight of requests to a venue in any minute, kept below its limit by all processes together.

A request is reserved with the largest weight that it can have, and corrected to what its reply
weighed. It counts until a minute after its end, so that the limit holds whenever the venue counted
it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Final

from afterword.pipeline.clock import Clock, from_micros, to_micros
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.errors import PostponedError
from afterword.pipeline.gateway.venue import weight_rows as rows

METER_SPAN: Final = timedelta(minutes=1)
_US: Final = timedelta(microseconds=1)


class WeightSpentError(PostponedError):
    """A venue's weight of this minute is spent; `reopens_at` is when there is room again."""


class WeighedRequest:
    """A request that is reserved.

    Args:
        weight: what it is booked with; set it to what the reply weighed.
    """

    def __init__(self, weight: int) -> None:
        self.weight = weight


class WeightMeter:
    """The meter of one venue.

    Args:
        store: the installation's `instance.sqlite`: the venue counts by address, and so does the
            meter, over all groups and processes.
        venue: whose weight it is.
        limit: weight that all requests of a minute may have together.
        longest_call_s: after this time a request whose process died counts as ended; seconds.
        clock: the real present.
    """

    def __init__(
        self, store: Store, venue: str, limit: int, longest_call_s: float, clock: Clock
    ) -> None:
        self.limit = limit
        self._store, self._venue, self._clock = store, venue, clock
        self._longest_call = timedelta(seconds=longest_call_s)

    @contextmanager
    def reserved(self, weight: int) -> Iterator[WeighedRequest]:
        """Send one request inside; the weight that is left in the value is booked.

        Args:
            weight: the largest that the request can have; one above the limit is booked as the
                limit, since it fits into a minute of its own.

        Raises:
            WeightSpentError: it does not fit into this minute; nothing was booked.
        """
        booked = min(weight, self.limit)
        request_id = self._start(booked)
        request = WeighedRequest(booked)
        try:
            yield request
        finally:
            with writing(self._store) as conn:
                rows.end(conn, request_id, request.weight, to_micros(self._clock()))

    def used(self) -> int:
        """Return the weight that counts at this moment."""
        with reading(self._store) as conn:
            return rows.used(conn, self._venue, to_micros(self._clock()), METER_SPAN // _US)

    def _start(self, weight: int) -> int:
        span = METER_SPAN // _US
        with writing(self._store) as conn:
            now = self._clock()
            at = to_micros(now)
            rows.drop_old(conn, at, span)
            until = _room_at(rows.ends(conn, self._venue, at, span), self.limit - weight)
            if until is None:
                lost_at = to_micros(now + self._longest_call)
                return rows.start(conn, self._venue, weight, at, lost_at)
        raise self._spent(from_micros(until))

    def _spent(self, until: datetime) -> WeightSpentError:
        return WeightSpentError(
            f"{self._venue} accepts requests of weight {self.limit} a minute, and they are spent "
            f"until {until:%Y-%m-%dT%H:%M:%SZ}",
            until,
        )


def _room_at(ends: list[tuple[int, int]], room: int) -> int | None:
    """Return when no more than `room` counts; None if that is so already."""
    counted = sum(weight for weight, _ in ends)
    until = None
    for weight, end in ends:
        if counted <= room:
            break
        counted, until = counted - weight, end
    return until
