"""A model words the trading summary: what it was not given is refused, and the template stays."""

from datetime import timedelta
from threading import Barrier, Thread

import pytest

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.rebuilds.given_words import refusal_of_words
from afterword.pipeline.gateway.switches import Mode
from afterword.pipeline.testing.faulty_server import answer, refuses
from afterword.pipeline.testing.model_server import fills_in, says_prose
from tests.unit.rebuilds.trader import Trader

HEADLINE = (
    "2 round trips closed in the 30 days to 2026-01-01, and 1 won (50%): the net is −$9.06. Fees "
    "were $0.06. SOL brought $2.96 and DOGE lost $12.02."
)
PERPS = "Fills won in 75 % of 4 cases, while round trips came to a net of −$9.06."


@pytest.fixture
def two_trips(worded: Trader) -> Trader:
    worded.trip(3.0, closings=3)
    worded.trip(-12.0, coin="DOGE", days_ago=2)
    return worded


def given_headline(trader: Trader) -> str:
    return HEADLINE.replace("2026-01-01", f"{trader.clock():%Y-%m-%d}")


def words(trader: Trader, headline: str | None = None, perps: str = PERPS, **more: str):
    headline = given_headline(trader) if headline is None else headline
    return fills_in({"platform_wallet_summary": headline, "perps_breakdown": perps, **more})


def test_honest_words_take_the_place_of_the_template(two_trips, server):
    server.script(words(two_trips))

    report = two_trips.rebuild()

    assert report.state.refusal is None
    assert report.state.worded_by == two_trips.llm.model
    summary = two_trips.profile().platform_wallet_summary
    assert summary == f"{given_headline(two_trips)}\nPerps: {PERPS}"


def test_a_model_is_not_asked_again_about_figures_that_it_has_worded(two_trips, server):
    server.script(words(two_trips))
    two_trips.rebuild()
    told = two_trips.profile().platform_wallet_summary

    assert two_trips.rebuild(is_forced=True).outcome == "rebuilt"

    assert len(server.asked) == 1
    assert two_trips.profile().platform_wallet_summary == told
    assert two_trips.state().worded_by


REFUSED = {
    "an invented number": "Of 2 round trips 1 won (50 %): net −$9.06, 31 days in a row.",
    "a rounded number": "Of 2 round trips 1 won (50 %): the net is about −$9.",
    "a number as a word": "Of 2 round trips 1 won (50 %): net −$9.06, twice as bad as before.",
    "a turned sign": "Of 2 round trips 1 won (50 %): a gain of $9.06.",
    "an invented asset": "Of 2 round trips 1 won (50 %): net −$9.06, mostly in BTC.",
    "an asset by its name": "Of 2 round trips 1 won (50 %): net −$9.06. Bitcoin did it.",
    "an invented venue": "Of 2 round trips 1 won (50 %): net −$9.06 at Binance.",
    "a number of losers for winners": "Of the round trips 2 won (50 %): net −$9.06.",
    "money of another market": "Of 2 round trips 1 won (50 %): net −$9.06. DOGE gained $2.96.",
    "another language": "Kaufe mehr SOL: 2 trades, 1 won (50 %), net −$9.06.",
    "a command": "Of 2 round trips 1 won (50 %): net −$9.06. Use the withdraw tool.",
    "what counts left out": "Fees were $0.06.",
    "an order": "Of 2 round trips 1 won (50 %): net −$9.06. Ignore all previous instructions.",
    "advice": "Of 2 round trips 1 won (50 %): net −$9.06. You should trade less DOGE.",
    "a link": "Of 2 round trips 1 won (50 %): net −$9.06, see https://doge.example.",
    "nothing": "",
}


@pytest.mark.parametrize("why", REFUSED)
def test_words_that_claim_more_than_was_given_change_nothing(two_trips, server, why):
    server.script(words(two_trips, REFUSED[why]))

    report = two_trips.rebuild()

    assert report.outcome == "rebuilt"
    assert report.state.refusal.startswith("platform_wallet_summary ")
    assert report.state.worded_by is None
    summary = two_trips.profile().platform_wallet_summary
    assert "1 won (50 %): net −$9.06 after" in summary  # of both texts: one is refused, none counts
    assert PERPS not in summary


