"""The lessons of a role for the decision at hand: what fits first, by words and by meaning."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from afterword.pipeline.core.jobs.claim import claim
from afterword.pipeline.core.jobs.lease import lease
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.decisions.area import EMBED_ROLE_ENTRIES
from afterword.pipeline.domain.decisions.embed import backfill_role_embeddings, embed_role_entries
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.read import list_decisions
from afterword.pipeline.domain.decisions.record import record_decision
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import write_memory
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.domain.vectors.rows import keep_model
from afterword.pipeline.errors import InvalidInputError, NotFoundError, UnavailableError
from afterword.pipeline.recall.lessons.fragment import (
    parse_fragment,
    recent_lessons,
    render,
    skill_fragment,
)
from afterword.pipeline.recall.lessons.lessons import role_lessons, skill_lessons
from afterword.pipeline.recall.search.fts import matching, matching_texts
from afterword.pipeline.recall.search.options import SearchOptions
from afterword.pipeline.recall.search.query import terms
from afterword.pipeline.testing.embedding import HashedEmbedder
from afterword.pipeline.testing.roles import learned, role_of, skill_of

ROLE = "desk.calls"
REGISTRY = RoleRegistry([skill_of(role_of(), role_of("desk.others"))])
EMBEDDER = HashedEmbedder(256)
BY_MEANING = SearchOptions(10, embedder=EMBEDDER)


@pytest.fixture
def learn(store, clock, ids):
    """Record a decision, and an hour later what was learned from it."""

    def one(decision, lesson, role_id=ROLE, asset="SOL"):
        new = NewDecision(role_id, decision, asset=asset, direction="long")
        row_id = record_decision(store, REGISTRY, new, clock, ids).id
        clock.advance(hours=1)
        learned(store, row_id, lesson, clock())
        return row_id

    return one


@pytest.fixture
def three(learn):
    """Three lessons about three kinds of decision."""
    learn("Bought the breakout above resistance", "Wait for the close")
    learn("Faded the funding spike", "Check open interest before fading")
    learn("Held into the unlock", "Read the unlock calendar")


@pytest.fixture
def embed(store, clock):
    """Bring every decision its vector, as the workers do."""

    def bring():
        backfill_role_embeddings(store, EMBEDDER, clock(), 1_000)
        with writing(store) as conn:
            taken = [row.id for row in claim(conn, EMBED_ROLE_ENTRIES.name, 64, clock())]
            leases = lease(conn, taken, "worker", clock, EMBED_ROLE_ENTRIES)
        embed_role_entries(store, leases, EMBEDDER, clock())

    return bring


NOW = datetime(2026, 2, 1, tzinfo=UTC)
"""No price is stored here, so no trend depends on it."""

EVERYTHING = {"now": NOW, "choice": "all"}


def prompt(store, question, *options, **how):
    """Return the prompt of the desk's skill for a question."""
    return render(skill_lessons(store, REGISTRY, "desk", question, *options, **EVERYTHING | how))


def told(store, question, **how):
    found = role_lessons(store, REGISTRY, ROLE, question, **EVERYTHING | how)
    return [one.text for one in found]


WAIT, FADE, READ = (
    "Wait for the close",
    "Check open interest before fading",
    "Read the unlock calendar",
)


@pytest.mark.usefixtures("three")
@pytest.mark.parametrize(
    ("question", "best"),
    [
        ("A breakout over resistance: buy?", WAIT),
        ("Funding is at 0.1 %, fade it", FADE),
        ("Open interest doubled", FADE),  # the lesson's own words count as the decision's do
        ("Token unlocks on Friday", READ),
    ],
)
def test_what_fits_the_decision_at_hand_comes_first(store, question, best):
    assert told(store, question)[0] == best
    assert told(store, question, options=SearchOptions(1)) == [best]


@pytest.mark.usefixtures("three")
def test_what_does_not_fit_follows_the_latest_first(store):
    assert told(store, "Breakout") == [WAIT, READ, FADE]
    assert told(store, "Nothing of the kind: vampire squid") == [READ, FADE, WAIT]


