"""Trades that may stand in two files, and what is known to decide it."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from afterword.pipeline.clock import from_millis
from afterword.pipeline.domain.history.files import KnownFile, undecided_edges


@dataclass(frozen=True, slots=True)
class EqualFills:
    """Equal fills without an id where two files meet: one fill that both hold, or two.

    Args:
        market: the venue's name of it.
        fills: how many there may be more than are kept; count.
        files: the names of those that meet.
    """

    sort: Literal["one fill or two"]
    account: str
    market: str
    first: datetime
    last: datetime
    side: Literal["buy", "sell"]
    size: str
    price: str
    fills: int
    files: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OtherLayout:
    """Fills that were left out of a file, since another layout tells of the same trades.

    Args:
        market: the venue's name of it.
        fills: how many were left out; count.
        files: the name of the file.
        layouts: that of the file, and the others.
    """

    sort: Literal["two layouts"]
    account: str
    market: str
    first: datetime
    last: datetime
    fills: int
    files: tuple[str, ...]
    layouts: tuple[str, ...]


Undecided = EqualFills | OtherLayout


def undecided_fills(files: Sequence[KnownFile]) -> list[Undecided]:
    """Return what a person has to decide about the files of some accounts."""
    return [*_equal(files), *_aside(files)]


def _equal(files: Iterable[KnownFile]) -> Iterator[EqualFills]:
    for edge in undecided_edges(files):
        market, _, _, _, price, size = edge.equal_to.rsplit(":", 5)
        symbol, _, side = market.split(":", 2)[2].rpartition(":")
        at = from_millis(edge.at_ms)
        yield EqualFills(
            sort="one fill or two",
            account=edge.account,
            market=symbol,
            first=at,
            last=at,
            side="buy" if side == "B" else "sell",
            size=size,
            price=price,
            fills=edge.fills,
            files=edge.files,
        )


def _aside(files: Iterable[KnownFile]) -> Iterator[OtherLayout]:
    for file in files:
        for aside in file.set_aside:
            yield OtherLayout(
                sort="two layouts",
                account=file.account,
                market=aside.symbol,
                first=from_millis(aside.first_ms),
                last=from_millis(aside.last_ms),
                fills=aside.fills,
                files=(file.name,),
                layouts=(file.layout, *aside.others),
            )
