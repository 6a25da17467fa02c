"""Outcome and post-hoc probes: an unknown one stops the start, and none sees tomorrow."""

import json
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest

from afterword.pipeline.domain.outcomes.evidence import (
    MOST_CHARACTERS,
    MOST_ITEMS,
    FileSnapshots,
    PostHoc,
    RefetchSource,
    Snapshot,
    limited_to,
)
from afterword.pipeline.domain.outcomes.probes import (
    Claim,
    Custom,
    Manual,
    PeerRelative,
    PriceDelta,
    Probes,
)
from afterword.pipeline.domain.outcomes.tools import Evidence
from afterword.pipeline.domain.prices.book import PriceBook
from afterword.pipeline.domain.prices.feed import LookAheadError, Series
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.market.bars import Bar
from afterword.pipeline.rules.market.outcome import Outcome, marked, unknown

HOUR = timedelta(hours=1)
START = datetime(2026, 1, 1, tzinfo=UTC)
NOWHERE = PriceBook({})
SOL = Series("file", "SOLUSDT", HOUR)


def walk(count: int) -> list[Bar]:
    prices = [Decimal(100 + place) for place in range(count)]
    return [
        Bar(START + place * HOUR, HOUR, close, close, close, close, Decimal(0))
        for place, close in enumerate(prices)
    ]


def a_claim(at: datetime = START, **inputs: Any) -> Claim:
    return Claim({"asset": "SOL"} | inputs, "long", at)


class Whales:
    """A probe that notes what it was asked."""

    def __init__(self, says: Outcome) -> None:
        self.says = says
        self.asked: list[tuple[Claim, datetime, datetime]] = []

    def outcome(self, claim: Claim, due: datetime, known_by: datetime) -> Outcome:
        self.asked.append((claim, due, known_by))
        return self.says


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        (Custom("whales", 24), "no outcome probe 'whales'; accepted: none is registered"),
        (PriceDelta(0), "window_hours"),
        (Custom("known", 10**6), "window_hours"),
        (PeerRelative(24), "peers"),
        (PeerRelative(24, ("BTC",), "peers"), "peers"),
        (PeerRelative(24, "ETH"), "peers: are of type str"),
        (PeerRelative(24, ("ETH", 7)), "peers: "),
        (PeerRelative(24, ("ETH",) * 21), "peers: "),
        (PeerRelative(24, peers_field=7), "peers_field: is not a name"),
        (PriceDelta(24, asset_field=None), "asset_field: is not a name"),
        (PriceDelta(24, costs=None), "costs: are of type NoneType"),
    ],
)
def test_a_probe_that_could_never_answer_stops_the_start(spec, told):
    probes = Probes({"known": Whales(marked("right", ""))} if "known" in str(spec) else {})

    with pytest.raises(InvalidInputError) as refused:
        probes.check([PriceDelta(24), Manual(), spec])
    assert told in str(refused.value)


def test_a_registered_probe_is_asked_once_it_is_due():
    whales = Whales(marked("wrong", "they sold"))
    probes, spec, due = Probes({"whales": whales}), Custom("whales", 24), START + 24 * HOUR
    probes.check([spec])

    with pytest.raises(LookAheadError):
        probes.outcome(spec, a_claim(), NOWHERE, due - HOUR)
    assert whales.asked == []
    assert probes.outcome(spec, a_claim(), NOWHERE, due) == marked("wrong", "they sold")
    assert whales.asked == [(a_claim(), due, due)]


def test_a_manual_outcome_waits_for_a_person():
    assert Probes().outcome(Manual(), a_claim(), NOWHERE, START).reason == "no_mark"


@pytest.mark.parametrize("asset", [None, "", 7, ["SOL"]])
def test_a_decision_that_names_no_asset_has_no_outcome(asset):
    found = Probes().outcome(PriceDelta(24), a_claim(asset=asset), NOWHERE, START + 24 * HOUR)

    assert found == unknown("no_asset", "the decision's asset names no asset")


