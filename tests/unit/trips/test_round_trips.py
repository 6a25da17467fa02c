"""A position from flat to flat is one trip, and nothing of its money is lost or invented."""

import os
import random
from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal, localcontext
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterword.pipeline.domain.fills.money import to_micro_usd
from afterword.pipeline.domain.trips.chain import chain_fills
from afterword.pipeline.domain.trips.describe import describe_trip
from afterword.pipeline.domain.trips.model import Fill, RoundTrip, StoredTrip, TripBook
from afterword.pipeline.domain.trips.round_trips import compare_trips, round_trips
from afterword.pipeline.domain.venues.hyperliquid_api import parse_fills, read_fills_file

SHARED = Path(os.environ.get("AFTERWORD_SHARED") or Path(__file__).parents[4] / "shared")
FILLS = SHARED / "data" / "fills"
real_data = pytest.mark.skipif(not FILLS.is_dir(), reason="no shared folder with real fills")

OWN = "0x1111111111111111111111111111111111111111"
OTHER = "0x2222222222222222222222222222222222222222"
MINUTE_MS = 60_000


def a_fill(minute: int, start: str, move: str, px: str = "100.0", **changes: Any) -> Fill:
    """Return a fill of `move` signed units from `start`; keywords replace fields of its row."""
    row = {
        "coin": "ETH",
        "px": px,
        "sz": move.lstrip("+-"),
        "side": "A" if move.startswith("-") else "B",
        "time": 1784500000000 + minute * MINUTE_MS,
        "startPosition": start,
        "dir": "any word",
        "closedPnl": "0.0",
        "hash": "0x0",
        "oid": 1,
        "crossed": True,
        "fee": "0.0",
        "feeToken": "USDC",
        "tid": minute + 1,
    }
    (fill,) = parse_fills([row | changes], "me", "fills")
    return fill


def booked(*fills: Fill, address: str | None = OWN) -> TripBook:
    (chain,) = chain_fills(fills)
    return round_trips(chain, address)


def the_trip(*fills: Fill, address: str | None = OWN) -> RoundTrip:
    (trip,) = booked(*fills, address=address).closed
    return trip


def remembered(trips: Iterable[RoundTrip]) -> list[StoredTrip]:
    return [
        StoredTrip(
            id=0,
            trip_uid=trip.trip_uid,
            digest=trip.digest,
            direction=trip.direction,
            first_fill_uid=trip.fill_uids[0],
            last_fill_uid=trip.fill_uids[-1],
            memory_id=None,
            left=trip.left,
        )
        for trip in trips
    ]


LONG = (
    a_fill(0, "0.0", "+0.4", "3200.0", fee="0.5"),
    a_fill(1, "0.4", "+0.6", "3200.0", fee="0.5"),
    a_fill(60, "1.0", "-0.5", "3440.0", fee="0.5", closedPnl="120.0"),
    a_fill(125, "0.5", "-0.5", "3460.0", fee="0.4", closedPnl="130.0"),
)


def test_a_long_from_flat_to_flat_is_one_trip():
    trip = the_trip(*LONG)

    assert (trip.direction, trip.max_size, len(trip.fill_uids)) == ("long", 1, 4)
    assert (trip.entry_px, trip.exit_px) == (3200, 3450)
    assert (trip.gross_pnl, trip.fees, trip.net_pnl) == (250, Decimal("1.9"), Decimal("248.1"))
    assert trip.return_on_entry == Decimal("0.07753125")
    assert (trip.closed_at - trip.opened_at).total_seconds() == 125 * 60
    assert trip.flags == ()


def test_its_sentence_holds_the_figures_of_its_row():
    assert describe_trip(the_trip(*LONG)) == (
        "long ETH from $3200 to $3450, closed +7.75 % net (+$248.10, fees $1.90), "
        "held 2 h 5 min, 4 fills"
    )


def test_a_short_that_grows_keeps_its_average_and_its_largest_size():
    trip = the_trip(
        a_fill(0, "0.0", "-1.0", "0.0000013"),
        a_fill(1, "-1.0", "-2.0", "0.000002"),
        a_fill(2, "-3.0", "3.0", "0.0000015", closedPnl="0.0000008"),
    )

    assert (trip.direction, trip.max_size) == ("short", 3)
    assert trip.entry_px == Decimal("0.000001766666667")
    assert describe_trip(trip).startswith("short ETH from $0.000001766666667 to $0.0000015, ")


