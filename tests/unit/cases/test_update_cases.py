"""Cases open, close and get their result; what is no application of a methodology casts no vote."""

from datetime import timedelta

import pytest
from sqlalchemy.exc import IntegrityError

from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.core.store.content_hash import content_hash
from afterword.pipeline.domain.cases import read_rows
from afterword.pipeline.domain.cases.read import case_story
from afterword.pipeline.domain.cases.update import update_cases
from afterword.pipeline.domain.cases.votes import literal_counts, method_votes
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.record import record_decision
from afterword.pipeline.domain.recorded_trades.model import NewTrade
from afterword.pipeline.domain.recorded_trades.record import record_trade, update_trade_outcome
from tests.unit.synthesis.desk import REGISTRY, ROLE


@pytest.fixture
def update(store, clock):
    return lambda: update_cases(store, clock())


@pytest.fixture
def record(store, clock, ids):
    """Record a decision of now, without an outcome."""

    def make(*methods, asset="BTC", direction="long", actor="agent", **fields):
        new = NewDecision(
            ROLE.id, "Because.", asset=asset, direction=direction, methods=methods, **fields
        )
        return record_decision(store, REGISTRY, new, clock, ids, actor=actor)

    return make


@pytest.fixture
def trade(writer, clock):
    """Record a trade of now."""

    def make(side, *, decision=None, closes=None, realised=None, size="1"):
        return record_trade(
            writer,
            NewTrade(
                asset="BTC",
                side=side,
                size=size,
                price="100",
                venue="test",
                account="one",
                decision_uid=decision,
                closes_uid=closes,
                realised_usd=realised,
            ),
        ).uid

    return make


def cases(store):
    with reading(store) as conn:
        return read_rows.listing(conn, None, None, None, 100)


def standings(store):
    return [cited.standing for case in cases(store) for cited in case.citations]


def shares(store):
    """Return of the only case: standing and share of its citation, and the unattributed rest."""
    (case,) = cases(store)
    (cited,) = case.citations
    return cited.standing, cited.attributed_micro_usd, case.unattributed_micro_usd


def votes(store):
    with reading(store) as conn:
        return {method: len(found) for method, found in method_votes(conn).items()}


def test_a_decision_that_cites_a_methodology_becomes_a_case_and_closes_with_its_outcome(
    desk, store, update
):
    desk.method("dip")
    desk.decide(["dip"], [True])

    assert update() == (1, 1, 0)

    (case,) = cases(store)
    assert case.outcome_state == "resolved"
    assert [(one.methodology, one.standing, one.outcome_state) for one in case.citations] == [
        ("dip", "counts", "right")
    ]


def test_updating_again_without_news_changes_nothing(desk, store, update):
    desk.method("dip")
    desk.decide(["dip"], [True, False, None])
    update()
    tables = ("methodology_cases", "methodology_citations")
    with reading(store) as conn:
        before = [content_hash(conn, table) for table in tables]

    assert update() == (0, 0, 0)

    with reading(store) as conn:
        assert [content_hash(conn, table) for table in tables] == before


def test_a_decision_that_points_another_way_casts_no_vote(desk, store, update, record):
    desk.method("dip", direction="bullish")
    record("dip", direction="short")
    update()

    assert (standings(store), votes(store)) == (["direction"], {})


def test_a_decision_about_another_class_of_assets_casts_no_vote(desk, store, update, record):
    desk.method("dip")
    record("dip", asset="SOL")
    update()

    assert standings(store) == ["class"]


@pytest.mark.parametrize(
    ("minutes", "actor", "standing"),
    [(5, "agent", "counts"), (6, "agent", "late"), (6, "owner", "counts"), (6, "system", "counts")],
)
def test_a_decision_an_agent_records_after_a_part_of_its_window_is_hindsight(
    desk, store, clock, update, record, minutes, actor, standing
):
    desk.method("dip", timeframe="intraday")
    clock.advance(minutes=minutes)
    record("dip", actor=actor, decided_at=clock() - timedelta(minutes=minutes))
    update()

    assert standings(store) == [standing]


def test_a_methodology_is_not_judged_by_what_it_may_have_been_made_from(
    desk, store, clock, update, record
):
    decided_at = clock()
    clock.advance(seconds=1)
    desk.method("dip")
    record("dip", decided_at=decided_at)
    update()

    assert standings(store) == ["before"]


