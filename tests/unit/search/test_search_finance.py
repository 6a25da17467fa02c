"""Questions as traders write them, with their signs and abbreviations, find what they are about."""

import pytest

from afterword.pipeline.core.store import Store, StoreOptions, Stores
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import write_memories
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.ids import random_uid
from afterword.pipeline.recall.search.search import search
from afterword.pipeline.testing.clock import ManualClock

ADDRESS = "0xabc4F1d9b27e7A6A3f9E8eD1c4b5A6978d0E1F23"
DIGEST = "8f14e45fceea167a5a36dedd4bea2543"

PAIRS = (
    ("BTC/USD 5%", "short BTC/USD after a 5% bounce"),
    ("R:R > 2", "only takes trades with R:R > 2"),
    ('"long ETH" AND', "long ETH from $3200, closed at $3450, +7.8%"),
    ("stop-loss @ 3,450.5", "stop-loss moved to 3,450.5 on the second add"),
    ("3450.5", "stop-loss moved to 3,450.5 on the second add"),
    ("$ETH +5%", "took profit on $ETH at +5%"),
    ("C++", "the execution engine is written in C++"),
    ("ETH-PERP 10x", "ETH-PERP at 10x was liquidated in March"),
    (ADDRESS, f"the desk's hot wallet is {ADDRESS}"),
    ("0xabc4F1d9…", f"the desk's hot wallet is {ADDRESS}"),
    ("wallet 0xabc4F1d9...0E1F23?", f"the desk's hot wallet is {ADDRESS}"),
    (f"order {DIGEST[:12]}…", f"order {DIGEST} was refused"),
    ("what's my max drawdown?", "max drawdown allowed is 12%"),
    ("P&L 2025 Q3", "P&L for 2025 Q3 was 41,200 USD"),
    ("41200 usd", "P&L for 2025 Q3 was 41,200 USD"),
    ("BRK.B", "bought BRK.B on the split rumour"),
    ("S&P 500", "never shorts the S&P 500 in December"),
    ("EUR/USD @ 1.0850", "limit order EUR/USD at 1.0850"),
    ("1.0850", "limit order EUR/USD at 1.0850"),
    ("0.05% maker fee", "the maker fee is 0.05% above 10M volume"),
    ("> $10M volume", "the maker fee is 0.05% above 10M volume"),
    ("TP1/TP2", "sets TP1/TP2 at 1.5R and 3R"),
    ("1.5R", "sets TP1/TP2 at 1.5R and 3R"),
    ("50/200 MA cross", "enters on the 50/200 MA cross"),
    ("4h-RSI<30", "buys when the 4h RSI is under 30"),
    ("USDC->USDT", "swaps USDC to USDT before weekends"),
    ("10-K filing", "reads the 10-K filing before earnings"),
    ("AAPL 190C 6/20", "sold AAPL 190C 6/20 for 2.35"),
    ("iron-condor", "the iron condor on SPX lost on both sides"),
    ("VIX > 30?", "halves size when VIX is above 30"),
    ("long/short ratio", "ignores the long/short ratio of retail"),
    ("funding -0.01%", "closes longs when funding is above 0.1%, opens at -0.01%"),
    ("e-mini", "trades the E-mini only in the morning"),
    ("what's the CME gap?", "waits for the CME gap to fill"),
    ("DCA'd into SOL", "DCA into SOL every Friday"),
    ("L2s & bridges", "bridges to L2s cost too much on Mondays"),
    ("(hedge|hedging) gold", "hedges gold with silver puts"),
    ("#lessons about FOMO!!!", "FOMO entries lost money nine times of ten"),
    ("sl = entry - 2*ATR", "the SL is two ATR under the entry"),
    ("ask/bid spread $0.02", "the bid/ask spread of the small caps is $0.02"),
    ("pump.fun", "stays away from pump.fun launches"),
    ("HIP-3 markets", "asked about HIP-3 markets and their fees"),
    ("@aave v3", "borrows on Aave v3 at 4%"),
    ("1inch/0x", "routes swaps through 1inch and 0x"),
    ("BTC:USD | ETH:USD", "keeps BTC:USD and ETH:USD in one dashboard"),
    ("NVDA's Q4 guide-up", "NVDA's Q4 guide-up gapped 9%"),
)

NOISE = (
    *("likes quiet markets", "ETH and BTC moved together", "sold half of the gold", "5 trades"),
    *("2 of 3 orders filled", "the stop was too tight", "loss of 10 USD", "the user is long SOL"),
    *("volume was thin on Monday", "fees matter", "the market opened flat", "entry was late"),
)


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """A store with every document and the noise; nothing writes in it afterwards."""
    clock = ManualClock()
    home = tmp_path_factory.mktemp("home")
    stores = Stores(home, StoreOptions(synchronous="NORMAL"), clock, random_uid)
    store = stores.group("main", create=True)
    texts = dict.fromkeys([*NOISE, *(document for _, document in PAIRS)])
    write_memories(
        Writer(store, clock, random_uid), [NewMemory("observation", text) for text in texts]
    )
    return store


@pytest.mark.parametrize(("query", "document"), PAIRS)
def test_what_a_trader_asks_comes_first(filled: Store, query: str, document: str):
    assert search(filled, query)[0].memory.content == document


def test_a_number_is_found_however_it_is_grouped(store: Store, writer: Writer):
    write_memories(writer, [NewMemory("reference", "paid 1,250,000.75 in all")])

    assert [len(search(store, number)) for number in ("1250000.75", "1,250,000.75")] == [1, 1]


def test_irregular_forms_find_each_other(store: Store, writer: Writer):
    write_memories(writer, [NewMemory("reference", "bought the dip, and lost")])

    for query in ("what does the user buy?", "buying", "lose", "losing"):
        assert len(search(store, query)) == 1, query