def test_a_flip_closes_one_trip_and_opens_the_next():
    flip = a_fill(1, "2.0", "-3.0", "3000.0", fee="4.05", closedPnl="120.0")
    long, short = booked(
        a_fill(0, "0.0", "2.0", "2940.0", fee="1.0"),
        flip,
        a_fill(2, "-1.0", "1.0", "2990.0", fee="1.0", closedPnl="10.0"),
    ).closed

    assert (long.gross_pnl, long.fees) == (120, Decimal("3.7"))  # 1.00 + two thirds of 4.05
    assert (short.gross_pnl, short.fees) == (10, Decimal("2.35"))  # one third of 4.05 + 1.00
    assert long.fill_uids[-1] == short.fill_uids[0] == flip.fill_uid
    assert long.closed_at == short.opened_at
    assert (short.entry_px, short.max_size) == (3000, 1)


def test_the_two_halves_of_a_flip_fee_add_up_when_the_share_is_no_round_number():
    first, second = booked(
        a_fill(0, "1.0", "-3.0", fee="0.000001"), a_fill(1, "-2.0", "2.0")
    ).closed

    assert first.fees + second.fees == Decimal("0.000001")
    assert (first.fees_micro_usd, second.fees_micro_usd) == (0, 1)


def test_a_flip_that_is_the_first_fill_of_both_trips_names_them_apart():
    first, second = booked(a_fill(0, "1.0", "-3.0"), a_fill(1, "-2.0", "2.0")).closed

    assert first.fill_uids[0] == second.fill_uids[0]
    assert first.trip_uid != second.trip_uid


def test_a_trip_opened_before_the_first_fill_claims_no_entry_and_no_rate():
    trip = the_trip(
        a_fill(0, "5.0", "1.0", "110.0"), a_fill(1, "6.0", "-6.0", "120.0", closedPnl="70.0")
    )

    assert trip.flags == ("opened_before",)
    assert (trip.is_incomplete, trip.entry_px, trip.return_on_entry) == (True, None, None)
    assert describe_trip(trip) == (
        "long ETH from unknown to $120, closed +$70.00 net (fees $0.00), held 1 min, 2 fills, "
        "incomplete, opened before the first known fill"
    )


def test_a_trip_with_a_page_missing_inside_is_incomplete():
    trip = the_trip(a_fill(0, "0.0", "5.0"), a_fill(9, "3.0", "-3.0", closedPnl="1.0"))

    assert trip.flags == ("fills_missing",)
    assert (trip.entry_px, trip.return_on_entry) == (100, None)
    assert describe_trip(trip).endswith("2 fills, incomplete, fills are missing inside")


@pytest.mark.parametrize("next_start", ["0.0", "-2.0"])
def test_a_trip_whose_end_lies_in_a_missing_page_is_lost_not_told(next_start):
    book = booked(a_fill(0, "0.0", "5.0", fee="1.0"), a_fill(9, next_start, "-1.0"))

    assert book.closed == ()
    assert next((u.lost, u.position, u.fees) for u in book.unclosed) == (True, 5, 1)


def test_a_position_still_open_is_no_trip_yet():
    (held,) = booked(a_fill(0, "0.0", "-5.0")).unclosed

    assert (held.lost, held.direction, held.position) == (False, "short", -5)


def test_a_fee_in_another_token_is_kept_apart_from_the_profit():
    trip = the_trip(
        a_fill(0, "0.0", "1.0", fee="0.007", feeToken="HYPE"),
        a_fill(1, "1.0", "-1.0", fee="0.5", closedPnl="2.0"),
    )

    assert (trip.fees, trip.net_pnl) == (Decimal("0.5"), Decimal("1.5"))
    assert trip.other_fees == (("HYPE", Decimal("0.007")),)
    assert describe_trip(trip).endswith("2 fills, other fees 0.007 HYPE")