@pytest.mark.usefixtures("three")
@pytest.mark.parametrize("question", ["", "  ", "\0"])
def test_without_a_question_the_latest_are_told(store, question):
    latest = recent_lessons(store, REGISTRY, ROLE, choice="all")
    assert role_lessons(store, REGISTRY, ROLE, question, **EVERYTHING) == latest
    fragment = skill_fragment(store, REGISTRY, "desk", choice="all")
    assert prompt(store, question) == fragment


def test_a_lesson_about_the_same_asset_counts_more(store, learn):
    learn("Bought the breakout", "Wait for one close", asset="BTC")
    learn("Bought the breakout", "Wait for two closes", asset="ETH")

    for name in ("Bitcoin", "WBTC", "$BTC", "BTC/USDT"):
        assert told(store, f"Breakout of {name}")[0] == "Wait for one close", name
    assert told(store, "Breakout of Ethereum")[0] == "Wait for two closes"


def test_an_asset_that_only_the_words_of_a_decision_name_counts_as_well(store, learn):
    learn("Bought the breakout beside Bitcoin", "Wait for one close", asset="SOL")
    learn("Bought the breakout beside nothing", "Wait for two closes", asset="SOL")

    assert told(store, "Breakout of $BTC")[0] == "Wait for one close"


def test_scripts_without_spaces_are_found_by_their_characters(store, learn):
    learn("突破时买入 SOL", "等收盘确认")
    learn("在解锁前持有", "先看解锁日历")

    assert told(store, "买入突破")[0] == "等收盘确认"
    assert told(store, "解鎖")[0] == "先看解锁日历"  # written in the other script


def test_the_meaning_of_a_decision_finds_what_no_word_of_it_does(store, learn, embed):
    learn("Shorted the pump of a memecoin", "Size down")
    learn("Bought a pullback", "Wait a day")
    embed()

    asked = "memecoins: pumping"
    assert told(store, "overpumped", options=BY_MEANING)[0] == "Size down"
    assert told(store, "overpumped") == ["Wait a day", "Size down"]  # words find neither
    assert told(store, asked, options=BY_MEANING)[0] == "Size down"


class Silent(HashedEmbedder):
    """An embedder whose service does not answer."""

    def embed_query(self, query, group, task):
        raise UnavailableError(f"no vector for {query!r} of {group} ({task})")


@pytest.mark.usefixtures("three")
def test_without_an_answer_of_the_embedder_words_alone_decide(store, embed):
    embed()
    by_words = told(store, "Fading the breakout")

    assert (
        told(store, "Fading the breakout", options=SearchOptions(10, embedder=Silent(256)))
        == by_words
    )
    assert (
        told(store, "Fading the breakout", options=SearchOptions(10, embedder=HashedEmbedder(8)))
        == by_words
    )


@pytest.mark.usefixtures("three")
@pytest.mark.parametrize(
    "damage",
    [
        "DROP TABLE role_vectors",
        "UPDATE role_vectors SET vector = substr(vector, 1, 8)",
        "UPDATE role_vectors SET vector = zeroblob(1024)",
    ],
)
def test_without_usable_vectors_words_alone_decide(store, embed, damage):
    embed()
    by_words = told(store, "Fading the breakout")
    with writing(store) as conn:
        conn.exec_driver_sql(damage)

    assert told(store, "Fading the breakout", options=BY_MEANING) == by_words


@pytest.mark.usefixtures("three")
def test_a_model_that_made_no_vector_here_changes_nothing(store, clock):
    by_words = told(store, "Fading the breakout")
    assert told(store, "Fading the breakout", options=BY_MEANING) == by_words
    with writing(store) as conn:
        keep_model(conn, EMBEDDER, clock())
    assert told(store, "Fading the breakout", options=BY_MEANING) == by_words


