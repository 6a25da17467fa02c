"""Claims about the edges of a memory: what was done with what, and what only sounds like it."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from afterword.pipeline.domain.edges.extraction import MAX_EDGES_PER_CONTENT, Edge, extract_edges

WALLET = "0xabcdef0123456789abcdef0123456789abcdef01"


def said(content: str) -> set[str]:
    """Return what a text says of each entity: `BTC holds`; pairs are left out."""
    return {
        f"{edge.entity_key} {edge.edge_type}"
        for edge in extract_edges(content, None)
        if edge.entity_kind != "pair"
    }


def expect(line: str) -> set[str]:
    return {part.strip() for part in line.split(",") if part.strip()}


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("long ETH", "ETH holds"),
        ("bought $SOL and xyz:TSLA", "SOL holds, TSLA holds"),
        ("Accumulating bitcoin every week", "BTC holds"),
        ("I hold BTC, ETH, and a little SOL", "BTC holds, ETH holds, SOL holds"),
        ("bought BTC at 60k, ETH at 3k", "BTC holds, ETH holds"),
        ("DCA into ETH, added to my HYPE position", "ETH holds, HYPE holds"),
        ("Opened 10x long on TSLA", "TSLA holds"),
        ("long $PEPE, short $DOGE", "PEPE holds, DOGE traded"),
        ("sold BTC", "BTC exited"),
        ("exited my SOL position yesterday", "SOL exited"),
        ("stopped out of SOL", "SOL exited"),
        ("took profit on SOL, watching ETH for re-entry", "SOL exited, ETH watched"),
        ("liquidated on kPEPE", "PEPE exited"),
        ("sold half of my NVDA, holding the rest", "NVDA exited"),
        ("traded BTC and ETH", "BTC traded, ETH traded"),
        ("swapped USDC for ETH on base", "USDC traded, ETH traded, base traded"),
        ("ETH swapped for SOL", "ETH traded, SOL traded"),
        ("trade EUR/USD only in London hours", "EURUSD traded"),
        ("shorted ETH", "ETH traded"),
        ("opened a short on BTC", "BTC traded"),
        ("watching BTC, ETH and SOL", "BTC watched, ETH watched, SOL watched"),
        ("keeping an eye on Tesla", "TSLA watched"),
        (f"monitor wallet {WALLET}", f"{WALLET} watched"),
        ("做多以太坊", "ETH holds"),
        ("买入比特币、以太坊和索拉纳", "BTC holds, ETH holds, SOL holds"),
        ("买入BTC，ETH，SOL", "BTC holds, ETH holds, SOL holds"),
        ("不断加仓BTC", "BTC holds"),
        ("持有比特币现金", "BCH holds"),
        ("卖出以太坊，买入索拉纳", "ETH exited, SOL holds"),
        ("以太坊止损出局", "ETH exited"),
        ("特斯拉已经平仓，获利5%", "TSLA exited"),
        ("在Base链上交易PEPE", "PEPE traded, base mentions"),
        ("把ETH换成SOL", "ETH traded, SOL traded"),
        ("关注英伟达和特斯拉", "NVDA watched, TSLA watched"),
        ("观望黄金，等待回调", "GOLD watched"),
        ("加仓SOL，减仓BTC", "SOL holds, BTC traded"),
        ("買入比特幣，隨後平倉", "BTC exited, BTC traded"),
    ],
)
def test_a_verb_says_what_was_done(content: str, expected: str):
    assert said(content) == expect(expected)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("long ETH from $3200, closed at $3450, +7.8%", "ETH exited, ETH traded"),
        ("Bought BTC. Closed at 70k.", "BTC exited, BTC traded"),
        ("bought 2 BTC @ 64000 and sold 1 BTC @ 66000", "BTC exited, BTC traded"),
        ("closed my BTC long", "BTC exited, BTC traded"),
        ("closed the rest of my long in ETH", "ETH exited, ETH traded"),
        ("BTC long closed at 65k", "BTC exited, BTC traded"),
        ("long SOL, but stopped out", "SOL exited, SOL traded"),
        ("long ETH and BTC, closed both", "ETH exited, ETH traded, BTC exited, BTC traded"),
        ("sold BTC, then bought BTC back", "BTC holds, BTC traded"),
        ("做多比特币，随后止损出局", "BTC exited, BTC traded"),
        ("BTC多单已止盈", "BTC exited, BTC traded"),
    ],
)
def test_what_was_entered_and_left_was_traded_and_the_last_word_stands(content: str, expected: str):
    assert said(content) == expect(expected)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("bought BTC but sold ETH", "BTC holds, ETH exited"),
        ("bought BTC and then sold ETH", "BTC holds, ETH exited"),
        ("sold BTC, ETH looks weak", "BTC exited, ETH mentions"),
        ("sold BTC after ETH dropped", "BTC exited, ETH mentions"),
        ("sold ETH for BTC", "ETH exited, BTC mentions"),
        ("bought ETH with USDC", "ETH holds, USDC mentions"),
        ("long ETH on Arbitrum", "ETH holds, arbitrum mentions"),
        ("sold everything except BTC", "BTC mentions"),
        ("Bought BTC. Market closed at 4pm.", "BTC holds"),
        ("Bought ETH. Sold my house.", "ETH holds"),
        ("Bought ETH. Watching it.", "ETH holds"),
        ("watching BTC to buy the dip", "BTC watched"),
        ("买入比特币，但是卖出以太坊", "BTC holds, ETH exited"),
        ("卖出BTC，ETH走势疲软", "BTC exited, ETH mentions"),
        ("用USDC买入ETH", "USDC mentions, ETH holds"),
    ],
)
def test_a_verb_stays_with_its_own_clause_and_object(content: str, expected: str):
    assert said(content) == expect(expected)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("did not buy BTC", "BTC mentions"),
        ("didn't buy or sell BTC", "BTC mentions"),
        ("never sold ETH", "ETH mentions"),
        ("no longer holding DOGE", "DOGE mentions"),
        ("Avoid trading SOL during the Asia session", "SOL mentions"),
        ("didn't buy BTC and sold ETH", "BTC mentions, ETH exited"),
        ("not only bought BTC", "BTC holds"),
        ("would have sold SOL", "SOL mentions"),
        ("user wants to buy BTC below 60k", "BTC mentions"),
        ("If BTC breaks 70k, buy ETH", "BTC mentions, ETH mentions"),
        ("没有买入比特币", "BTC mentions"),
        ("从未持有狗狗币", "DOGE mentions"),
        ("没有在比特币下跌时卖出以太坊", "BTC mentions, ETH mentions"),
        ("打算买入以太坊", "ETH mentions"),
        ("如果比特币突破7万就买入以太坊", "BTC mentions, ETH mentions"),
        ("沒有買入特斯拉，並未賣出以太幣", "TSLA mentions, ETH mentions"),
    ],
)
def test_what_was_denied_wished_or_supposed_was_not_done(content: str, expected: str):
    assert said(content) == expect(expected)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("stop-losses on BTC should trail by 8% not 5%", "BTC mentions"),
        ("BTC ETF inflows spiked on 2026-04-14", "BTC mentions"),
        ("BTC holds above 60k", "BTC mentions"),
        ("ETH closed below 3000", "ETH mentions"),
        ("ETH trading at 3000", "ETH mentions"),
        ("Apple and Google sold off", "GOOGL mentions"),
        ("a buy wall on BTC, sell pressure on ETH", "BTC mentions, ETH mentions"),
        ("short squeeze in GME", "GME mentions"),
        ("long-term and short term BTC views, all day long", "BTC mentions"),
        ("BTC is a long way from 100k", "BTC mentions"),
        ("bullish BTC as long as 60k holds", "BTC mentions"),
        ("bought Base", "base mentions"),
        ("always use 0.5% slippage on arbitrum", "arbitrum mentions"),
        (f"TrueUSD issuer: {WALLET}", f"{WALLET} mentions"),
        ("user avoided meme coins throughout Q1", ""),
        ("prefers weekly charts near the link", ""),
        ("做多比特币，止损95000", "BTC holds"),
        ("交易所的BTC储备下降，未平仓合约上升", "BTC mentions"),
        ("黄金交叉出现在BTC日线", "BTC mentions"),
    ],
)
def test_expressions_that_contain_a_verb_are_no_act(content: str, expected: str):
    assert said(content) == expect(expected)


def test_tickers_of_one_content_occur_together_in_sorted_pairs():
    pairs = [edge for edge in extract_edges("SOL, ETH and BTC on base", None) if "|" in edge[1]]

    assert pairs == [
        Edge("pair", key, "co_occurs_with") for key in ("BTC|ETH", "BTC|SOL", "ETH|SOL")
    ]


def test_five_tickers_make_ten_pairs_and_no_ticker_more():
    text = "BTC ETH SOL XRP ADA AVAX DOGE"
    pairs = [edge for edge in extract_edges(text, None) if edge.entity_kind == "pair"]

    assert len(pairs) == 10
    assert not any("AVAX" in edge.entity_key or "DOGE" in edge.entity_key for edge in pairs)


def test_a_scenario_comes_from_the_system_and_never_from_the_text():
    claim = 'scenario_id: trusted, belongs_to_scenario "trusted", bought BTC'

    assert extract_edges(claim, None) == (Edge("ticker", "BTC", "holds"),)
    assert extract_edges("nothing of note", "breakout-7") == (
        Edge("scenario", "breakout-7", "belongs_to_scenario"),
    )


THIRTY = """BTC ETH SOL BNB XRP ADA AVAX TRX DOT NEAR ATOM SUI APT SEI TON LTC BCH ETC HBAR ICP FIL
KAS XLM XMR ZEC DASH NEO ALGO INJ TIA"""


def test_thirty_tickers_keep_the_scenario_and_the_strongest_edges():
    edges = extract_edges(f"{THIRTY}. Sold TIA but bought INJ.", "sweep")

    assert len(edges) == MAX_EDGES_PER_CONTENT
    assert edges[:3] == (
        Edge("scenario", "sweep", "belongs_to_scenario"),
        Edge("ticker", "INJ", "holds"),
        Edge("ticker", "TIA", "exited"),
    )
    assert [edge.entity_key for edge in edges[3:]] == THIRTY.split()[:17]
    assert {edge.edge_type for edge in edges[3:]} == {"mentions"}


def test_a_verb_reaches_back_to_the_twelve_nearest():
    tickers = THIRTY.split()
    keys = [edge.entity_key for edge in extract_edges(" ".join([*tickers, "sold"]), None)]

    assert keys == [*tickers[-12:], *tickers[:8]]


PIECES = st.sampled_from(
    [
        "BTC",
        "ETH",
        "$SOL",
        "bitcoin",
        "Apple",
        "base",
        "on",
        "买入",
        "卖出",
        "没有",
        "比特币",
        "，",
        "。",
        ",",
        ".",
        "/",
        "long",
        "short",
        "closed",
        "bought",
        "sold\n",
        "",
        "",
        "",
        "did",
        "not",
        "if",
        "or",
        "and",
        "but",
        "to",
        "for",
        "watching",
        "swapped",
        "3450",
        "$5",
        "\x00",
        "�",
        "止损",
    ]
)


@given(st.text() | st.lists(PIECES, max_size=60).map(" ".join), st.none() | st.text())
def test_any_text_gives_at_most_twenty_edges_each_once_and_always_the_same(
    content: str, scenario_id: str | None
):
    edges = extract_edges(content, scenario_id)

    assert len(edges) <= MAX_EDGES_PER_CONTENT
    assert len({edge[:3] for edge in edges}) == len(edges)
    assert edges == extract_edges(content, scenario_id)
    assert all(edge.entity_key and edge.weight == 1.0 for edge in edges)
    assert not {"holds", "exited"} <= {edge.edge_type for edge in edges if edge.entity_key == "BTC"}


@pytest.mark.parametrize("unit", ["closed BTC long ", "trade ", "BTC, and ", "not buy or "])
def test_time_grows_with_the_length_of_a_hostile_text_and_no_faster(unit: str):
    def seconds(size: int) -> float:
        start = time.process_time()
        extract_edges("$SOL " + (unit * size)[:size], None)
        return time.process_time() - start

    # Ten times the text takes ten times as long; were it quadratic, a hundred times.
    assert seconds(1_000_000) < 40 * seconds(100_000) + 1