def test_a_rebate_adds_to_the_profit_and_rows_of_2023_pay_in_dollars():
    trip = the_trip(a_fill(0, "0.0", "1.0", fee="-0.018"), a_fill(1, "1.0", "-1.0", feeToken=None))

    assert trip.net_pnl == Decimal("0.018")
    assert "+0.02 % net (+$0.018, fees -$0.018)" in describe_trip(trip)


@pytest.mark.parametrize(
    ("user", "address", "liquidated", "flags"),
    [
        (OWN, OWN.upper().replace("X", "x"), True, ()),
        (OTHER, OWN, False, ()),
        (OWN, None, False, ("liquidation_unmatched",)),
        (None, OWN, False, ("liquidation_unmatched",)),
    ],
)
def test_only_the_liquidation_of_this_account_is_one(user, address, liquidated, flags):
    forced = {"liquidatedUser": user, "markPx": "90.0", "method": "market"}

    trip = the_trip(
        a_fill(0, "0.0", "1.0"),
        a_fill(1, "1.0", "-1.0", "90.0", dir="Close Long", liquidation=forced),
        address=address,
    )

    assert (trip.liquidated, trip.flags) == (liquidated, flags)
    assert describe_trip(trip).endswith(", liquidated") == liquidated


def test_an_account_named_by_its_address_needs_no_other():
    forced = {"liquidatedUser": OWN, "method": "market"}
    fills = [a_fill(0, "0.0", "1.0"), a_fill(1, "1.0", "-1.0", liquidation=forced)]

    assert the_trip(*(fill._replace(account=OWN) for fill in fills), address=None).liquidated


def test_a_backstop_liquidation_says_so_itself():
    closing = a_fill(1, "1.0", "-1.0", dir="Liquidated Cross Long")

    assert the_trip(a_fill(0, "0.0", "1.0"), closing, address=None).liquidated


@pytest.mark.parametrize(
    ("word", "flags", "told"),
    [
        ("Auto-Deleveraging", ("auto_deleveraged",), ", auto-deleveraged"),
        ("Net Child Vaults", ("vault_netting",), ", netted inside a vault"),
        ("Some Future Direction", (), "2 fills"),
    ],
)
def test_every_direction_word_moves_the_position_by_its_side(word, flags, told):
    trip = the_trip(a_fill(0, "0.0", "-1.0"), a_fill(1, "-1.0", "1.0", dir=word))

    assert trip.flags == flags
    assert describe_trip(trip).endswith(told)


@pytest.mark.parametrize("coin", ["@107", "@142", "PURR/USDC", "#12"])
def test_what_is_bought_and_sold_at_a_spot_market_is_a_trip(coin):
    trip = the_trip(
        a_fill(0, "5.0", "1.0", coin=coin),  # five were there before
        a_fill(1, "6.0", "-1.0", coin=coin),
    )

    assert (trip.market.kind, trip.direction, trip.flags) == ("spot", "long", ())


def test_a_fee_in_the_coin_of_a_spot_market_leaves_the_balance_that_the_venue_states():
    trip = the_trip(
        a_fill(0, "0.0", "10", "20", coin="@107", fee="0.007", feeToken="HYPE"),
        a_fill(
            *(1, "9.993", "-9.993", "21"),
            coin="@107",
            fee="0.15",
            feeToken="USDC",
            closedPnl="9.99",
        ),
    )

    assert (trip.flags, trip.left) == ((), 0)
    # 9.993 x 21 - 10 x 20 - 0.15
    assert (trip.fees, trip.net_pnl) == (Decimal("0.29"), Decimal("9.703"))


def test_units_that_were_sent_away_leave_the_position():
    """What was sent is no sale: the trip has no known end, and the next one begins flat."""
    book = booked(
        a_fill(0, "0.0", "10.0", coin="@107"),
        a_fill(1, "0.0", "4.0", coin="@107"),
        a_fill(2, "4.0", "-4.0", coin="@107"),
    )

    assert [(sent.position, sent.lost) for sent in book.unclosed] == [(10, True)]
    assert [(trip.max_size, trip.flags) for trip in book.closed] == [(4, ())]


def test_a_trip_of_which_a_part_was_sent_away_is_incomplete():
    trip = the_trip(a_fill(0, "0.0", "10.0", coin="@107"), a_fill(1, "4.0", "-4.0", coin="@107"))

    assert "fills_missing" in trip.flags
    assert trip.is_incomplete


