"""Fills fall into the order they executed in, and a missing page is told, never mended."""

import os
import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.trips.chain import chain_fills
from afterword.pipeline.domain.trips.model import Chain
from afterword.pipeline.domain.venues.hyperliquid_api import parse_fills, read_fills_file

SHARED = Path(os.environ.get("AFTERWORD_SHARED") or Path(__file__).parents[4] / "shared")
FILLS = SHARED / "data" / "fills"
real_data = pytest.mark.skipif(not FILLS.is_dir(), reason="no shared folder with real fills")


def fills(*moves: tuple[int, int, int], coin: str = "ETH", account: str = "me") -> list[Fill]:
    """Return fills from (time, start position, signed size); their tids count up from 1."""
    rows = [
        {
            "coin": coin,
            "px": "100.0",
            "sz": str(abs(size)),
            "side": "B" if size > 0 else "A",
            "time": time,
            "startPosition": str(start),
            "dir": "Open Long",
            "closedPnl": "0.0",
            "hash": "0x0",
            "oid": 1,
            "crossed": True,
            "fee": "0.0",
            "tid": tid,
        }
        for tid, (time, start, size) in enumerate(moves, start=1)
    ]
    return parse_fills(rows, account, "fills")


def tids(chain: Chain) -> list[int]:
    return [int(fill.tid or 0) for fill in chain.fills]


def broken_links(chains: Sequence[Chain]) -> int:
    return sum(len(chain.breaks) for chain in chains)


def test_fills_of_one_millisecond_follow_their_positions():
    (chain,) = chain_fills(fills((5, 30, -30), (5, 0, 10), (5, 20, 10), (5, 10, 10)))

    assert tids(chain) == [2, 4, 3, 1]
    assert chain.breaks == ()


def test_an_answer_that_is_newest_first_comes_out_oldest_first():
    (chain,) = chain_fills(fills((9, 10, -10), (5, 6, 4), (5, 0, 6)))

    assert tids(chain) == [3, 2, 1]


def test_the_position_before_a_millisecond_tells_where_it_begins():
    (chain,) = chain_fills(fills((1, 0, 5), (2, 8, -3), (2, 5, 3), (3, 5, -5)))

    assert tids(chain) == [1, 3, 2, 4]


def test_the_order_given_is_kept_where_several_orders_close():
    there_and_back = ((5, 0, 1), (5, 1, -1), (5, 0, 2), (5, 2, -2))

    (chain,) = chain_fills(fills(*there_and_back))

    assert tids(chain) == [1, 2, 3, 4]


def test_a_millisecond_given_backwards_is_turned_round_before_it_is_puzzled_out():
    (chain,) = chain_fills(
        fills((9, 0, 3), (5, 2, -2), (5, 0, 2), (5, 1, -1), (5, 0, 1), (1, 3, -3))
    )

    assert tids(chain) == [6, 5, 4, 3, 2, 1]


def test_a_detour_on_the_way_is_not_left_out():
    direct_first = ((1, 0, 1), (5, 1, 4), (5, 1, 1), (5, 2, -1), (9, 5, -5))

    (chain,) = chain_fills(fills(*direct_first))

    assert tids(chain) == [1, 3, 4, 2, 5]
    assert chain.breaks == ()


def test_a_missing_page_is_reported_between_its_neighbours_and_not_mended():
    given_fills = fills((1, 0, 5), (2, 5, 5), (4, 30, -30))

    (chain,) = chain_fills(given_fills)

    (found,) = chain.breaks
    assert (found.earlier.tid, found.later.tid) == ("2", "3")
    assert (found.expected, found.found) == (10, 30)
    assert chain.fills == tuple(given_fills)


def test_a_page_missing_inside_a_millisecond_costs_one_break():
    (chain,) = chain_fills(fills((5, 7, 1), (5, 1, 1), (5, 8, 1), (5, 0, 1)))

    assert tids(chain) == [4, 2, 1, 3]
    assert len(chain.breaks) == 1


def test_repeats_of_overlapping_pages_are_dropped():
    page = fills((1, 0, 5), (2, 5, -5))

    (chain,) = chain_fills([*page, page[1], page[0]])

    assert tids(chain) == [1, 2]


def test_accounts_and_coins_are_chains_of_their_own():
    both = [
        *fills((1, 0, 5), account="b"),
        *fills((1, 7, 5), account="a"),
        *fills((1, 2, 1), coin="BTC"),
    ]

    chains = chain_fills(both)

    assert [c.market[:2] for c in chains] == [("a", "ETH"), ("b", "ETH"), ("me", "BTC")]
    assert broken_links(chains) == 0