@pytest.mark.parametrize(
    ("minutes", "standing", "found"), [(5, "withdrawn", {}), (6, "counts", {1: 1})]
)
def test_only_what_is_replaced_before_its_entry_takes_its_vote_back(
    desk, store, clock, update, record, minutes, standing, found
):
    desk.method("dip", timeframe="intraday")
    first = record("dip")
    decided_at = clock()
    clock.advance(minutes=minutes)
    record(supersedes=first.uid)
    update()
    assert standings(store) == ["counts"]  # its entry is not known yet
    clock.set(decided_at + timedelta(minutes=5))
    desk.measure(first.id)
    clock.advance(days=1)
    update()

    assert (standings(store), votes(store)) == ([standing], found)


def test_withdrawing_the_losers_shortly_before_they_are_due_makes_no_coin_look_skilled(
    desk, store, clock, update, record
):
    """The record is that of the coin, whatever became of its decisions afterwards."""
    desk.method("coin")
    for place in range(40):
        is_hit = place % 2 == 0
        (made,) = desk.decide(["coin"], [is_hit])
        if not is_hit:
            clock.advance(minutes=-1)
            record(supersedes=made.uid)
            clock.advance(minutes=1)
    desk.synthesize()

    one = desk.standing("coin")
    assert (one.figures.effective_uses, one.figures.effective_correct) == (40, 20)
    assert one.promising_since is None


def test_a_decision_counts_however_long_after_it_its_first_price_came(desk, store, update):
    """With daily prices, a decision of the afternoon is measured from the close of the night."""
    desk.method("dip", timeframe="intraday")
    desk.decide(["dip"], [True], entered_after=20)
    update()

    assert standings(store) == ["counts"]


def test_a_loser_cannot_be_withdrawn_after_its_outcome(desk, store, clock, update, record):
    desk.method("dip")
    (first,) = desk.decide(["dip"], [False])
    clock.advance(hours=1)
    record(supersedes=first.uid)
    update()

    assert standings(store) == ["counts"]
    with reading(store) as conn:
        ((vote,),) = method_votes(conn).values()
        assert vote.is_hit is False


def test_a_case_without_outcome_ends_after_thirty_days_and_late_prices_still_resolve_it(
    desk, store, clock, update, record
):
    desk.method("dip")
    made = record("dip")
    decided_at = clock()
    update()
    clock.advance(days=30, hours=23)
    assert update() == (0, 0, 0)
    clock.advance(hours=1)
    assert update() == (0, 1, 0)
    assert cases(store)[0].outcome_state == "unresolved"

    now = clock()
    clock.set(decided_at)
    desk.measure(made.id)
    clock.set(now)
    update()

    (case,) = cases(store)
    assert (case.outcome_state, case.citations[0].outcome_state) == ("resolved", "right")


def test_an_id_that_nobody_knows_is_kept_and_counts_nothing(desk, store, update, record):
    desk.method("dip")
    record("dip", "unheard-of")
    record("unheard-of")
    update()

    (case,) = cases(store)
    assert case.cited == ("dip", "unheard-of")
    assert len(case.citations) == 1


def test_citing_a_merged_methodology_counts_for_its_survivor_from_then_on(
    desk, store, clock, update, record
):
    desk.method("old")
    desk.method("twin")
    record("twin")
    clock.advance(days=2)
    with writing(store) as conn:
        conn.exec_driver_sql(
            "UPDATE methodologies SET merged_into = 1, merged_at = ? WHERE id = 2",
            (int(clock().timestamp() * 1e6),),
        )
    clock.advance(days=1)
    record("twin")
    update()

    assert [one.citations[0].methodology for one in cases(store)] == ["old", "twin"]


def test_the_literal_gate_counts_every_window_of_an_application(desk, store, update):
    desk.method("dip")
    desk.decide(["dip"], [True, False, None])
    update()

    with reading(store) as conn:
        assert list(literal_counts(conn).values()) == [(2, 1)]


