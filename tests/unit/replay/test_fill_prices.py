"""Trades without prices are priced by their own fills, and see nothing of tomorrow."""

import re
from datetime import timedelta
from decimal import Decimal
from html import unescape

import pytest

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import reading
from afterword.pipeline.doors.render.html import page
from afterword.pipeline.doors.render.screen import Screen
from afterword.pipeline.doors.render.text import text
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.operations.replay_report.report import replay_report
from afterword.pipeline.rules.market.decimals import plain
from afterword.pipeline.views.replay.report import replay_findings
from afterword.pipeline.views.replay.words import (
    priced_words,
    trips_words,
    unsettled_words,
)
from tests.unit.replay.worlds import (
    BEGIN,
    HOUR,
    export_of,
    fill,
    plan_of,
    prepared,
    price_file,
    replayed,
    rows_of,
    trader,
)


@pytest.fixture
def replay(stores, tmp_path):
    """Replay fills; return how far it is."""

    def run(fills, name="mine", slice_days=30, **parts):
        export = export_of(fills, tmp_path / f"{name}.json")
        plan = plan_of(rules=(), trades=(export,), **parts)
        return replayed(stores, name, plan, slice_days)

    return run


def report_of(stores, status):
    with reading(stores.replay(status.name)) as conn:
        return replay_report(conn, status)


def values(stores, query, name="mine"):
    with reading(stores.replay(name)) as conn:
        return [tuple(row) for row in conn.exec_driver_sql(query)]


def test_a_trip_is_judged_from_its_own_fill_to_the_one_that_traded_a_day_later(stores, replay):
    fills = trader(hours=60)

    replay(fills)

    measured = values(
        stores,
        "SELECT source, symbol, entry_at, entry_price, exit_at, exit_price FROM outcomes "
        "WHERE window_hours = 24 ORDER BY entry_at",
    )
    # 21 prices tell how much a market moves: the eleventh trip is the first with as many.
    entry, exit_ = fills[20], fills[20 + 48]
    assert measured[0] == (
        *("fills", "SOL", entry["time"] * 1_000, plain(Decimal(entry["px"]))),
        *(exit_["time"] * 1_000, plain(Decimal(exit_["px"]))),
    )
    assert len(measured) == 60 - 24 - 10