def test_a_trip_bought_for_nothing_has_no_rate():
    assert (
        the_trip(a_fill(0, "0.0", "1.0", "0.0"), a_fill(1, "1.0", "-1.0")).return_on_entry is None
    )


@pytest.mark.parametrize(
    ("amount", "micro_usd"),
    [
        ("1.9", 1_900_000),
        ("0.0000005", 0),
        ("0.0000015", 2),
        ("-0.0000015", -2),
        ("-3", -3_000_000),
    ],
)
def test_amounts_round_to_the_nearest_micro_dollar_and_ties_to_even(amount, micro_usd):
    assert to_micro_usd(Decimal(amount)) == micro_usd


def test_a_stored_row_adds_up_even_where_each_column_was_rounded():
    trip = replace(the_trip(*LONG), gross_pnl=Decimal("0.0000014"), fees=Decimal("0.0000006"))

    assert (trip.gross_micro_usd, trip.fees_micro_usd, trip.net_micro_usd) == (1, 1, 0)


@pytest.mark.parametrize(
    ("minutes", "told"), [(0, "under 1 s"), (59, "59 min"), (1440, "1 d"), (3000, "2 d 2 h")]
)
def test_a_duration_is_told_in_its_two_largest_units(minutes, told):
    trip = the_trip(a_fill(0, "0.0", "1.0"), a_fill(minutes, "1.0", "-1.0", tid=9999))

    assert f", held {told}, " in describe_trip(trip)


def test_the_widest_numbers_are_added_exactly_in_whatever_decimal_context():
    wide, tiny = "12345678901234567890.0", "0.00000000000000000001"

    with localcontext(prec=3):
        trip = the_trip(
            a_fill(0, "0.0", wide, wide, fee=tiny), a_fill(1, wide, f"-{wide}", closedPnl=wide)
        )

    assert str(trip.entry_notional) == "152415787532388367501905199875019052100.00"
    assert str(trip.net_pnl) == "12345678901234567889.99999999999999999999"


def test_a_second_look_at_the_same_fills_changes_nothing():
    trips = booked(*LONG).closed

    changes = compare_trips(remembered(trips), booked(*reversed(LONG)).closed)

    assert (changes.new, changes.changed, changes.gone) == ((), (), ())


def test_a_late_fill_inside_a_trip_changes_its_content_under_the_same_name():
    before, after = the_trip(*LONG[:2], LONG[3]), the_trip(*LONG)

    changes = compare_trips(remembered([before]), [after])

    assert (changes.new, changes.changed, changes.gone) == ((), (after,), ())


def test_a_late_opening_replaces_the_trip_that_began_in_the_middle():
    before, after = the_trip(*LONG[2:]), the_trip(*LONG)

    changes = compare_trips(remembered([before]), [after])

    assert changes.new == (after,)
    assert changes.gone == ((before.trip_uid, after),)


def test_a_late_page_that_splits_a_trip_keeps_the_first_half_and_adds_the_second():
    opening, closing = a_fill(0, "0.0", "5.0"), a_fill(9, "3.0", "-3.0")
    late = (a_fill(1, "5.0", "-5.0"), a_fill(8, "0.0", "3.0"))
    before = the_trip(opening, closing)

    first, second = booked(opening, *late, closing).closed

    changes = compare_trips(remembered([before]), [first, second])
    assert before.trip_uid == first.trip_uid
    assert (changes.new, changes.changed, changes.gone) == ((second,), (first,), ())


def test_a_late_page_that_takes_a_trips_end_away_leaves_its_memory_without_successor():
    opening, closing = a_fill(0, "5.0", "3.0"), a_fill(9, "3.0", "-3.0")
    other_side = a_fill(5, "-4.0", "-2.0")
    before = the_trip(opening, closing)

    book = booked(opening, other_side, closing)

    changes = compare_trips(remembered([before]), book.closed)
    assert changes.gone == ((before.trip_uid, None),)
    assert changes.new == book.closed


CENTS = st.integers(-10_000, 10_000).map(lambda cents: f"{cents / 100:.2f}")
STEP = st.tuples(
    st.integers(-3, 3).filter(bool),  # signed size
    st.integers(0, 2),  # minutes after the fill before
    st.booleans(),  # a page is missing before it
    CENTS,  # closed profit
    CENTS,  # fee
    st.sampled_from(["USDC", None, "HYPE"]),
)