def test_the_result_of_a_closing_trade_belongs_to_the_decision_that_opened(
    desk, store, update, record, trade, writer
):
    desk.method("dip")
    desk.method("exit")
    opening, closing = record("dip"), record("exit")
    opened = trade("buy", decision=opening.uid)
    closed = trade("sell", decision=closing.uid, closes=opened, realised="90.000001")
    update()

    with reading(store) as conn:
        first, second = (case_story(conn, number) for number in (1, 2))
    assert first.case.realised_micro_usd == 90_000_001
    assert first.case.citations[0].attributed_micro_usd == 90_000_001
    assert second.case.realised_micro_usd is None
    assert [one.uid for one in first.trades] == [opened, closed]

    update_trade_outcome(writer, closed, "-3")
    assert update().settled == 1
    assert cases(store)[1].realised_micro_usd == -3_000_000


def test_of_every_case_the_parts_add_up_to_the_result(desk, store, update, record, trade):
    for number, methods in enumerate([["a"], ["a", "b"], ["a", "b", "c", "unheard-of"]]):
        for name in methods[:1]:
            if number == 0:
                desk.method(name)
        if number == 1:
            desk.method("b", direction="bearish")
        if number == 2:
            desk.method("c")
        made = record(*methods)
        opened = trade("buy", decision=made.uid, size="3")
        for part in ("0.000001", "-7.123457"):
            trade("sell", closes=opened, realised=part)
    update()

    for case in cases(store):
        parts = sum(one.attributed_micro_usd or 0 for one in case.citations)
        assert parts + case.unattributed_micro_usd == case.realised_micro_usd == -7_123_456


def test_a_share_of_what_counts_no_longer_falls_to_the_rest(
    desk, store, clock, update, record, trade, writer
):
    desk.method("dip", timeframe="short")
    made = record("dip")
    closed = trade("sell", closes=trade("buy", decision=made.uid), realised="90")
    update()
    assert cases(store)[0].citations[0].attributed_micro_usd == 90_000_000

    # Only the outcome tells that the decision was replaced before its entry.
    clock.advance(minutes=5)
    record(supersedes=made.uid)
    update()
    assert shares(store) == ("counts", 90_000_000, 0)
    desk.measure(made.id, hours=168, entered_after=1)
    clock.advance(hours=170)
    update()
    assert shares(store) == ("withdrawn", None, 90_000_000)

    update_trade_outcome(writer, closed, "150")
    update()
    assert shares(store) == ("withdrawn", None, 150_000_000)
    assert update().settled == 0


def test_a_result_whose_trades_are_gone_is_taken_back(desk, store, update, record, trade):
    desk.method("dip")
    closed = trade("sell", closes=trade("buy", decision=record("dip").uid), realised="90")
    update()

    with writing(store) as conn:  # as forgetting does
        conn.exec_driver_sql("DELETE FROM trade_history WHERE uid = ?", (closed,))
    assert update().settled == 1

    assert cases(store)[0].realised_micro_usd is None
    assert shares(store) == ("counts", None, None)


def test_a_round_trip_made_into_a_decision_never_becomes_a_case(desk, store, record):
    made = record()
    with writing(store) as conn:
        conn.exec_driver_sql("DROP TRIGGER role_memory_from_trip_bu")
        conn.exec_driver_sql(
            "UPDATE role_memory SET from_trip_uid = 'trip' WHERE id = ?", (made.id,)
        )
    with pytest.raises(IntegrityError, match="mirrored fills never are"), writing(store) as conn:
        insert_case(conn, made.id)


def test_a_decision_that_cites_nothing_never_becomes_a_case(store, record):
    made = record()

    with pytest.raises(IntegrityError, match="only a decision that cites"), writing(store) as conn:
        insert_case(conn, made.id)


@pytest.mark.parametrize(
    "change",
    [
        "asset_key = 'ETH'",
        "direction = 'short'",
        "cited = '[]'",
        "attribution_model = 'mine'",
        "outcome_state = 'pending', closed_at = NULL",
        "outcome_state = 'unresolved'",
    ],
)
def test_a_closed_case_cannot_be_edited(desk, store, update, change):
    desk.method("dip")
    desk.decide(["dip"], [False])
    update()

    with pytest.raises(IntegrityError), writing(store) as conn:
        conn.exec_driver_sql(f"UPDATE methodology_cases SET {change}")


def insert_case(conn, decision_id):
    conn.exec_driver_sql(
        "INSERT INTO methodology_cases (decision_id, asset_key, asset_class, direction,"
        " decided_at, cited, attribution_model, due_at, known_at)"
        " VALUES (?, 'BTC', 'major_crypto', 'long', 1, '[]', 'equal-1', 2, 1)",
        (decision_id,),
    )
