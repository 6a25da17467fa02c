"""Every fill that is read is in a round trip, in an open position, or named as lost: none vanishes.

The sums are held against the fills themselves, for every sample export there is.
"""

import os
from collections import Counter, defaultdict
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from decimal import Decimal, localcontext
from pathlib import Path

import pytest

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.exports.import_export import import_export
from afterword.pipeline.domain.fills.model import EXACT, Fill
from afterword.pipeline.domain.fills.read import latest
from afterword.pipeline.domain.layouts.layout import Origin
from afterword.pipeline.domain.trips.read import lost_positions, of_trip, open_positions, trips
from afterword.pipeline.errors import InvalidInputError

SHARED = Path(os.environ.get("AFTERWORD_SHARED") or Path(__file__).parents[4] / "shared")
FOLDERS = ("data/exports/trades", "data/public", "data/fills", "repro/files")
SAMPLES = sorted(file for folder in FOLDERS for file in (SHARED / folder).glob("*.*"))
END = datetime(2100, 1, 1, tzinfo=UTC)

Totals = dict[tuple[str, str], Decimal]
"""Amounts by sample and token."""


@pytest.fixture
def fills(store, clock, ids) -> list[Fill]:
    """Every fill of every sample that can be read, each sample an account of its own."""
    for sample in SAMPLES:
        origin = Origin(sample.name, sample.stem, zone=UTC, symbol="X", time_format="mdy")
        with suppress(InvalidInputError):  # without words of its owner some cannot be read
            import_export(store, sample, origin, clock, ids)
    with reading(store) as conn:
        return latest(conn, None, None, None, 1_000_000)


@pytest.mark.skipif(not SAMPLES, reason="no shared folder with exports")
def test_the_fills_of_all_samples_add_up(store, fills):
    told: Counter[tuple[str, str]] = Counter()
    fees: Totals = defaultdict(Decimal)
    cash: Totals = defaultdict(Decimal)
    is_sure = dict.fromkeys(map(sample_of, fills), True)
    with reading(store) as conn, localcontext(EXACT):
        for trip in trips(conn):
            of = of_trip(conn, trip.trip_uid)
            if not of:
                continue  # a closed trade: it has no fills
            told.update({(fill.account, fill.fill_uid) for fill in of})
            add(fees, of[0], (*trip.other_fees, (trip.quote, trip.fees or Decimal(0))))
            add(cash, of[0], ((trip.quote, trip.gross or Decimal(0)),))
            if trip.is_incomplete or of[0].states_position:
                is_sure[sample_of(of[0])] = False  # its profit is that of the venue, or not known
        for position in (*open_positions(conn, END), *lost_positions(conn, END)):
            account = position.market.account
            told.update({(account, uid) for uid in position.fill_uids})
            first = next(fill for fill in fills if fill.account == account)
            add(fees, first, (*position.other_fees, (position.quote, position.fees)))
            add(cash, first, ((position.quote, position.cash),))
            if position.cost is None:
                is_sure[sample_of(first)] = False

    assert len(is_sure) > 50, "samples with fills"
    assert set(told) == {(fill.account, fill.fill_uid) for fill in fills}
    assert max(told.values()) <= 2  # a flip ends one trip and begins the next
    paid, moved = money_of(fills)
    assert without_zeros(fees) == without_zeros(paid)
    sure = {sample for sample, holds in is_sure.items() if holds}
    assert len(sure) > 20
    assert without_zeros(cash, sure) == without_zeros(moved, sure)


def money_of(fills: list[Fill]) -> tuple[Totals, Totals]:
    """Return the fees of fills by token, and what they received less what they paid."""
    paid: Totals = defaultdict(Decimal)
    moved: Totals = defaultdict(Decimal)
    with localcontext(EXACT):
        for fill in fills:
            per_unit = fill.px * fill.multiplier
            fee = fill.fee * per_unit if fill.coin_fee else fill.fee
            token = fill.quote if fill.coin_fee else fill.fee_token or fill.quote
            add(paid, fill, ((token, fee),))
            add(moved, fill, ((fill.quote, (fill.coin_fee - fill.move) * per_unit),))
    return paid, moved


def sample_of(fill: Fill) -> str:
    return fill.account.partition("/")[0]


def add(totals: Totals, fill: Fill, amounts: Iterable[tuple[str, Decimal]]) -> None:
    for token, amount in amounts:
        totals[sample_of(fill), token] += amount


def without_zeros(totals: Totals, samples: set[str] | None = None) -> Totals:
    return {
        key: amount
        for key, amount in totals.items()
        if amount and (samples is None or key[0] in samples)
    }