@given(st.lists(STEP, max_size=40), st.integers(0, 99))
def test_trips_and_unclosed_positions_add_up_to_the_fills_exactly(steps, seed):
    fills, minute, position = [], 0, 0
    for tid, (move, later, gap, pnl, fee, token) in enumerate(steps, start=1):
        minute, position = minute + later, position + (2 if gap else 0)
        money = {"closedPnl": pnl, "fee": fee, "feeToken": token, "tid": tid}
        fills.append(a_fill(minute, str(position), f"{move:+d}", **money))
        position += move

    books = [round_trips(chain, OWN) for chain in chain_fills(fills)]

    pieces = [piece for book in books for piece in (*book.closed, *book.unclosed)]
    assert sum(p.gross_pnl for p in pieces) == sum(f.closed_pnl for f in fills)
    assert sum(p.fees for p in pieces) == sum(f.fee for f in fills if f.fee_token != "HYPE")
    other = sum(amount for p in pieces for _, amount in p.other_fees)
    assert other == sum(f.fee for f in fills if f.fee_token == "HYPE")
    assert {uid for p in pieces for uid in p.fill_uids} == {f.fill_uid for f in fills}


@given(st.lists(STEP, max_size=40), st.integers(0, 99))
def test_names_digests_and_sentences_do_not_depend_on_the_order_of_pages(steps, seed):
    fills, position = [], 0
    for minute, (move, _, _, pnl, fee, token) in enumerate(steps):
        money = {"closedPnl": pnl, "fee": fee, "feeToken": token}
        fills.append(a_fill(minute, str(position), f"{move:+d}", **money))
        position += move
    shuffled = random.Random(seed).sample(fills, len(fills))

    def told(given_fills: list[Fill]) -> list[tuple[str, str, str]]:
        trips = [t for chain in chain_fills(given_fills) for t in round_trips(chain, OWN).closed]
        return [(trip.trip_uid, trip.digest, describe_trip(trip)) for trip in trips]

    assert told(shuffled) == told(fills)
    assert len({uid for uid, _, _ in told(fills)}) == len(told(fills))


@real_data
def test_the_liquidated_account_of_2025_lost_three_trips_by_force():
    fills = read_fills_file(FILLS / "hl_userfills_2025-10_liquidated.json", "me")
    owner = "0x109a42c3ead059b041560cb6da71058516e7ba3e"

    told = [
        describe_trip(trip)
        for chain in chain_fills(fills)
        for trip in round_trips(chain, owner).closed
    ]

    assert [line.endswith(", liquidated") for line in told] == [False, False, True, True, True]
    assert told[0] == (
        "long AVAX from $15.249 to $18.5, closed +21.24 % net (+$204.17, fees $0.744519), "
        "held 4 min 52 s, 2 fills"
    )


@real_data
@pytest.mark.parametrize("name", ["2023-05_no_tid", "2025-10_liquidated"])
def test_real_trips_add_up_to_their_fills(name):
    fills = read_fills_file(FILLS / f"hl_userfills_{name}.json", "me")

    books = [round_trips(chain) for chain in chain_fills(fills)]

    pieces = [piece for book in books for piece in (*book.closed, *book.unclosed)]
    assert sum(p.gross_pnl for p in pieces) == sum(f.closed_pnl for f in fills)
    assert sum(p.fees for p in pieces) == sum(f.fee for f in fills)


@real_data
def test_the_leaders_closed_fourteen_trips_and_the_liquidated_stranger_is_not_them():
    fills = read_fills_file(FILLS / "hl_userfillsbytime_2026-07_leaders.json", "me")

    books = [round_trips(chain, OWN) for chain in chain_fills(fills)]

    assert sum(len(book.closed) for book in books) == 14
    assert not any(trip.liquidated for book in books for trip in book.closed)
    flips = sum((fill.start_position or 0) * (fill.end_position or 0) < 0 for fill in fills)
    pieces = [piece for book in books for piece in (*book.closed, *book.unclosed)]
    assert sum(len(piece.fill_uids) for piece in pieces) == len(fills) + flips
