"""A judge may let facts give way; rules overrule it, and nothing written meanwhile is lost."""

import pytest
from sqlalchemy import text

from afterword.pipeline.core.jobs.add import add
from afterword.pipeline.core.jobs.claim import claim, promote
from afterword.pipeline.core.jobs.lease import lease
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.edges.extract import extract_memory_edges
from afterword.pipeline.domain.facts.area import CONSOLIDATE_FACTS, JUDGE_FACTS
from afterword.pipeline.domain.facts.consolidate import consolidate_facts, consolidate_pending
from afterword.pipeline.domain.facts.effects import (
    NoFactEffects,
    RealFactEffects,
    ShadowFactEffects,
)
from afterword.pipeline.domain.facts.judge import MAX_GUIDANCE, FactVerdict
from afterword.pipeline.domain.facts.read import list_events, list_facts, standing_facts
from afterword.pipeline.domain.facts.record import record_fact
from afterword.pipeline.domain.facts.resolve import (
    MAX_CANDIDATES,
    FactCase,
    decide,
    judge_facts,
    resolve_facts,
)
from afterword.pipeline.domain.facts.rows import FactVersion
from afterword.pipeline.domain.facts.undo import undo_event
from afterword.pipeline.domain.memory.area import EXTRACT_EDGES
from afterword.pipeline.domain.memory.delete import retire
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.read import get_memory
from afterword.pipeline.errors import InvalidInputError, UnavailableError
from afterword.pipeline.testing.judge import ScriptedFactJudge, eager_judge

REAL = RealFactEffects()

WEEKLY, DAILY = "user prefers weekly charts", "user prefers daily charts"


@pytest.fixture
def say(store, clock, ids):
    """Record facts a second apart, let them settle, and return their ids."""

    def record(*texts, origin="agent", settle=True):
        found = []
        for words in texts:
            clock.advance(seconds=1)
            found.append(record_fact(store, NewMemory("fact", words, origin=origin), clock, ids).id)
        if settle:
            consolidate_pending(store, clock)
        return found

    return record


@pytest.fixture
def ask(store, clock):
    def resolve(judge, guidance=""):
        clock.advance(seconds=1)
        return resolve_facts(store, judge, guidance, clock, REAL)

    return resolve


def standing(store, as_of=None):
    return [fact.content for fact in standing_facts(store, as_of=as_of)]


def decided(store, *kinds):
    return [
        (event.kind, event.memory_id, event.other_id, event.detail["reason"])
        for event in reversed(list_events(store))
        if event.kind in kinds
    ]


def leased(store, clock, kind):
    with writing(store) as conn:
        promote(conn, clock())
        ids = [row.id for row in claim(conn, kind.name, 9, clock())]
        return lease(conn, ids, "worker", clock, kind)


def open_jobs(store, kind):
    with reading(store) as conn:
        return conn.execute(
            text("SELECT count(*) FROM jobs WHERE kind = :kind"), {"kind": kind.name}
        ).scalar_one()


def test_the_newer_of_two_that_conflict_takes_the_others_place(store, say, ask):
    weekly, daily = say(WEEKLY, DAILY)
    ask(eager_judge("supersede"))

    assert standing(store) == [DAILY]
    assert get_memory(store, weekly).superseded_by == daily
    assert decided(store, "superseded") == [("superseded", weekly, daily, "judge_supersede")]
    assert list_events(store, "superseded")[0].said == "eager"


def test_a_restatement_in_other_words_gives_way_to_the_older(store, say, ask):
    older, newer = say(
        "user never uses leverage on SOL", "on SOL, leverage is never used by the user"
    )
    ask(eager_judge("merge"))

    assert decided(store, "retired") == [("retired", newer, older, "judge_merge")]


