"""Where a venue states no positions they run from flat, and what is not known is not guessed."""

from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.trips.chain import chain_fills
from afterword.pipeline.domain.trips.model import RoundTrip, TripBook
from afterword.pipeline.domain.trips.round_trips import round_trips
from afterword.pipeline.testing.fills import traded


def booked(*fills: Fill) -> TripBook:
    (chain,) = chain_fills(fills)
    return round_trips(chain)


def the_trip(*fills: Fill) -> RoundTrip:
    (trip,) = booked(*fills).closed
    return trip


def perp(minute: int, size: str, px: str, **changes: Any) -> Fill:
    return traded(minute, size, px, kind="perp", **changes)


def test_a_sale_from_flat_of_things_owned_is_no_short():
    trip = the_trip(traded(0, "-2", "100", fee="0.2"))

    assert (trip.direction, trip.flags, trip.max_size) == ("long", ("opened_before",), 2)
    assert (trip.gross_pnl, trip.entry_px, trip.net_pnl) == (None, None, Decimal("-0.2"))
    assert booked(traded(0, "-2", "100")).unclosed == ()


def test_the_venues_profit_counts_where_the_entry_is_not_known():
    trip = the_trip(perp(0, "-2", "100", effect="close", closed_pnl="30", fee="1"))

    assert (trip.direction, trip.gross_pnl, trip.net_pnl) == ("long", 30, 29)
    assert trip.is_incomplete


def test_one_order_that_sells_what_nobody_bought_is_one_trip():
    fills = [traded(n, "-1", "100", oid="7", tid=str(n)) for n in range(3)]
    other = traded(3, "-1", "100", oid="8", tid="3")

    sizes = [(trip.max_size, len(trip.fill_uids)) for trip in booked(*fills, other).closed]

    assert sizes == [(3, 3), (1, 1)]


def test_a_sale_of_more_than_was_bought_closes_the_known_part_on_its_own():
    known, unknown = booked(
        traded(0, "1", "100"), traded(1, "-3", "110", fee="3", closed_pnl="30")
    ).closed

    # Of what was sold together, most was bought earlier: nobody knows what the whole cost.
    assert (known.gross_pnl, known.fees, known.flags) == (10, 1, ("fills_missing",))
    assert (unknown.flags, unknown.max_size, unknown.fees) == (("opened_before",), 2, 2)
    assert unknown.gross_pnl == 20  # the venue's, by size


@pytest.mark.parametrize("kind", ["spot", "stock"])
def test_a_short_sale_of_things_owned_is_one_where_the_venue_says_so(kind):
    trip = the_trip(
        traded(0, "-2", "100", kind=kind, effect="open"), traded(1, "2", "90", kind=kind)
    )

    assert (trip.direction, trip.gross_pnl, trip.entry_px) == ("short", 20, 100)


def test_a_perpetual_without_a_word_of_the_venue_flips():
    long, short = booked(
        perp(0, "2", "100"), perp(1, "-3", "110", fee="3"), perp(2, "1", "105")
    ).closed

    assert (long.gross_pnl, long.fees, long.left) == (20, 2, -1)
    assert (short.direction, short.gross_pnl, short.fees, short.left) == ("short", 5, 1, 0)


def test_a_fill_that_closes_a_short_with_its_profit_and_goes_on_opens_a_long():
    short, long = booked(
        perp(0, "-1", "50000"),
        perp(1, "3", "49000", effect="close", closed_pnl="1000", fee="60"),
        perp(2, "-2", "49500", effect="close", closed_pnl="1000", fee="40"),
    ).closed

    assert (short.direction, short.gross_pnl, short.fees, short.flags) == ("short", 1000, 20, ())
    assert (long.direction, long.gross_pnl, long.fees, long.flags) == ("long", 1000, 80, ())


def test_a_profit_of_more_than_the_known_units_closes_what_was_opened_earlier():
    known, unknown = booked(
        perp(0, "-1", "50000"), perp(1, "3", "49000", effect="close", closed_pnl="3000")
    ).closed

    assert (known.direction, known.flags) == ("short", ("fills_missing",))
    assert (unknown.direction, unknown.flags) == ("short", ("opened_before",))


def test_a_flip_is_told_by_the_average_price_of_all_entries():
    short, long = booked(
        perp(0, "-1", "100"),
        perp(1, "-3", "104"),
        perp(2, "2", "100", effect="close", closed_pnl="6"),
        perp(3, "5", "102", effect="close", closed_pnl="2"),
        perp(4, "-3", "101", effect="close", closed_pnl="-3"),
    ).closed

    assert (short.gross_pnl, short.flags) == (8, ())
    assert (long.gross_pnl, long.flags) == (-3, ())


def test_a_fee_in_the_coin_is_taken_off_the_position_and_is_a_fee_at_its_price():
    trip = the_trip(
        traded(0, "1", "100", fee="0.001", fee_token="BTC"),
        traded(1, "-0.999", "110", fee="0.05"),
    )

    assert (trip.flags, trip.max_size) == ((), Decimal("0.999"))
    assert trip.gross_pnl == Decimal("9.99")  # 0.999 * 110 - 0.999 * 100
    assert trip.fees == Decimal("0.15")  # 0.001 * 100 + 0.05
    assert trip.net_pnl == Decimal("109.84") - 100  # what came in less what was paid


def test_a_fee_in_a_third_token_is_no_part_of_the_profit():
    trip = the_trip(traded(0, "1", "100", fee="0.01", fee_token="BNB"), traded(1, "-1", "110"))

    assert (trip.fees, trip.other_fees) == (0, (("BNB", Decimal("0.01")),))


