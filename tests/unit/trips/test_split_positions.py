"""A position that is held across a split: units and prices are those after it, the cost is not."""

from datetime import timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterword.pipeline.clock import from_millis
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.trips.chain import chain_fills
from afterword.pipeline.domain.trips.model import TripBook
from afterword.pipeline.domain.trips.round_trips import round_trips
from afterword.pipeline.rules.market.splits import Split
from afterword.pipeline.testing.fills import START_MS, traded


def share(minute: int, size: str, px: str, **changes: Any) -> Fill:
    named = {"kind": "stock", "symbol": "NVDA", "base": None, "quote": "USD"}
    return traded(minute, size, px, **named, **changes)


def split_at(minute: int, ratio: str) -> Split:
    return Split(from_millis(START_MS) + timedelta(minutes=minute), Fraction(ratio))


def booked(splits: list[Split], *fills: Fill) -> TripBook:
    (chain,) = chain_fills(fills)
    return round_trips(chain, splits=splits)


def test_a_split_changes_units_and_prices_and_no_money():
    fills = [share(0, "10", "1150", fee="1"), share(9, "-100", "125", fee="1")]
    (trip,) = booked([split_at(5, "10")], *fills).closed

    assert (trip.entry_px, trip.exit_px, trip.max_size) == (115, 125, 100)
    assert (trip.entry_notional, trip.gross_pnl, trip.net_pnl) == (11_500, 1_000, 998)
    assert trip.flags == ("units_split",)


def test_a_fill_at_the_moment_of_a_split_is_in_new_units():
    (trip,) = booked([split_at(9, "2")], share(0, "1", "10"), share(9, "-2", "6")).closed
    assert (trip.gross_pnl, trip.is_incomplete) == (2, False)


def test_a_short_across_a_split_is_bought_back_in_new_units():
    fills = [share(0, "-10", "200", effect="open"), share(9, "20", "90", effect="close")]
    (trip,) = booked([split_at(5, "2")], *fills).closed
    assert (trip.direction, trip.gross_pnl, trip.entry_px) == ("short", 200, 100)


def test_an_open_position_has_the_units_after_the_split_and_the_cost_before_it():
    fills = [share(0, "10", "100"), share(8, "5", "60")]
    (position,) = booked([split_at(5, "2"), split_at(9, "5")], *fills).unclosed
    assert (position.position, position.cost, position.last_px) == (125, 1_300, 12)


def test_what_a_sale_leaves_open_costs_its_share():
    fills = [share(0, "10", "100"), share(8, "-5", "60")]
    (position,) = booked([split_at(5, "2")], *fills).unclosed
    assert (position.position, position.cost) == (15, 750)


def test_a_fraction_that_a_reverse_split_leaves_is_paid_in_cash_and_ends_the_trip():
    fills = [share(0, "105", "1"), share(9, "-10", "400")]
    book = booked([split_at(5, "1/10")], *fills)

    assert not book.unclosed
    assert book.closed[0].gross_pnl == 3_895
    assert book.closed[0].flags == ("dust_left", "units_split")


def test_the_same_rest_without_a_split_is_no_dust():
    assert booked([], share(0, "10.5", "100"), share(9, "-10", "400")).unclosed


def test_thirds_of_a_share_close_when_they_are_sold():
    fills = [share(0, "100", "3"), share(9, "-33.333333333333", "10")]
    (trip,) = booked([split_at(5, "1/3")], *fills).closed
    assert trip.gross_pnl == Decimal("33.33333333333")


def test_splits_before_and_after_a_trip_change_nothing():
    fills = [share(1, "10", "100"), share(2, "-10", "110")]
    splits = [split_at(0, "10"), split_at(3, "4")]
    assert booked(splits, *fills) == booked([], *fills)


def test_a_purchase_is_judged_in_the_units_of_its_day():
    adds = [share(0, "10", "100"), share(8, "20", "60")]
    (trip,) = booked([split_at(5, "2")], *adds, share(9, "-40", "70")).closed
    assert trip.losing_adds == 0  # 60 is above the average of 50
    (trip,) = booked([], *adds, share(9, "-30", "70")).closed
    assert trip.losing_adds == 1


@pytest.mark.parametrize("ratio", [2, 5, 10])
@given(
    sizes=st.lists(st.integers(-5, 5).filter(bool), min_size=2, max_size=10),
    prices=st.lists(st.integers(1, 40), min_size=10, max_size=10),
    minute=st.integers(0, 10),
)
def test_a_split_gives_what_fills_in_one_unit_give(ratio, sizes, prices, minute):
    """The fills before the split, written in new units, make the same trips."""
    fills, restated = [], []
    for at, (size, px) in enumerate(zip(sizes, prices, strict=False)):
        names = {"tid": str(at), "effect": None}
        is_old = at < minute
        units = Decimal(size) if is_old else Decimal(size * ratio)
        price = Decimal(px * ratio) if is_old else Decimal(px)
        fills.append(share(at, str(units), str(price), **names))
        restated.append(share(at, str(size * ratio), str(px), **names))
    with_split, plain = booked([split_at(minute, str(ratio))], *fills), booked([], *restated)

    at_ms = START_MS + minute * 60_000
    for ours, theirs in zip(with_split.closed, plain.closed, strict=True):
        same = ["gross_pnl", "entry_notional", "losing_adds", "fill_uids"]
        if ours.closed_at >= from_millis(at_ms):  # else its units are those of its time
            same += ["max_size", "entry_px", "exit_px"]
        assert [getattr(ours, name) for name in same] == [getattr(theirs, name) for name in same]
    assert [(one.position, one.cost, one.last_px) for one in with_split.unclosed] == [
        (one.position, one.cost, one.last_px) for one in plain.unclosed
    ]