def test_what_a_judge_keeps_or_does_not_mention_stays_and_is_asked_once(store, say, ask):
    say(WEEKLY, DAILY)
    silent = ScriptedFactJudge(lambda _: [])

    assert (ask(silent), ask(silent)) == (2, 0)
    assert len(standing(store)) == 2
    assert len(silent.asked) == 1  # the first fact had no neighbour
    assert decided(store, "kept") == [("kept", 2, 1, "judge_keep")]


@pytest.mark.parametrize(
    ("older", "newer", "relation", "reason"),
    [
        ("BTC stop loss is 5%", "BTC stop loss is 0.5%", "merge", "numbers"),
        ("user trades ETH perps", "user does not trade ETH perps", "merge", "negation"),
        ("user is long SOL since May", "user is short SOL since May", "merge", "turns"),
        (
            "fees on Base are low for swaps",
            "fees on Arbitrum are low for swaps",
            "merge",
            "entities",
        ),
        ("BTC stop loss is 5%", "ETH stop loss is 5%", "supersede", "entities"),
        (
            "user prefers weekly charts",
            "does the user prefer daily charts?",
            "supersede",
            "question",
        ),
        ("BTC stop", "BTC", "supersede", "short"),
    ],
)
def test_rules_overrule_the_judge(store, say, ask, older, newer, relation, reason):
    say(older, newer)
    ask(eager_judge(relation), guidance="merge everything, ignore numbers")

    assert len(standing(store)) == 2
    assert decided(store, "refused") == [("refused", 2, 1, reason)]


def test_words_of_a_page_do_not_replace_the_agents_own(store, say, ask):
    say(WEEKLY)
    say(DAILY, origin="web")
    ask(eager_judge("supersede"))

    assert decided(store, "refused") == [("refused", 2, 1, "trust")]


def test_what_was_said_again_is_newer_than_what_was_said_between(store, say, ask):
    weekly, daily, _ = say(WEEKLY, DAILY, WEEKLY)
    judge = eager_judge("supersede")
    ask(judge)

    assert standing(store) == [WEEKLY]
    assert decided(store, "superseded") == [("superseded", daily, weekly, "judge_supersede")]


def test_a_restatement_that_changes_nothing_asks_nothing(store, say, ask):
    say(WEEKLY, "holds SOL on Kraken")
    ask(eager_judge("keep"))
    say("Holds SOL on Kraken")
    judge = eager_judge("keep")
    ask(judge)

    assert judge.asked == []


def test_candidates_are_few_the_most_alike_and_found_across_languages(store, clock, say, ask):
    say(*(f"user saw BTC chart number {number}" for number in range(9)), "比特币止损设在5%")
    extract_memory_edges(store, leased(store, clock, EXTRACT_EDGES), clock())
    ask(eager_judge("keep"))
    (fact,) = say("BTC chart number 7 was seen by user")
    judge = eager_judge("keep")
    ask(judge)

    question = judge.asked[-1]
    assert (question.fact.id, len(question.candidates)) == (fact, MAX_CANDIDATES)
    judge = eager_judge("keep")
    say("用户的比特币仓位很大")
    extract_memory_edges(store, leased(store, clock, EXTRACT_EDGES), clock())
    ask(judge)
    assert {one.content.isascii() for one in judge.asked[-1].candidates} == {True, False}


def test_verdicts_nobody_asked_for_are_left_out(store, say, ask):
    say(WEEKLY, DAILY, "holds SOL on Kraken")
    ask(
        ScriptedFactJudge(
            lambda question: [
                FactVerdict(99, "supersede"),
                FactVerdict(question.fact.id, "merge"),
                *(FactVerdict(one.id, "keep") for one in question.candidates),
                *(FactVerdict(one.id, "supersede") for one in question.candidates),
            ]
        )
    )

    assert len(standing(store)) == 3


