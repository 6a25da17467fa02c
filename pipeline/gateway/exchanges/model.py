"""The exchanges that are covered, and what is read of them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol

from afterword.pipeline.errors import InvalidInputError


@dataclass(frozen=True, slots=True)
class ExchangeVenue:
    """An exchange.

    Args:
        name: short name in small letters, the same as in files of its exports and in ccxt.
        title: as it writes itself.
        market_types: what ccxt calls the lists of markets to load; None where it has one list.
        has_password: whether its keys have a passphrase, too.
        has_base64_secret: whether the secret of its keys is base64.
        has_funding: whether it tells payments of funding.
        names_markets: whether it tells spot trades of one named market at a time only.
    """

    name: str
    title: str
    market_types: tuple[str, ...] | None
    has_password: bool = False
    has_base64_secret: bool = False
    has_funding: bool = True
    names_markets: bool = False


COVERED_EXCHANGES: Final[Mapping[str, ExchangeVenue]] = {
    venue.name: venue
    for venue in (
        ExchangeVenue("binance", "Binance", ("linear",), names_markets=True),
        ExchangeVenue("bybit", "Bybit", ("spot", "linear")),
        ExchangeVenue("okx", "OKX", ("spot", "swap", "future"), has_password=True),
        ExchangeVenue("kraken", "Kraken", None, has_base64_secret=True, has_funding=False),
    )
}
"""By name. Each tells whose a key is and what it may do, so that only one that reads is used."""


class ExchangeTrades(NamedTuple):
    """All trades of a span of time.

    Args:
        rows: as ccxt unifies them, its numbers as text, with the units of a contract as
            `contractSize` where the market counts contracts and is still listed.
        upto_ms: the end of the span, by the venue's clock; UTC milliseconds.
        full_ms: moments with more rows than a page holds, so that some are missing.
    """

    rows: tuple[Mapping[str, Any], ...]
    upto_ms: int
    full_ms: tuple[int, ...] = ()


class ExchangePayment(NamedTuple):
    """A payment of funding as an exchange tells it: texts.

    Args:
        symbol: the venue's name of the market.
        amount: in the quote currency; negative was paid.
        position: units, without a sign that the venue does not give; None where it tells none.
        rate: of the position's value; None where it tells none.
    """

    symbol: str
    time_ms: int
    amount: str
    position: str | None = None
    rate: str | None = None


class ExchangePayments(NamedTuple):
    """All payments of a span of time; see `ExchangeTrades`."""

    rows: tuple[ExchangePayment, ...]
    upto_ms: int
    full_ms: tuple[int, ...] = ()


class ExchangeReader(Protocol):
    """Reads what one exchange tells of the account of a key, the oldest span first.

    Each raises what `ExchangeClient.ask` does.
    """

    @property
    def horizon_ms(self) -> int:
        """Return from when on the venue tells trades; UTC milliseconds, 0 for all of them."""

    def trades(self, start_ms: int, end_ms: int) -> Iterator[ExchangeTrades]:
        """Yield the trades of a span of time; both ends are included."""

    def payments(self, start_ms: int, end_ms: int) -> Iterator[ExchangePayments]:
        """Yield the payments of funding of a span of time; both ends are included."""


def exchange_named(name: str) -> ExchangeVenue:
    """Return the exchange of a name.

    Raises:
        InvalidInputError: it is not covered.
    """
    venue = COVERED_EXCHANGES.get(name.lower())
    if venue is None:
        accepted = ", ".join(("hyperliquid", *COVERED_EXCHANGES))
        raise InvalidInputError("venue", f"must be one that is covered, got {name!a:.40}", accepted)
    return venue