@pytest.mark.parametrize("coin", ["@107", "PURR/USDC", "#12"])
def test_a_spot_balance_that_jumps_is_no_missing_page(coin):
    (chain,) = chain_fills(fills((2, 9, -9), (1, 0, 10), coin=coin))

    assert tids(chain) == [2, 1]
    assert chain.breaks == ()


def test_a_hostile_millisecond_is_ordered_in_linear_time():
    rings = [(5, 0, 1), (5, 1, -1)] * 10_000
    random.Random(1).shuffle(rings)

    (chain,) = chain_fills(fills(*rings))

    assert len(chain.fills) == 20_000
    assert chain.breaks == ()


SIZES = st.integers(-3, 3).filter(bool)
WALKS = st.lists(st.tuples(st.integers(0, 1), SIZES), min_size=1, max_size=30)


def walk(steps: list[tuple[int, int]], *, ambiguous: bool) -> list[tuple[int, int, int]]:
    """Turn (time step, signed size) into moves that chain.

    Unless they may be ambiguous, no position repeats inside a millisecond.
    """
    moves: list[tuple[int, int, int]] = []
    time, position, seen = 0, 0, {0}
    for step, size in steps:
        if step or (not ambiguous and position + size in seen):
            time, seen = time + 1, {position}
        moves.append((time, position, size))
        position += size
        seen.add(position)
    return moves


@given(steps=WALKS, seed=st.integers(0, 99))
def test_the_order_of_pages_does_not_matter_where_positions_tell_the_order(steps, seed):
    executed = fills(*walk(steps, ambiguous=False))
    shuffled = random.Random(seed).sample(executed, len(executed))

    assert chain_fills(shuffled) == chain_fills(executed)
    assert chain_fills(executed)[0].fills == tuple(executed)


@given(steps=WALKS, seed=st.integers(0, 99))
def test_what_can_be_chained_from_flat_is_chained_in_every_millisecond(steps, seed):
    # The first fill alone in its millisecond: where a ring begins cannot be told otherwise.
    executed = fills((0, -1, 1), *((t + 1, p, s) for t, p, s in walk(steps, ambiguous=True)))
    shuffled = random.Random(seed).sample(executed, len(executed))

    (chain,) = chain_fills(shuffled)

    assert chain.breaks == ()
    assert sorted(tids(chain)) == sorted(int(fill.tid or 0) for fill in executed)


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(-3, 3), SIZES), min_size=1, max_size=20))
def test_of_unrelated_fills_none_is_lost_and_every_open_link_is_told(moves):
    (chain,) = chain_fills(fills(*moves))

    assert sorted(tids(chain)) == list(range(1, len(moves) + 1))
    assert [fill.time_ms for fill in chain.fills] == sorted(move[0] for move in moves)
    meets = [
        a.end_position == b.start_position
        for a, b in zip(chain.fills, chain.fills[1:], strict=False)
    ]
    assert len(chain.breaks) == meets.count(False)


@real_data
@pytest.mark.parametrize("order", ["as given", "backwards", "shuffled"])
def test_no_link_of_the_leaders_is_open_in_whatever_order_their_fills_come(order):
    given_fills = read_fills_file(FILLS / "hl_userfillsbytime_2026-07_leaders.json", "me")
    orders = {
        "as given": given_fills,
        "backwards": given_fills[::-1],
        "shuffled": random.Random(7).sample(given_fills, len(given_fills)),
    }

    chains = chain_fills(orders[order])

    assert sum(len(chain.fills) for chain in chains) == 1296
    assert broken_links(chains) == 0
    assert chains == chain_fills(given_fills)


@real_data
def test_167_of_485_links_of_the_page_of_2023_stay_open_and_no_fill_is_lost():
    chains = chain_fills(read_fills_file(FILLS / "hl_userfills_2023-05_no_tid.json", "me"))

    assert sum(len(chain.fills) for chain in chains) == 500
    assert sum(len(chain.fills) - 1 for chain in chains) == 485
    assert broken_links(chains) == 167


@real_data
def test_the_newest_first_page_of_2025_closes_every_link():
    chains = chain_fills(read_fills_file(FILLS / "hl_userfills_2025-10_liquidated.json", "me"))

    assert broken_links(chains) == 0
    assert all(chain.fills[0].time_ms <= chain.fills[-1].time_ms for chain in chains)