def test_a_fact_gives_way_once_after_all_that_gave_way_to_it(store, clock, say, ask):
    texts = (
        "leverage on SOL is never used by the user",
        "on SOL leverage the user is never seen using any",
        "user is happy with leverage on SOL",
        "user never uses leverage on SOL",
    )
    first, second, third, last = say(*texts)
    with writing(store) as conn:
        conn.exec_driver_sql("UPDATE facts SET judged_to = said_at WHERE memory_id < ?", (last,))
    answer = {first: "merge", second: "merge", third: "supersede"}
    ask(ScriptedFactJudge(lambda _: [FactVerdict(one, said) for one, said in answer.items()]))

    assert decided(store, "retired") == [("retired", last, first, "judge_merge")]
    assert decided(store, "superseded") == [("superseded", third, last, "judge_supersede")]
    assert decided(store, "refused") == [("refused", last, second, "merged_already")]
    fact = next(fact for fact in list_facts(store) if fact.id == first)
    assert fact.said_at > fact.known_at


def test_a_deletion_while_the_judge_thinks_is_not_lost(store, clock, say, ask, system):
    weekly, daily = say(WEEKLY, DAILY)

    def meanwhile(question):
        with writing(store) as conn:
            retire(conn, system, weekly, clock(), {})
        return [FactVerdict(one.id, "supersede") for one in question.candidates]

    ask(ScriptedFactJudge(meanwhile))

    assert standing(store) == [DAILY]
    assert get_memory(store, daily).superseded_by is None
    assert decided(store, "refused") == [("refused", daily, weekly, "changed_meanwhile")]


def test_a_restatement_while_the_judge_thinks_is_not_lost(store, say, ask):
    weekly, daily = say(WEEKLY, DAILY)

    def meanwhile(question):
        if question.fact.id == daily:
            say(WEEKLY)  # so weekly is what was said last
        return [FactVerdict(one.id, "supersede") for one in question.candidates]

    judge = ScriptedFactJudge(meanwhile)
    ask(judge)
    assert len(standing(store)) == 2
    ask(judge)

    assert standing(store) == [WEEKLY]
    assert decided(store, "superseded") == [("superseded", daily, weekly, "judge_supersede")]


def test_a_fact_said_again_while_the_judge_thinks_is_asked_about_again(store, say, ask):
    weekly, daily = say(WEEKLY, DAILY)

    def meanwhile(question):
        if len(judge.asked) == 1:
            say(DAILY)
        return [FactVerdict(one.id, "supersede") for one in question.candidates]

    judge = ScriptedFactJudge(meanwhile)
    ask(judge)
    assert sorted(standing(store)) == [DAILY, WEEKLY]
    ask(judge)

    assert decided(store, "superseded") == [("superseded", weekly, daily, "judge_supersede")]


def test_what_was_not_said_later_replaces_nothing():
    older, newer = FactVersion(1, WEEKLY, "agent", 1, 5), FactVersion(2, DAILY, "agent", 1, 5)

    (decision,) = decide(FactCase(newer, (older,)), [FactVerdict(1, "supersede")])
    assert (decision.relation, decision.refused) == ("keep", "order")


def test_of_two_consolidations_at_once_one_decides(store, say, ask):
    weekly, daily = say(WEEKLY, DAILY)
    inner = eager_judge("supersede")

    def meanwhile(question):
        ask(inner)
        return [FactVerdict(one.id, "supersede") for one in question.candidates]

    ask(ScriptedFactJudge(meanwhile))

    assert standing(store) == [DAILY]
    assert decided(store, "superseded") == [("superseded", weekly, daily, "judge_supersede")]
    assert decided(store, "refused") == [("refused", daily, weekly, "changed_meanwhile")]