@pytest.mark.parametrize("peers", [None, "BTC", [], ["SOL", "sol-usd"], ["BTC"] * 21, [None]])
def test_a_decision_without_peers_has_no_outcome_beside_them(peers):
    spec, book = PeerRelative(24, peers_field="peers"), PriceBook({SOL: walk(400)})
    found = Probes().outcome(
        spec, a_claim(START + 200 * HOUR, peers=peers), book, START + 400 * HOUR
    )

    assert found.reason == "no_asset"


def test_a_tool_asked_again_says_what_it_said_then():
    book, at = PriceBook({SOL: walk(300)}), START + timedelta(hours=200, minutes=30)
    (found,) = PostHoc().known(RefetchSource("get_price"), a_claim(at), book, at)

    assert found.known_at == START + 200 * HOUR
    assert (
        found.text
        == "SOLUSDT 299 at 2026-01-09T08:00:00.000000Z, +8.73 % in 24 h, +128.24 % in 7 d"
    )


def test_a_tool_has_nothing_to_say_of_a_market_nobody_has_or_of_an_old_price():
    book = PriceBook({SOL: walk(10)})
    for claim in (a_claim(START + 300 * HOUR), a_claim(asset="BTC"), a_claim(asset=None)):
        assert PostHoc().known(RefetchSource("get_price"), claim, book, claim.decided_at) == ()


def test_an_unknown_tool_or_record_stops_the_start():
    PostHoc().check([RefetchSource("get_price"), Snapshot("news"), Snapshot("onchain")])

    with pytest.raises(InvalidInputError, match="get_price"):
        PostHoc().check([RefetchSource("send_funds")])
    with pytest.raises(InvalidInputError, match="news or onchain"):
        PostHoc().check([Snapshot("gossip")])  # type: ignore[arg-type]


def test_a_tool_that_tells_of_tomorrow_is_not_believed():
    def leaky(params: Any, prices: Any, known_by: datetime) -> list[Evidence]:
        return [Evidence("leaky", known_by + timedelta(microseconds=1), "it will rise")]

    with pytest.raises(LookAheadError, match="leaky"):
        PostHoc({"leaky": leaky}).known(RefetchSource("leaky"), a_claim(), NOWHERE, START)


def test_evidence_is_bounded_and_its_newest_items_stay():
    many = [Evidence("news", START + place * HOUR, "x" * 9999) for place in range(99)]
    found = limited_to(START + 99 * HOUR, many)

    assert (len(found), len(found[0].text)) == (MOST_ITEMS, MOST_CHARACTERS)
    assert found[-1].known_at == START + 98 * HOUR


def test_a_record_in_a_file_tells_what_was_known_and_about_whom(tmp_path):
    file = tmp_path / "news.jsonl"
    items = [
        (0, "SOL", "old"),
        (30, "sol-usd", "an outage"),
        (40, "BTC", "other"),
        (50, None, "rates"),
    ]
    lines = [
        json.dumps({"known_at": (START + h * HOUR).isoformat(), "asset": asset, "text": words})
        for h, asset, words in items
    ]
    file.write_text("\n".join(lines))
    sources = PostHoc(snapshots={"news": FileSnapshots("news", file)})
    claim, spec = a_claim(START + 45 * HOUR), Snapshot("news")

    def told(known_by: datetime) -> list[str]:
        return [one.text for one in sources.known(spec, claim, NOWHERE, known_by)]

    assert told(claim.decided_at) == ["an outage"]
    assert told(START + 60 * HOUR) == ["an outage", "rates"]
    assert sources.known(Snapshot("onchain"), claim, NOWHERE, START + 60 * HOUR) == ()


@pytest.mark.parametrize(
    "line",
    ["x", "[]", "{}", '{"known_at": "2026-01-01", "asset": "SOL", "text": "x"}', "[" * 99_999],
)
def test_a_record_with_a_line_that_is_no_item_is_refused(tmp_path, line):
    file = tmp_path / "news.jsonl"
    file.write_text(line)

    with pytest.raises(InvalidInputError, match="line 1"):
        FileSnapshots("news", file)
