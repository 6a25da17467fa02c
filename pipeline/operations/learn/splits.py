"""Splits of shares that are held: what the rows of files state, and the trips that stay unclear."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from itertools import groupby
from typing import Final

from afterword.pipeline.clock import from_millis
from afterword.pipeline.domain.exports.import_export import SoundExport
from afterword.pipeline.domain.fills.model import OWNED
from afterword.pipeline.domain.history.spool import Move
from afterword.pipeline.domain.layouts.layout import ShareSplit
from afterword.pipeline.domain.trips.model import OpenPosition
from afterword.pipeline.domain.trips.share_splits import is_near
from afterword.pipeline.domain.trips.trip import Trip
from afterword.pipeline.domain.trips.units import NO_CHANGE, in_units
from afterword.pipeline.rules.market.splits import LARGEST_JUMP, SIMPLE, Split

SplitsByMarket = Mapping[str, Sequence[Split]]

_ZERO: Final = Decimal(0)


def stated_splits(export: SoundExport) -> dict[str, list[Split]]:
    """Return the splits by market that the rows of an export state.

    A row that says the units added tells the ratio only where the file holds all units before it:
    the ratio is of small whole numbers then, and the next price is lower by it. Else it stays
    untold, since a wrong ratio would be a wrong number.
    """
    stated: dict[str, list[Split]] = defaultdict(list)
    rows = sorted(set(export.splits), key=lambda row: (row.account, row.symbol, row.time_ms))
    for (account, symbol), of_market in groupby(rows, key=lambda row: (row.account, row.symbol)):
        moves = list(export.moves(account, symbol))
        held, coming = _ZERO, 0
        for row in of_market:
            while coming < len(moves) and moves[coming].time_ms < row.time_ms:
                held += moves[coming].units
                coming += 1
            around = moves[max(coming - 1, 0) : coming + 1]
            ratio = row.ratio or _ratio_by_units(held, row.added, around)
            if ratio is not None and ratio != NO_CHANGE:
                stated[symbol].append(Split(from_millis(row.time_ms), ratio))
                held = in_units(held, ratio)
    return dict(stated)


def untold(rows: Iterable[ShareSplit], told: SplitsByMarket) -> list[ShareSplit]:
    """Return the rows of splits whose ratio neither they nor another file tell."""
    return [
        row
        for row in rows
        if not any(
            is_near(Split(from_millis(row.time_ms), NO_CHANGE), split)
            for split in told.get(row.symbol, ())
        )
    ]


def across(splits: Iterable[ShareSplit], trip: Trip) -> Trip:
    """Return a trip, marked as incomplete if its shares were split by an unknown ratio meanwhile.

    Args:
        splits: those that are `untold`.
    """
    opened = trip.opened_at
    if trip.kind not in OWNED or opened is None or "share_split" in trip.flags:
        return trip
    if not any(
        (split.account, split.symbol) == (trip.account, trip.symbol)
        and opened <= from_millis(split.time_ms) <= trip.closed_at
        for split in splits
    ):
        return trip
    return replace(trip, is_incomplete=True, flags=(*trip.flags, "share_split"))


def without_cost(
    splits: Iterable[ShareSplit], position: OpenPosition, now: datetime
) -> OpenPosition:
    """Return an open position, without its cost if its units are not known; see `across`."""
    market = position.market
    is_split = market.kind in OWNED and any(
        (split.account, split.symbol) == (market.account, market.symbol)
        and position.opened_at <= from_millis(split.time_ms) <= now
        for split in splits
    )
    return replace(position, cost=None) if is_split else position


def _ratio_by_units(
    held: Decimal, added: Decimal | None, around: Sequence[Move]
) -> Fraction | None:
    """Return the ratio of a split by the units that it added.

    Args:
        around: the fills before and after it.
    """
    if added is None or held <= 0 or held + added <= 0 or len(around) < 2:
        return None
    ratio = Fraction(held + added) / Fraction(held)
    before, after = (Fraction(move.px) for move in around)
    jump, most = before / after / ratio if after else 0, Fraction(LARGEST_JUMP)
    is_plain = max(ratio.numerator, ratio.denominator) <= SIMPLE
    return ratio if is_plain and 1 / most < jump < most else None