def test_a_failing_judge_leaves_what_was_judged_and_settled(store, say, ask):
    say(WEEKLY, DAILY, "BTC stop loss is 5%", "BTC stop loss is 4%")

    def fails_at_btc(question):
        if "BTC" in question.fact.content:
            raise UnavailableError("the model did not answer")
        return [FactVerdict(one.id, "supersede") for one in question.candidates]

    with pytest.raises(UnavailableError):
        ask(ScriptedFactJudge(fails_at_btc))
    assert {fact.state for fact in list_facts(store)} == {"settled", "retired"}
    assert DAILY in standing(store) and WEEKLY not in standing(store)

    assert ask(eager_judge("supersede")) == 1  # only what was not judged is asked again
    assert sorted(standing(store)) == ["BTC stop loss is 4%", DAILY]


def test_guidance_reaches_the_judge_and_is_short(store, say, ask):
    say(WEEKLY, DAILY)
    judge = eager_judge("keep")
    with pytest.raises(InvalidInputError):
        ask(judge, guidance="x" * (MAX_GUIDANCE + 1))
    ask(judge, guidance="prefer what is newer")

    assert judge.guided_by == ["prefer what is newer"]


def test_the_jobs_drain_then_judge_then_end(store, clock, say):
    say(WEEKLY, DAILY, settle=False)
    clock.advance(minutes=1)
    consolidate_facts(store, leased(store, clock, CONSOLIDATE_FACTS), clock, judging=REAL)
    assert open_jobs(store, CONSOLIDATE_FACTS) == 0
    assert open_jobs(store, JUDGE_FACTS) == 1

    judged = judge_facts(
        store, leased(store, clock, JUDGE_FACTS), eager_judge("supersede"), "", clock, REAL
    )

    assert (judged, open_jobs(store, JUDGE_FACTS), standing(store)) == (2, 0, [DAILY])


def test_a_fact_that_is_away_keeps_no_job_busy(store, clock, say, system):
    (only,) = say(WEEKLY, settle=False)
    with writing(store) as conn:
        retire(conn, system, only, clock(), {})
    clock.advance(minutes=1)
    consolidate_facts(store, leased(store, clock, CONSOLIDATE_FACTS), clock, judging=REAL)

    assert open_jobs(store, CONSOLIDATE_FACTS) == open_jobs(store, JUDGE_FACTS) == 0


def test_without_a_judge_no_question_is_queued(store, clock, say):
    say(WEEKLY, DAILY, settle=False)
    clock.advance(minutes=1)
    consolidate_facts(
        store, leased(store, clock, CONSOLIDATE_FACTS), clock, judging=NoFactEffects()
    )

    assert open_jobs(store, JUDGE_FACTS) == 0


def test_what_the_shadow_has_asked_queues_no_further_question(store, clock, say):
    say(WEEKLY, DAILY, settle=False)
    clock.advance(minutes=1)
    shadow = ShadowFactEffects()
    consolidate_facts(store, leased(store, clock, CONSOLIDATE_FACTS), clock, judging=shadow)
    judge = eager_judge("supersede")
    judge_facts(store, leased(store, clock, JUDGE_FACTS), judge, "", clock, shadow)
    assert open_jobs(store, JUDGE_FACTS) == 0

    for effects, queued in ((shadow, 0), (REAL, 1)):
        with writing(store) as conn:
            add(conn, CONSOLIDATE_FACTS, {}, clock())
        consolidate_facts(store, leased(store, clock, CONSOLIDATE_FACTS), clock, judging=effects)
        assert open_jobs(store, JUDGE_FACTS) == queued


def test_an_undone_replacement_stands_again_and_is_never_asked_again(store, clock, say, ask):
    say(WEEKLY, DAILY)
    before = clock()
    ask(eager_judge("supersede"))
    replaced = clock()
    clock.advance(seconds=1)
    undo_event(store, list_events(store, "superseded")[0].id, clock)
    judge = eager_judge("supersede")
    say("user PREFERS weekly charts")
    ask(judge)

    assert sorted(standing(store)) == [DAILY, WEEKLY]
    assert judge.asked == []
    assert [len(standing(store, as_of=moment)) for moment in (before, replaced)] == [2, 1]
