"""Replies of a shape that a reader does not know are an error of the venue."""

from collections.abc import Iterator
from typing import TypeVar

from afterword.pipeline.gateway.exchanges.errors import UNREADABLE, unreadable
from afterword.pipeline.gateway.exchanges.model import (
    ExchangePayments,
    ExchangeReader,
    ExchangeTrades,
    ExchangeVenue,
)

_Part = TypeVar("_Part", ExchangeTrades, ExchangePayments)


class ReadableReader:
    """A reader whose errors are ours; see `ExchangeReader`."""

    def __init__(self, venue: ExchangeVenue, reader: ExchangeReader) -> None:
        self._venue, self._reader = venue, reader

    @property
    def horizon_ms(self) -> int:
        """See `ExchangeReader`."""
        return self._reader.horizon_ms

    def trades(self, start_ms: int, end_ms: int) -> Iterator[ExchangeTrades]:
        """See `ExchangeReader`."""
        return self._readable(self._reader.trades(start_ms, end_ms))

    def payments(self, start_ms: int, end_ms: int) -> Iterator[ExchangePayments]:
        """See `ExchangeReader`."""
        return self._readable(self._reader.payments(start_ms, end_ms))

    def _readable(self, parts: Iterator[_Part]) -> Iterator[_Part]:
        while True:
            try:
                part = next(parts)
            except StopIteration:
                return
            except UNREADABLE:
                raise unreadable(self._venue) from None
            yield part
