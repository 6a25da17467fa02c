"""Turns that ended are read once, in the order in which they ended; what they say is remembered."""

from dataclasses import replace

from afterword.pipeline.areas import AREAS
from afterword.pipeline.domain.facts.consolidate import consolidate_pending
from afterword.pipeline.domain.facts.read import list_facts
from afterword.pipeline.domain.memory.delete import delete_memory
from afterword.pipeline.domain.memory.edit import edit_memory
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.purge import purge_expired, retention_of
from afterword.pipeline.domain.memory.write import write_memory
from afterword.pipeline.domain.rebuilds.parts import RebuildParts
from afterword.pipeline.domain.rebuilds.rebuild import run_rebuild
from afterword.pipeline.operations.forget.forget import forget
from afterword.pipeline.operations.forget.model import ForgetRequest
from afterword.pipeline.recall.lineage.trace import lineage_readers, trace
from tests.unit.statements.conftest import MEMORIES


def test_what_the_user_says_of_themself_is_remembered_with_its_turn(chats):
    (turn,) = chats.say("Thanks! I never trade with leverage.", reply="Noted: I prefer 10x.")

    report = chats.rebuild()

    assert report.outcome == "rebuilt"
    assert report.changes == ("memories about you: 1",)
    (memory,) = chats.about_user()
    assert memory.content == "The user says: I never trade with leverage."
    assert (memory.source, memory.origin, memory.occurred_at) == (
        "inferred",
        "agent",
        turn.started_at,
    )
    steps = trace(chats.store, memory.id, lineage_readers(AREAS), chats.clock())
    assert [step.step.name for step in steps] == [f"memory {memory.id}", f"turn {turn.uid}"]
    assert steps[1].how == "said by the user in"


def test_what_the_user_has_is_a_fact_and_goes_through_the_layer_of_facts(chats):
    chats.say("My broker is Interactive Brokers.")
    chats.rebuild()
    chats.say("my broker is Interactive Brokers!")
    chats.rebuild()

    consolidate_pending(chats.store, chats.clock)

    facts = list_facts(chats.store)
    assert [fact.state for fact in sorted(facts, key=lambda fact: fact.id)] == [
        "settled",
        "retired",
    ]
    assert chats.rows("SELECT DISTINCT source FROM memories") == [("chat_extracted",)]
    assert chats.about_user() == []


def test_a_rebuild_writes_no_audit_line(chats):
    chats.say("I prefer limit orders.", "My broker is Kraken.")
    before = chats.rows("SELECT count(*) FROM audit_log")

    chats.rebuild()

    assert chats.rows("SELECT count(*) FROM audit_log") == before


def test_turns_are_read_in_the_order_in_which_they_finished(chats):
    early = chats.begin("I prefer limit orders.")
    chats.say("I never use stop orders.")
    chats.rebuild()
    assert chats.texts() == ["I never use stop orders."]

    chats.finish(early)
    chats.rebuild()

    assert chats.texts() == ["I never use stop orders.", "I prefer limit orders."]


def test_an_abandoned_turn_is_read_once_its_time_is_over_and_not_again(chats):
    turn = chats.begin("I prefer limit orders.", minutes=20)
    chats.rebuild()
    assert chats.texts() == []

    chats.clock.advance(minutes=20)
    chats.rebuild()
    assert chats.texts() == ["I prefer limit orders."]

    chats.finish(turn)
    assert chats.rows("SELECT count(*) FROM ended_turns") == [(1,)]


def test_a_run_reads_200_turns_or_60_000_characters_and_the_next_the_rest(chats):
    chats.say(*["What is BTC doing?"] * 200, "I prefer limit orders.")
    chats.rebuild()
    assert chats.texts() == []
    chats.rebuild()
    assert chats.texts() == ["I prefer limit orders."]

    chats.say("x " * 20_000, "x " * 20_000, "I never use stop orders.")
    chats.rebuild()
    assert chats.texts() == ["I prefer limit orders."]
    chats.rebuild()
    assert chats.texts() == ["I prefer limit orders.", "I never use stop orders."]


def test_only_a_success_starts_the_pause_of_ten_minutes(chats):
    chats.say("I prefer limit orders.")
    assert chats.rebuild(is_forced=False).outcome == "rebuilt"
    chats.say("I never use stop orders.")
    assert chats.rebuild(is_forced=False).outcome == "resting"
    chats.clock.advance(minutes=10)
    assert chats.rebuild(is_forced=False).outcome == "rebuilt"
    chats.clock.advance(minutes=10)
    assert chats.rebuild(is_forced=False).outcome == "nothing_new"