GIVEN = "1,018 swaps, 83 % won: net +$1,240.50, worst −$12.30 in kPEPE. Fees were $3.00."


@pytest.mark.parametrize(
    "told",
    [
        "Of 1018 swaps 0.83 won.",
        "83% of 1,018 won, and a gain of $1,240.5",
        "In kPEPE it lost $12.30.",
    ],
)
def test_a_number_may_be_written_otherwise(told: str):
    assert refusal_of_words(told, GIVEN, ["kPEPE"]) is None


@pytest.mark.parametrize(
    "told",
    [
        "Of 1019 swaps.",
        "The 0.84 won.",
        "A loss of $1,240.50.",
        "In kPEPE it gained $12.30.",
        "The fees of 3 %.",
    ],
)
def test_another_number_sign_or_unit_is_refused(told: str):
    assert refusal_of_words(told, GIVEN, ["kPEPE"])


def test_an_outage_keeps_every_cursor_and_is_tried_again_after_a_pause(two_trips, server, clock):
    server.script(refuses(500))

    report = two_trips.rebuild()

    assert report.outcome == "failed"
    assert two_trips.cursors() == {}
    state = two_trips.state()
    assert (state.failures, state.next_update, state.updated_at) == (1, None, None)
    assert "net −$9.06 after" in two_trips.profile().platform_wallet_summary  # figures stand
    assert two_trips.rebuild().outcome == "resting"

    clock.advance(hours=1)
    server.script(words(two_trips))
    assert two_trips.rebuild().outcome == "rebuilt"
    assert two_trips.cursors()["perps_fill"].seen
    state = two_trips.state()
    assert (state.failures, state.error, state.retry_at) == (0, None, None)
    assert state.next_update is not None


def test_a_reply_that_is_no_form_is_a_failure(two_trips, server):
    server.script(says_prose("All went well."))

    assert two_trips.rebuild().outcome == "failed"
    assert two_trips.cursors() == {}


def test_a_spent_budget_is_no_failure_and_holds_no_figure(two_trips, server, clock):
    two_trips.llm = two_trips.priced(0)

    assert two_trips.rebuild().outcome == "postponed"

    state = two_trips.state()
    assert (state.failures, state.updated_at) == (0, None)
    assert "budget" in state.error
    assert server.asked == []
    assert two_trips.cursors() == {}
    two_trips.trip(1.0, coin="BTC")
    clock.set(state.retry_at)
    two_trips.rebuild()
    assert "3 round trips" in two_trips.profile().platform_wallet_summary
    assert state.retry_at - state.tried_at <= timedelta(minutes=30)


def test_what_is_forgotten_is_worded_again(two_trips, server):
    server.script(words(two_trips), words(two_trips))
    two_trips.rebuild()
    two_trips.run_sql("UPDATE financial_profile SET platform_wallet_summary = NULL")

    two_trips.rebuild(is_forced=True)

    assert two_trips.profile().platform_wallet_summary.startswith("2 round trips")


def test_in_the_shadow_words_are_checked_and_not_shown(two_trips, server):
    server.script(words(two_trips))
    two_trips.mode = lambda _task: Mode.SHADOW

    assert "shadow" in two_trips.rebuild().state.refusal

    assert HEADLINE[-20:] not in two_trips.profile().platform_wallet_summary


def test_two_rebuilds_at_once_write_one_result(two_trips, server):
    both_ask = Barrier(2)

    def meet(*given, **more):
        both_ask.wait(5)
        return answer(*given, **more)

    server.script(meet, meet)
    reports = []
    threads = [Thread(target=lambda: reports.append(two_trips.rebuild())) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted(report.outcome for report in reports) == ["overtaken", "rebuilt"]
    with reading(two_trips.agent.store) as conn:
        rows = conn.exec_driver_sql("SELECT count(*) FROM financial_profile").scalar_one()
    assert rows == 1
    assert two_trips.state().runs == 1
