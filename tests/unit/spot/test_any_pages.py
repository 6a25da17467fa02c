"""Pages of a wallet's history in any order, overlapping or cut short, end in the same legs."""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from afterword.pipeline.core.store import Store, StoreOptions, Stores, reading
from afterword.pipeline.domain.spot.model import SpotActivity
from afterword.pipeline.domain.spot.rows import activities
from afterword.pipeline.domain.sync.keep_spot import keep_spot
from afterword.pipeline.ids import seeded_uids
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.spot import wallet_swap

HISTORY = [
    wallet_swap(f"{leg + 1} USDC", "1 CRV", number=number, account=account, chain=chain)
    for number in (1, 2)
    for account in ("hot", "cold")
    for chain in ("ethereum", "base")
    for leg in range(3)
]
"""Every transaction has three legs; two wallets and two chains have each."""

Page = list[SpotActivity]


def legs_of(store: Store) -> list[tuple[object, ...]]:
    """Return what is stored, whatever the numbers of the legs are."""
    with reading(store) as conn:
        rows = [stored.activity for stored in activities(conn)]
    return sorted((row.account, row.chain, row.tx_hash, row.from_amount) for row in rows)


def in_one_go() -> list[tuple[object, ...]]:
    return sorted((row.account, row.chain, row.tx_hash, row.from_amount) for row in HISTORY)


@settings(max_examples=15)
@given(
    st.lists(st.lists(st.sampled_from(HISTORY), unique_by=id), max_size=6),
    st.permutations(HISTORY),
    st.integers(1, 30),
)
def test_pages_in_any_order_keep_every_leg_once(pages: list[Page], last: Page, size: int):
    with TemporaryDirectory() as folder:
        clock = ManualClock()
        stores = Stores(Path(folder), StoreOptions(synchronous="NORMAL"), clock, seeded_uids(1))
        store = stores.group("main", create=True)
        new = 0
        for page in (*pages, last):
            rows = [(row, 0) for row in page]
            chunks = [rows[start : start + size] for start in range(0, len(rows), size)]
            new += keep_spot(store, chunks, clock).new

        assert legs_of(store) == in_one_go()
        assert new == len(HISTORY)
        stores.close()


def test_an_import_that_is_stopped_is_finished_by_the_next_one(store, clock):
    def stopped() -> Iterator[list[tuple[SpotActivity, int]]]:
        yield [(row, 0) for row in HISTORY[:7]]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        keep_spot(store, stopped(), clock)

    assert keep_spot(store, [[(row, 0) for row in HISTORY]], clock).new == len(HISTORY) - 7
    assert legs_of(store) == in_one_go()