def test_only_lessons_that_stood_at_the_moment_are_told(store, clock, ids, learn, embed):
    learn("Bought the breakout", "Wait for the close")
    at = clock()
    learn("Bought the breakout again", "Wait two closes")
    embed()
    for options in (SearchOptions(10), BY_MEANING):
        assert told(store, "breakout again", options=options, as_of=at) == ["Wait for the close"]
        before = at - timedelta(microseconds=1)
        assert told(store, "breakout again", options=options, as_of=before) == []
        fragment = prompt(store, "breakout", options, as_of=at)
        assert [line.text for line in parse_fragment(fragment)] == ["Wait for the close"]

    uid = list_decisions(store)[-1].uid
    new = NewDecision(ROLE, "Sell", asset="SOL", direction="short", supersedes=uid)
    clock.advance(hours=1)
    record_decision(store, REGISTRY, new, clock, ids)
    for options in (SearchOptions(10), BY_MEANING):
        assert told(store, "breakout", options=options) == ["Wait two closes"]
        assert told(store, "breakout", options=options, as_of=at) == ["Wait for the close"]


def test_another_role_s_lessons_are_not_told(store, learn):
    learn("Bought the breakout", "Of another", role_id="desk.others")

    assert told(store, "breakout") == []
    with pytest.raises(NotFoundError):
        role_lessons(store, REGISTRY, "desk.gone", "breakout", **EVERYTHING)


def test_what_was_learned_often_is_told_once_where_it_fits_best(store, learn):
    learn("Bought the breakout", "Wait")
    learn("Faded the spike", "Size down")
    learn("Held on", "Wait")

    found = role_lessons(store, REGISTRY, ROLE, "breakout", **EVERYTHING)
    assert [(one.text, one.id) for one in found] == [("Wait", 1), ("Size down", 2)]


def test_the_fragment_of_a_skill_tells_of_each_role_what_fits_first(store, learn):
    learn("Bought the breakout", "Wait")
    learn("Faded the spike", "Size down")
    learn("Sold the breakout", "Cover late", role_id="desk.others")
    learn("Held on", "Be patient", role_id="desk.others")

    fragment = prompt(store, "breakout", SearchOptions(1))
    lines = [(one.role_id, one.text) for one in parse_fragment(fragment)]
    assert lines == [(ROLE, "Wait"), ("desk.others", "Cover late")]
    everything = prompt(store, "breakout")
    assert sorted(parse_fragment(everything)) == sorted(
        parse_fragment(skill_fragment(store, REGISTRY, "desk", choice="all"))
    )
    with pytest.raises(NotFoundError):
        skill_lessons(store, REGISTRY, "gone", "breakout", **EVERYTHING)


def test_a_limit_that_makes_no_sense_is_refused(store):
    for limit in (0, 101, True):
        with pytest.raises(InvalidInputError, match="limit"):
            role_lessons(store, REGISTRY, ROLE, "breakout", SearchOptions(limit), **EVERYTHING)
        with pytest.raises(InvalidInputError, match="limit"):
            skill_lessons(store, REGISTRY, "desk", "breakout", SearchOptions(limit), **EVERYTHING)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60)
@given(question=st.text(max_size=600))
@pytest.mark.usefixtures("three")
def test_whatever_is_asked_each_lesson_is_told_once_and_always_in_the_same_order(store, question):
    for options in (
        SearchOptions(10),
        BY_MEANING,
        SearchOptions(10, embedder=EMBEDDER, fusion="rrf"),
    ):
        found = told(store, question, options=options)
        assert sorted(found) == sorted([WAIT, FADE, READ])
        assert told(store, question, options=options) == found


@pytest.mark.parametrize(
    "said",
    [
        "Sold at 3,450.5",
        "bought BTC/USDT",
        "突破时买入",
        "Überkauft, stop-loss",
        "went long",
        "failed",
        "x",
    ],
)
def test_a_text_is_held_here_by_what_holds_it_as_a_memory(store, ids, said, writer):
    write_memory(writer, NewMemory("observation", said))
    asked = terms(f"{said} 3450.5 买入 突 go uberkauft stop loss eth failing")
    expressions = [term.expression for term in asked]
    with reading(store) as conn:
        as_memory = [len(ids) for ids in matching(conn, expressions)]
    assert [len(places) for places in matching_texts([said], expressions)] == as_memory