@pytest.mark.parametrize(("rest", "trips"), [("0.001", 1), ("0.0011", 0)])
def test_a_rest_of_a_thousandth_counts_as_flat_and_more_does_not(rest, trips):
    sold = Decimal(1) - Decimal(rest)

    closed = booked(traded(0, "1", "100"), traded(1, f"-{sold}", "110")).closed

    assert [trip.flags for trip in closed] == [("dust_left",)] * trips


def bought(minute: int, size: str) -> Fill:
    """Return a purchase whose fee of 0.1 % is taken in the coin."""
    return traded(minute, size, "60000", fee=Decimal(size) / 1000, fee_token="BTC")


def test_a_rest_smaller_than_a_lot_ends_a_trip_and_is_sold_with_a_later_one():
    first, second = booked(
        bought(0, "0.00190"),  # 0.0018981 are left
        traded(1, "-0.00189", "61000"),  # 0.0000081 cannot be sold
        bought(2, "0.00122"),  # 0.00121878
        traded(3, "-0.00122", "61000"),
    ).closed

    assert (first.flags, first.left) == (("dust_left",), Decimal("0.0000081"))
    assert (second.flags, second.left) == ((), Decimal("0.00000688"))


@pytest.mark.parametrize(
    ("size", "sold", "px"),
    [
        ("10", "-8.8", "1"),  # more than a lot, and a tenth of what was bought
        ("20", "-19", "150"),  # worth 150 dollars: kept, not left over
        ("0.2", "-0.19", "100"),  # a whole lot, since the fee was paid in dollars
    ],
)
def test_a_rest_that_could_be_sold_is_still_held(size, sold, px):
    fee = Decimal(size) / 1000 if size != "0.2" else Decimal(0)
    book = booked(
        traded(0, size, px, fee=fee, fee_token="BTC"), traded(1, sold, px), traded(2, "5", px)
    )

    assert book.closed == ()
    assert [position.lost for position in book.unclosed] == [False]


def test_more_than_the_rests_that_are_known_was_bought_earlier():
    trips = booked(
        bought(0, "0.00190"), traded(1, "-0.00189", "61000"), traded(2, "-0.5", "61000")
    ).closed

    assert [trip.flags for trip in trips] == [("dust_left",), ("opened_before",)]


LOTS = st.lists(st.tuples(st.integers(20, 200), st.integers(-500, 500)), min_size=1, max_size=30)


@given(LOTS)
def test_the_money_of_trips_in_lots_is_that_of_their_fills(trades):
    """Whatever rests are left: each lot that can be sold is sold, and what it brought is told."""
    lot, held, fills = Decimal("0.00001"), Decimal(0), []
    for n, (lots, change) in enumerate(trades):
        fills.append(bought(2 * n, str(lot * lots)))
        held += fills[-1].sz - fills[-1].fee
        sold = held // lot * lot
        held -= sold
        fills.append(traded(2 * n + 1, str(-sold), str(60000 + change)))
    book = booked(*fills)

    assert book.unclosed == ()
    assert not any(trip.is_incomplete for trip in book.closed)
    assert len(book.closed) == len(trades)
    assert sum(trip.net_pnl for trip in book.closed) == -sum(fill.move * fill.px for fill in fills)


def test_a_perpetual_has_no_dust():
    assert booked(perp(0, "1", "100"), perp(1, "-0.9999", "110")).closed == ()


def test_a_contract_multiplies_its_price():
    trip = the_trip(perp(0, "5", "3000", multiplier="0.1"), perp(1, "-5", "3100", multiplier="0.1"))

    assert (trip.gross_pnl, trip.entry_notional, trip.entry_px) == (50, 1500, 3000)


@pytest.mark.parametrize(
    ("reported", "flags"),
    [("10", ()), ("10.01", ()), ("10.02", ("ledger_disagrees",)), ("-10", ("ledger_disagrees",))],
)
def test_a_venue_that_reports_another_profit_is_kept_beside_ours(reported, flags):
    trip = the_trip(perp(0, "1", "100"), perp(1, "-1", "110", closed_pnl=reported))

    assert (trip.gross_pnl, trip.venue_gross, trip.flags) == (10, Decimal(reported), flags)


def test_adding_to_a_loser_is_counted_by_the_average_entry_so_far():
    long = the_trip(
        traded(0, "1", "100"), traded(1, "1", "110"), traded(2, "1", "104"), traded(3, "-3", "120")
    )
    short = the_trip(perp(0, "-1", "100"), perp(1, "-1", "101"), perp(2, "2", "90"))

    assert (long.losing_adds, short.losing_adds) == (1, 1)


SIZES = st.integers(-4, 4).filter(bool)
STEPS = st.lists(
    st.tuples(SIZES, st.integers(50, 150), st.sampled_from(["USDT", "BNB", None])), max_size=30
)


@given(STEPS)
def test_the_money_of_a_perpetuals_trips_is_that_of_its_fills(steps):
    moves = [*steps, *([(-held, 100, None)] if (held := sum(size for size, _, _ in steps)) else [])]
    fills = [
        perp(n, str(size), str(px), fee="0.5", fee_token=token)
        for n, (size, px, token) in enumerate(moves)
    ]
    books = [round_trips(chain) for chain in chain_fills(fills)]

    trips = [trip for book in books for trip in book.closed]
    assert not any(book.unclosed for book in books)
    assert sum(trip.gross_pnl or 0 for trip in trips) == -sum(fill.move * fill.px for fill in fills)
    in_quote = [fill.fee for fill in fills if fill.fee_token != "BNB"]
    assert sum(trip.fees for trip in trips) == sum(in_quote)
    assert all(trip.left == 0 or trip.flags == () for trip in trips)