@pytest.mark.parametrize("hours", [30.5, 36.5, 60.5])
def test_cut_the_export_at_a_pass_and_the_state_there_is_the_same(replay, hours):
    """At each of these passes a position is open: nothing tells yet that it will be closed."""
    fills, cut_at = trader(hours=72), BEGIN + hours * HOUR
    before = [one for one in fills if one["time"] < to_micros(cut_at) // 1000]

    whole, cut = replay(fills, "whole", until=cut_at), replay(before, "cut")

    assert cut.state_hash == whole.state_hash
    assert (whole.cursor, whole.recorded) == (to_micros(cut_at), len(before) // 2)


def test_any_size_of_slices_ends_in_the_same_hash(replay):
    fills = trader(hours=72, coins=("SOL", "xyz:CL"))

    whole, days = replay(fills, "whole"), replay(fills, "days", slice_days=1)

    assert whole.state_hash == days.state_hash != ""


def test_the_order_of_the_rows_changes_nothing(replay):
    fills = trader(hours=48)

    assert replay(fills[::-1], "turned").state_hash == replay(fills).state_hash


def test_a_market_whose_prices_are_given_is_not_priced_by_fills(stores, replay, tmp_path):
    fills = trader(hours=60, coins=("SOL", "BTC"))

    status = replay(fills, prices=(price_file(tmp_path, "SOLUSDT", days=5),))

    series = values(stores, "SELECT source, symbol FROM price_series ORDER BY 1")
    assert series == [("file", "SOLUSDT"), ("fills", "BTC")]
    assert report_of(stores, status).head.priced_by_fills == ("BTC",)


def test_rules_decide_on_bars_and_never_on_fills(stores, tmp_path):
    export = export_of(trader(hours=200, coins=("BTC",)), tmp_path / "mine.json")
    plan = plan_of(price_file(tmp_path, "SOLUSDT", days=9), trades=(export,))

    prepared(stores, "mine", plan)

    of_rules = "SELECT DISTINCT body ->> 'asset' FROM replay_decisions WHERE maker <> 'trades'"
    assert values(stores, of_rules) == [("SOL",)]


def test_a_rule_without_any_bars_is_refused(stores, tmp_path):
    export = export_of(trader(hours=48), tmp_path / "mine.json")

    with pytest.raises(InvalidInputError, match="rule: decides on bars, and only single prints"):
        prepared(stores, "mine", plan_of(trades=(export,)))


def test_the_last_of_several_fills_of_a_millisecond_is_the_price(stores, replay):
    later = BEGIN + HOUR
    fills = [
        *(fill(1, "SOL", BEGIN, "100", 0, 1), fill(2, "SOL", BEGIN, "101", 1, 1)),
        *(fill(3, "SOL", later, "0", 2, -1), fill(4, "SOL", later + HOUR, "102", 1, -1)),
    ]

    replay(fills)

    prints = values(stores, "SELECT t_open, close FROM prices ORDER BY 1")
    assert prints == [(to_micros(BEGIN), "101"), (to_micros(later + HOUR), "102")]


def test_the_report_says_first_what_the_trips_came_to_and_who_priced_them(stores, replay):
    lost = [fill(1, "SOL", BEGIN, "100", 0, 2), fill(2, "SOL", BEGIN + HOUR, "99.5", 2, -2, "-1.0")]
    unknown = [fill(3, "xyz:CL", BEGIN, "70", 5, -5)]  # nobody knows what it was bought at

    status = replay([*lost, *unknown])
    report = report_of(stores, status)

    assert trips_words(report.trips) == [
        "0 of 1 round trip won, net −1.20 USDC: gross −1.00, fees 0.20. Too few to say anything.",
        "1 more round trip left out: fills are missing, so that the entry is not known.",
    ]
    assert unsettled_words(report.head) == (
        "No decision has an outcome: each is judged 1 day later, and the prices end before that."
    )
    assert priced_words(report.head) == (
        "No prices were given for SOL: the trades' own fills are the prices there. The spread is "
        "in them, and between two fills nothing is known."
    )


def test_text_and_page_begin_with_what_the_trips_came_to(stores, replay):
    report = report_of(stores, replay(trader(hours=48)))
    view = replay_findings(report)

    (trips,) = trips_words(report.trips)
    assert re.fullmatch(r"\d+ of 48 round trips won, net −9.60 USDC: .* chance\.", trips)
    for shown in (text(view, Screen()), page(view)):
        flat = " ".join(unescape(shown).split())
        assert flat.index("48 decisions") < flat.index(trips) < flat.index("What came of it")
        assert priced_words(report.head) in flat
        assert "Round trips are judged by that time too, not by what they earned." in flat


def test_a_trip_with_too_few_fills_around_it_waits_and_is_counted(stores, replay):
    early = [fill(1, "SOL", BEGIN, "100", 0, 1), fill(2, "SOL", BEGIN + HOUR, "99", 1, -1)]
    late = BEGIN + timedelta(days=5)
    later = [fill(3, "SOL", late, "90", 0, 1), fill(4, "SOL", late + HOUR, "91", 1, -1)]

    head = report_of(stores, replay([*early, *later])).head

    assert (head.recorded, head.settled, head.unpriced) == (2, 0, 1)
    assert unsettled_words(head) == (
        "No decision has an outcome: 1 of 2 lacks prices of their market (--prices); of the others "
        "each is judged 1 day later."
    )


def test_the_span_reaches_from_the_first_price_to_the_last_trip(stores, replay, tmp_path):
    """Prices of a given file may end before the trades do: these still decide."""
    fills = trader(hours=48)

    status = replay(fills, prices=(price_file(tmp_path, "SOLUSDT", days=1),))

    head = report_of(stores, status).head
    assert (head.recorded, head.reached_at) == (48, BEGIN + timedelta(days=2, minutes=30))


def test_trips_outside_the_span_do_not_decide_and_are_told(stores, replay):
    fills = trader(hours=48)

    report = report_of(stores, replay(fills, since=BEGIN + timedelta(days=1)))

    assert (report.head.decisions, report.trips.trips, report.trips.left_out) == (
        *(24, 24, {"outside the span": 24}),
    )
    assert "24 more round trips left out: closed outside the span of the replay." in " ".join(
        trips_words(report.trips)
    )


def test_no_trip_becomes_a_case(stores, replay):
    replay(trader(hours=48))

    cases = rows_of(stores.replay("mine"), ["methodology_cases", "methodology_citations"])
    assert cases == {"methodology_cases": [], "methodology_citations": []}


def test_exports_that_close_no_position_are_refused(stores, tmp_path):
    export = export_of([fill(1, "SOL", BEGIN, "100", 0, 1)], tmp_path / "mine.json")

    with pytest.raises(InvalidInputError, match="trades: hold no complete round trip; accepted"):
        prepared(stores, "none", plan_of(rules=(), trades=(export,)))