def test_said_again_is_one_memory_with_two_turns(chats):
    first, again = chats.say("I prefer limit orders.", "I generally prefer limit orders.")

    chats.rebuild()

    (memory,) = chats.about_user()
    steps = trace(chats.store, memory.id, lineage_readers(AREAS), chats.clock())
    assert [step.step.name for step in steps[1:]] == [f"turn {first.uid}", f"turn {again.uid}"]


def test_what_the_owner_deleted_is_not_written_again_even_after_the_purge(chats, owner):
    new = NewMemory(
        "personalization", "I prefer limit orders", source="user_manual", origin="owner"
    )
    row = write_memory(owner, new)
    chats.say("I prefer limit orders.")
    chats.rebuild()
    delete_memory(owner, row.id)

    chats.say("I generally prefer limit orders.")
    chats.rebuild()
    assert chats.texts() == []

    chats.clock.advance(days=31)
    purge_expired(chats.store, chats.clock(), retention_of(chats.settings))
    assert chats.rows("SELECT id FROM memories") == []
    chats.say("I prefer limit orders!")
    chats.rebuild()
    assert chats.texts() == []


def test_what_the_owner_edited_stays_as_edited(chats, owner):
    new = NewMemory(
        "personalization", "I prefer limit orders", source="user_manual", origin="owner"
    )
    row = write_memory(owner, new)
    edit_memory(owner, row.id, content="I prefer market orders")

    chats.say("I prefer limit orders.", "I prefer market orders.")
    chats.rebuild()

    assert chats.texts() == ["I prefer market orders"]


def test_of_a_single_value_the_later_one_counts_but_the_owners_row_stays(chats, owner):
    chats.say("My maximum leverage is 3x.", "My time zone is Europe/Berlin.")
    chats.rebuild()
    chats.say("My maximum leverage is 5x.")
    chats.rebuild()
    assert chats.texts() == ["My time zone is Europe/Berlin.", "My maximum leverage is 5x."]

    by_hand = NewMemory(
        "personalization", "My risk tolerance is low", source="user_manual", origin="owner"
    )
    write_memory(owner, by_hand)
    chats.say("My risk tolerance is high.")
    chats.rebuild()
    assert chats.texts()[2:] == ["My risk tolerance is low", "My risk tolerance is high."]


def test_what_an_agent_noted_of_the_same_is_not_noted_twice(chats, writer):
    write_memory(writer, NewMemory("preference", "User prefers limit orders"))
    chats.say("I prefer limit orders.")

    chats.rebuild()

    assert chats.texts() == []


def test_of_two_runs_at_once_one_counts(chats):
    chats.say("I prefer limit orders.")

    def prepare_slowly(parts, state):
        prepared = MEMORIES.prepare(parts, state)
        assert chats.rebuild().outcome == "rebuilt"
        return prepared

    parts = RebuildParts(chats.system, chats.settings, None, lambda _task: chats.mode)
    report = run_rebuild(parts, replace(MEMORIES, prepare=prepare_slowly), is_forced=True)

    assert report.outcome == "overtaken"
    assert chats.texts() == ["I prefer limit orders."]
    assert chats.rows("SELECT count(*) FROM chat_statements") == [(1,)]


def test_forgetting_reaches_the_turn_the_memory_and_where_it_was_said(chats, stores):
    chats.say("My broker is Zebrafund and I like it.", "My favourite broker is Zebrafund.")
    chats.rebuild()
    assert chats.rows("SELECT count(*) FROM chat_statements") == [(2,)]

    done = forget(stores, "main", ForgetRequest(subject="zebrafund"), chats.clock)

    assert done.proof is not None and done.proof.found == 0
    assert chats.rows("SELECT count(*) FROM chat_statements") == [(0,)]
    chats.rebuild()
    assert chats.rows("SELECT count(*) FROM memories") == [(0,)]


def test_words_that_are_forgotten_while_a_run_reads_them_are_not_written(chats, stores):
    chats.say("I prefer Zebrafund over Kraken.")

    def prepare_slowly(parts, state):
        prepared = MEMORIES.prepare(parts, state)
        forget(stores, "main", ForgetRequest(subject="zebrafund"), chats.clock)
        return prepared

    parts = RebuildParts(chats.system, chats.settings, None, lambda _task: chats.mode)
    run_rebuild(parts, replace(MEMORIES, prepare=prepare_slowly), is_forced=True)

    assert chats.texts() == []
