"""The Python door: a method for each tool, counted, bound to its group, and plain to JSON."""

import json
import re
import textwrap
from contextlib import ExitStack
from dataclasses import FrozenInstanceError, asdict
from inspect import getdoc
from typing import Any

import pytest

from afterword.pipeline.core.store import Store, Stores, reading, writing
from afterword.pipeline.domain.memory.entries import new_entry, store_entry
from afterword.pipeline.domain.memory.model import TYPES, NewMemory
from afterword.pipeline.domain.memory.read import get_memory, read_memories
from afterword.pipeline.domain.memory.write import write_memory
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.sessions.model import Limits
from afterword.pipeline.domain.sessions.sessions import (
    begin_session,
    end_session,
    find_session,
    in_session,
)
from afterword.pipeline.doors.agent import (
    INSTRUCTIONS,
    TOOLS,
    Agent,
    ToolCall,
    call,
    instructions,
    manifest,
    schema,
)
from afterword.pipeline.doors.agent.door import Door, open_door
from afterword.pipeline.errors import (
    BudgetExceededError,
    ConflictError,
    InvalidInputError,
    NotFoundError,
    PipelineError,
)
from afterword.pipeline.recall.search.options import SearchOptions
from afterword.pipeline.testing.embedding import HashedEmbedder

SECRET = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"


@pytest.fixture
def agent(writer: Writer) -> Agent:
    return Agent(Door(writer, begin_session(writer).handle))


def used(store: Store, agent: Agent) -> tuple[int, int, int]:
    with reading(store) as conn:
        found = find_session(conn, agent.handle)
    return found.stores, found.supersedes, found.deletes


def counted(store: Store, *tables: str) -> list[int]:
    with reading(store) as conn:
        return [
            conn.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one() for table in tables
        ]


def test_an_entry_says_where_it_comes_from_whatever_its_writer_says(store, clock, agent):
    stored = agent.memory_store("preference", "weekly charts", ["charts"])
    (row,) = read_memories(store)

    assert (row.uid, row.type, row.tags) == (stored.id, "preference", ("charts",))
    assert (row.origin, row.source, row.session_id) == ("agent", None, agent.session)
    assert stored.behavioral
    assert asdict(stored.provenance) == {
        "session_id": agent.session,
        "group": "main",
        "origin": "agent",
        "timestamp": "2026-01-05T00:00:00.000000Z",
    }
    assert agent.handle not in json.dumps(asdict(stored))


def test_the_same_preference_stored_twice_gets_a_hint(agent):
    first = agent.memory_store("preference", "Prefers weekly charts")
    again = call(agent, "memory_store", {"type": "preference", "content": "prefers weekly charts."})
    written = agent.memory_write("preference", "Prefers weekly charts")

    assert first.hint is None
    assert again["hint"] == (
        f"the same preference stood already, as {first.id}; this one replaces it"
    )
    assert written.hint == (
        f"the same preference stood already, as {again['id']}; "
        "that one is more trusted and stays; this one is kept as superseded"
    )
    assert agent.memory_store("preference", "Prefers daily charts").hint is None
    renewed = agent.memory_store("instruction", "No leverage")
    assert agent.memory_store("instruction", "no leverage", supersedes=renewed.id).hint is None


@pytest.mark.parametrize(
    ("tool", "arguments", "said"),
    [
        ("memory_store", {"type": "fact", "content": 7}, "content: 7 is not text; accepted: text"),
        ("memory_search", {"query": "x", "limit": "9x"}, "limit: '9x' is not a whole number"),
        ("memory_store", {"type": "fact", "content": "x", "tags": "a"}, "tags: 'a' is not a list"),
        ("memory_store", {"type": "fact", "content": "x", "tags": [1]}, "tags.0: 1 is not text"),
        ("memory_write", {"category": "lesson", "content": "x", "metadata": []}, "is not an obj"),
        ("memory_store", {"type": "fact"}, "content: is missing; accepted: the arguments of"),
    ],
)
def test_an_argument_of_a_wrong_type_is_refused_in_plain_words(agent, tool, arguments, said):
    with pytest.raises(InvalidInputError) as refused:
        call(agent, tool, arguments)

    assert said in str(refused.value)
    assert "Input" not in str(refused.value)


def test_a_claimed_source_stays_in_the_metadata_and_is_not_believed(store, agent):
    claimed = {"source": "user_manual", "origin": "owner", "scenario_id": "bull", "confidence": 1}
    agent.memory_write("preference", "10x is fine", claimed)
    (row,) = read_memories(store)

    assert (row.source, row.origin, row.scenario_id) == (None, "agent", None)
    assert row.metadata == claimed


def test_a_fact_goes_to_the_fact_layer_and_counts_as_a_store(store, agent):
    stored = agent.memory_write("fact", "The desk trades SOL perps", {"seen": 2})
    row = get_memory(store, stored.id)

    assert (row.source, row.type, row.metadata) == ("agent_recorded", None, {"seen": 2})
    assert row.session_id == agent.session
    assert counted(store, "facts", "jobs") == [1, 2]  # the edges, and the debounced pass
    assert used(store, agent) == (1, 0, 0)


def test_with_an_embedder_each_write_asks_for_a_vector(store, clock, ids, writer):
    handle = begin_session(writer).handle
    agent = Agent(
        Door(
            Writer(store, clock, ids, embeds=True),
            handle,
            search_options=SearchOptions(embedder=HashedEmbedder()),
        )
    )
    agent.memory_store("context", "long ETH")
    agent.memory_write("lesson", "cut losers")
    agent.memory_write("fact", "trades on Base")

    assert counted(store, "jobs WHERE kind = 'embed_memories'") == [3]
    assert agent.memory_search("ETH", limit=1)[0].content == "long ETH"


def test_the_limits_hold_over_all_ways_to_write(store, agent, writer):
    for number in range(10):
        agent.memory_store("context", f"entry {number}")
        agent.memory_write("fact" if number % 2 else "lesson", f"written {number}")
    tables = ("memories", "audit_log", "jobs", "facts")
    before = counted(store, *tables)
    for verb in (
        lambda: agent.memory_store("context", "one more"),
        lambda: agent.memory_write("lesson", "one more"),
        lambda: agent.memory_write("fact", "one more"),
    ):
        with pytest.raises(BudgetExceededError, match="20 of its 20 stores"):
            verb()
    assert counted(store, *tables) == before
    assert used(store, agent) == (20, 0, 0)

    Agent(Door(writer, begin_session(writer).handle)).memory_store("context", "x")


def test_five_supersedes_and_five_deletes(store, agent):
    last = agent.memory_store("preference", "version 0").id
    for number in range(1, 6):
        last = agent.memory_store("preference", f"version {number}", supersedes=last).id
    with pytest.raises(BudgetExceededError, match="5 supersedes"):
        agent.memory_store("preference", "version 6", supersedes=last)
    assert [row.content for row in read_memories(store)] == ["version 5"]

    others = [agent.memory_store("context", str(number)).id for number in range(6)]
    for uid in others[:5]:
        agent.memory_delete(uid)
    with pytest.raises(BudgetExceededError, match="5 deletes"):
        agent.memory_delete(others[5])
    assert used(store, agent) == (12, 5, 5)
    assert {row.content for row in read_memories(store)} == {"version 5", "5"}


def test_a_refused_write_counts_nothing(store, agent, owner, writer):
    said = store_entry(owner, new_entry("instruction", "ask first", actor="owner")).uid
    lesson = write_memory(writer, NewMemory("lesson", "cut losers")).uid
    old = agent.memory_store("context", "a").id
    agent.memory_store("context", "b", supersedes=old)
    before = used(store, agent), counted(store, "memories", "audit_log", "jobs")
    refused: list[tuple[type[PipelineError], Any]] = [
        (InvalidInputError, lambda: agent.memory_store("lesson", "x")),
        (InvalidInputError, lambda: agent.memory_store("context", "x" * 2_001)),
        (InvalidInputError, lambda: agent.memory_store("context", "x", supersedes=said)),
        (InvalidInputError, lambda: agent.memory_store("context", "x", supersedes=lesson)),
        (ConflictError, lambda: agent.memory_store("context", "x", supersedes=old)),
        (NotFoundError, lambda: agent.memory_store("context", "x", supersedes="nothing")),
        (InvalidInputError, lambda: agent.memory_write("diary", "x")),
        (InvalidInputError, lambda: agent.memory_write("lesson", "x", {"at": float("nan")})),
        (InvalidInputError, lambda: agent.memory_write("fact", "x" * 2_001)),
        (InvalidInputError, lambda: agent.memory_delete(said)),
        (InvalidInputError, lambda: agent.memory_delete(lesson)),
        (NotFoundError, lambda: agent.memory_delete("nothing")),
    ]
    for error, verb in refused:
        with pytest.raises(error):
            verb()

    assert (used(store, agent), counted(store, "memories", "audit_log", "jobs")) == before


def test_a_session_that_ended_writes_nothing_and_still_reads(store, clock, agent):
    agent.memory_store("context", "a")
    agent.end()
    for verb in (
        lambda: agent.memory_store("context", "b"),
        lambda: agent.memory_write("lesson", "b"),
        lambda: agent.memory_write("fact", "b"),
        lambda: agent.memory_delete("b"),
        lambda: agent.begin_turn("b"),
    ):
        with pytest.raises(InvalidInputError, match="session: has ended"):
            verb()
    assert [row.content for row in agent.memory_read()] == ["a"]


def test_what_is_found_has_the_shape_of_a_search_result(store, clock, agent):
    agent.memory_write("observation", "avoids meme coins")
    clock.advance(days=1)
    agent.memory_store("preference", "slippage of 0.5%", ["swaps"])
    best = agent.memory_search("slippage", limit=5)[0]

    assert 0 < best.relevance_score < 1
    assert agent.memory_search("slippage of a yacht", min_relevance=0.9) == []
    assert (
        json.loads(json.dumps(asdict(best))).items()
        >= {
            "id": best.id,
            "type": "preference",
            "content": "slippage of 0.5%",
            "behavioral": True,
            "tags": ["swaps"],
            "created_at": "2026-01-06T00:00:00.000000Z",
            "by_neighbours": False,
        }.items()
    )
    with pytest.raises(FrozenInstanceError):
        best.content = "other"  # type: ignore[misc]


def test_filters_narrow_a_search(store, clock, ids, agent):
    agent.memory_store("context", "long ETH", ["eth", "desk"])
    first = agent.memory_store("preference", "ETH on Base", ["eth"])
    agent.memory_store("preference", "ETH on Arbitrum", ["eth"], first.id)

    def texts(**filters: Any) -> set[str]:
        return {one.content for one in agent.memory_search("ETH", **filters)}

    assert texts(type="context") == {"long ETH"}
    assert texts(tags=["eth", "desk"]) == {"long ETH"}
    assert texts(category="preference") == {"ETH on Arbitrum"}
    assert texts(include_superseded=True) == {"long ETH", "ETH on Base", "ETH on Arbitrum"}
    assert texts(session=agent.session) == {"long ETH", "ETH on Arbitrum"}
    assert texts(session="another") == set()


def test_without_a_query_the_newest_come_first(clock, agent):
    for number in range(3):
        clock.advance(seconds=1)
        agent.memory_store("context", str(number))

    assert [one.content for one in agent.memory_search()] == ["2", "1", "0"]
    assert [one.content for one in agent.memory_read("context", 2)] == ["2", "1"]


def test_conversation_memory_is_personalization_only(agent, system):
    new = NewMemory("personalization", "treats crypto as a 5% allocation", source="inferred")
    write_memory(system, new)
    agent.memory_store("preference", "a crypto allocation of 90%")

    (only,) = agent.search_conversation_memory("crypto allocation", 5)
    assert (only.category, only.source) == ("personalization", "inferred")


def test_the_past_is_read_as_it_was(clock, agent):
    agent.memory_store("context", "yesterday's plan")
    then = clock()
    clock.advance(days=1)
    agent.memory_store("context", "today's plan")

    assert [one.content for one in agent.memory_read(as_of=then)] == ["yesterday's plan"]
    assert [one.content for one in agent.memory_search("plan", as_of=then)] == ["yesterday's plan"]
    assert agent.memory_brief(as_of=then).brief_count == 1


def test_secrets_are_masked_before_they_are_kept(store, agent):
    agent.memory_store("context", f"token {SECRET}", [SECRET])
    agent.memory_write("lesson", f"token {SECRET}", {"note": SECRET})
    agent.memory_write("fact", f"the token is {SECRET}")
    turn = agent.begin_turn(f"use {SECRET}")
    calls = [ToolCall("quote", {"auth": [SECRET]})]
    agent.finish_turn(turn, "succeeded", reply=f"used {SECRET}", tool_calls=calls)
    agent.finish_turn(turn, "succeeded", reply=f"used {SECRET}", tool_calls=calls)

    kept = b"".join(path.read_bytes() for path in store.path.parent.iterdir())
    assert SECRET.encode() not in kept
    assert "masked" in agent.memory_read("lesson")[0].content


def test_the_handle_of_a_session_is_masked_before_it_is_kept(agent):
    agent.memory_store("context", f"go on with {agent.handle}, of session {agent.session}")

    (kept,) = agent.memory_read()
    assert kept.content == f"go on with [masked:afterword-session], of session {agent.session}"


def test_a_secret_that_is_in_the_file_all_the_same_is_masked_on_its_way_out(store, agent):
    uid = agent.memory_store("context", "the word", ["the tag"]).id
    with writing(store) as conn:
        conn.exec_driver_sql(
            "UPDATE memories SET content = ?, tags = json_array(?)", (f"word {SECRET}", SECRET)
        )
        conn.exec_driver_sql(
            "INSERT INTO user_profile (key, value, updated_at) VALUES ('word', ?, 1)", (SECRET,)
        )
    shown = [agent.memory_read(), agent.memory_search("word"), agent.memory_brief().entries]
    assert SECRET not in agent.profile_read()["word"]

    for (one,) in shown:
        assert one.id == uid
        assert SECRET not in json.dumps(asdict(one))


def test_an_agent_sees_nothing_of_another_group(stores: Stores, clock, ids, agent):
    other_store = stores.group("other", create=True)
    other = Agent(
        Door(Writer(other_store, clock, ids), begin_session(Writer(other_store, clock, ids)).handle)
    )
    mine = agent.memory_store("context", "the word is heron").id
    turn = agent.begin_turn("heron?")

    with pytest.raises(NotFoundError):
        Agent(Door(Writer(other_store, clock, ids), agent.handle))
    for guess, forged in (
        (lambda: other.memory_delete(mine), lambda: other.memory_delete("0" * 32)),
        (
            lambda: other.memory_store("context", "x", supersedes=mine),
            lambda: other.memory_store("context", "x", supersedes="0" * 32),
        ),
        (
            lambda: other.finish_turn(turn, "failed"),
            lambda: other.finish_turn("0" * 32, "failed"),
        ),
    ):
        assert told(guess).replace(mine, "") == told(forged).replace("0" * 32, "")
    assert other.memory_search("heron", include_superseded=True) == []
    assert other.memory_search(session=agent.session) == []
    assert other.memory_read() == []
    assert other.memory_brief().entry_count == 0
    assert "heron" not in other.snapshot() + (other.start_brief() or "")
    assert agent.memory_read()[0].content == "the word is heron"


def told(verb: Any) -> str:
    with pytest.raises(NotFoundError) as refused:
        verb()
    return str(refused.value)


def test_a_tool_is_called_by_name_as_a_model_does(store, agent):
    stored = call(agent, "memory_store", {"type": "fact", "content": "a dog", "tags": ["pets"]})
    (found,) = call(agent, "memory_search", {"query": "dog"})

    assert json.loads(json.dumps(found))["id"] == stored["id"]
    assert call(agent, "memory_delete", {"id": stored["id"]}) is None
    assert call(agent, "memory_brief", {})["entry_count"] == 0
    assert call(agent, "memory_compiled_page", {"asset": "BTC"}).startswith("# BTC")


@pytest.mark.parametrize(
    ("tool", "arguments", "field"),
    [
        ("memory_drop", {}, "tool"),
        ("end", {}, "tool"),
        ("memory_store", {"type": "fact", "content": "x", "behavioral": True}, "'behavioral'"),
        ("memory_store", {"type": "fact", "content": "x", "session": "s"}, "'session'"),
        ("memory_store", {"type": "fact"}, "content"),
        ("memory_store", {"type": "fact", "content": 7}, "content"),
        ("memory_store", {"type": "fact", "content": "x", "tags": "eth"}, "tags"),
        ("memory_store", {"type": "fact", "content": "x", "tags": [1]}, "tags.0"),
        ("memory_search", {"query": 7}, "query"),
        ("memory_search", {"query": "x", "limit": "5x"}, "limit"),
        ("memory_search", {"query": "x", "limit": "5.5"}, "limit"),
        ("memory_search", {"query": "x", "limit": 5.5}, "limit"),
        ("memory_search", {"query": "x", "limit": 1e300}, "limit"),
        ("memory_search", {"query": "x", "limit": True}, "limit"),
        ("memory_search", {"query": "x", "limit": "true"}, "limit"),
        ("memory_search", {"query": "x", "limit": ""}, "limit"),
        ("memory_search", {"query": "x", "limit": "5\n"}, "limit"),
        ("memory_search", {"query": "x", "min_relevance": "half"}, "min_relevance"),
        ("memory_search", {"include_superseded": 1}, "include_superseded"),
        ("memory_store", {"type": "fact", "content": "x", "tags": '{"a": 1}'}, "tags"),
        ("memory_store", {"type": "fact", "content": "x", "tags": '["eth'}, "tags"),
        ("memory_store", {"type": "fact", "content": "x", "tags": "[1]"}, "tags.0"),
        ("memory_store", {"type": "fact", "content": "x", "tags": ["x"] * 1_001}, "tags"),
        ("memory_store", {"type": "fact", "content": None}, "content"),
        ("memory_store", {"type": "fact", "content": "x", "behavioral": None}, "'behavioral'"),
        ("memory_write", {"category": "lesson", "content": "x", "metadata": "[]"}, "metadata"),
        ("memory_write", {"category": "lesson", "content": "x", "metadata": "[" * 999}, "metadata"),
        ("memory_search", {"query": "x", "limit": 101}, "limit"),
        ("memory_search", {"include_superseded": "yes"}, "include_superseded"),
        ("memory_read", {"category": "diary"}, "category"),
        ("memory_read", {"as_of": "2026-01-01"}, "'as_of'"),
        ("memory_delete", {"id": 1}, "id"),
        ("memory_delete", {}, "id"),
        ("memory_write", {"category": "lesson", "content": "x", "metadata": []}, "metadata"),
    ],
)
def test_what_a_model_sends_wrong_is_refused_by_name(store, agent, tool, arguments, field):
    before = counted(store, "memories", "audit_log")
    with pytest.raises(InvalidInputError) as refused:
        call(agent, tool, arguments)

    assert refused.value.field == field
    assert counted(store, "memories", "audit_log") == before


@pytest.mark.parametrize(
    ("sent", "meant"),
    [
        ({"query": None, "limit": None, "tags": None}, {}),
        ({"limit": "2"}, {"limit": 2}),
        ({"limit": 2.0}, {"limit": 2}),
        ({"tags": '["eth"]'}, {"tags": ["eth"]}),
        ({"tags": "[]", "category": None}, {"tags": []}),
        ({"query": "note", "min_relevance": "0.5"}, {"query": "note", "min_relevance": 0.5}),
        ({"query": "note", "min_relevance": 0}, {"query": "note", "min_relevance": 0.0}),
        ({"include_superseded": "true"}, {"include_superseded": True}),
        ({"include_superseded": "false"}, {"include_superseded": False}),
    ],
)
def test_what_other_clients_send_is_read_as_it_is_meant(agent, sent, meant):
    first = agent.memory_store("context", "note 1", ["eth"]).id
    agent.memory_store("context", "note 2", ["eth"], supersedes=first)
    agent.memory_store("context", "note 3")

    found = call(agent, "memory_search", sent)
    assert found and found == call(agent, "memory_search", meant)


def test_a_text_argument_stays_the_text_it_is(store, agent):
    call(agent, "memory_store", {"type": "context", "content": '{"a": 1}', "tags": ["5", "true"]})
    (row,) = read_memories(store)
    assert (row.content, row.tags) == ('{"a": 1}', ("5", "true"))


def test_an_object_may_be_sent_as_its_json_text(store, agent):
    given = {"category": "lesson", "content": "cut losers"}
    for metadata in ({"seen": 2, "of": [1, {"a": None}]}, '{"seen": 2, "of": [1, {"a": null}]}'):
        call(agent, "memory_write", {**given, "metadata": metadata})
    call(agent, "memory_write", {**given, "metadata": None})

    none, text, plain = read_memories(store)
    assert text.metadata == plain.metadata == {"seen": 2, "of": [1, {"a": None}]}
    assert none.metadata == {}


@pytest.mark.parametrize(
    ("verb", "field"),
    [
        (lambda agent: agent.memory_search(None), "query"),
        (lambda agent: agent.memory_search("x", as_of="2020"), "as_of"),
        (lambda agent: agent.memory_search("x", after="2020"), "after"),
        (lambda agent: agent.memory_search("x", include_superseded="yes"), "include_superseded"),
        (lambda agent: agent.memory_read("lesson", "5"), "limit"),
        (lambda agent: agent.memory_read(as_of="2020"), "as_of"),
        (lambda agent: agent.memory_brief(as_of="2020"), "as_of"),
        (lambda agent: agent.memory_brief("yes"), "include_provenance"),
        (lambda agent: agent.memory_compiled_page(5), "asset"),
        (lambda agent: agent.search_conversation_memory(b"x"), "query"),
        (lambda agent: agent.memory_write("lesson", "x", [1]), "metadata"),
        (lambda agent: agent.memory_store("fact", "x", "eth"), "tags"),
        (lambda agent: agent.begin_turn("x", busy_for=5), "busy_for"),
        (lambda agent: agent.finish_turn("x", "failed", tool_calls=5), "tool_calls"),
        (lambda agent: agent.finish_turn("x", "failed", tool_calls=["x"]), "tool_calls.0"),
        (lambda agent: agent.profile_set("key", 5), "value"),
        (lambda agent: agent.profile_read(as_of="2020"), "as_of"),
        (lambda agent: call(agent, "memory_read", None), "arguments"),
        (lambda agent: call(agent, "memory_read", ["x"]), "arguments"),
        (lambda agent: call(agent, None, {}), "tool"),
        # Numbers inside the store are nobody's outside it.
        (lambda agent: agent.memory_delete(1), "id"),
        (lambda agent: agent.memory_store("context", "x", supersedes=1), "supersedes"),
    ],
)
def test_a_wrong_type_from_python_is_refused_by_name(store, agent, verb, field):
    agent.memory_store("context", "here before")
    before = used(store, agent), counted(store, "memories", "turns", "audit_log")
    with pytest.raises(InvalidInputError) as refused:
        verb(agent)

    assert refused.value.field == field
    assert (used(store, agent), counted(store, "memories", "turns", "audit_log")) == before


def test_an_agent_reads_the_profile_and_its_program_sets_it_within_the_limits(store, clock, writer):
    handle = begin_session(writer).handle
    agent = Agent(Door(writer, handle, limits=Limits(stores=1)))
    agent.profile_set("risk_tolerance", f"low {SECRET}")
    then = clock()
    clock.advance(days=1)
    with pytest.raises(BudgetExceededError):
        agent.profile_set("risk_tolerance", "any")

    (value,) = call(agent, "profile_read", {}).values()
    assert value.startswith("low ") and SECRET not in value
    assert agent.profile_read(as_of=then) == agent.profile_read()
    assert counted(store, "audit_log WHERE tool_call = 'profile.set' AND session_id IS NOT NULL")
    with pytest.raises(InvalidInputError):
        call(agent, "profile_set", {"key": "risk_tolerance", "value": "any"})


def test_a_schema_tells_a_model_what_each_tool_takes():
    stored, searched = schema("memory_store"), schema("memory_search")["properties"]
    entry = stored["properties"]

    assert stored["required"] == ["type", "content"]
    assert stored["additionalProperties"] is False
    assert entry["type"]["enum"] == ["preference", "fact", "instruction", "context", "correction"]
    assert entry["content"]["maxLength"] == 2_000
    assert (entry["tags"]["maxItems"], entry["tags"]["items"]["maxLength"]) == (10, 50)
    assert searched["query"]["maxLength"] == 500
    assert (searched["limit"]["default"], searched["limit"]["maximum"]) == (20, 100)
    assert searched["type"]["anyOf"][0]["enum"] == entry["type"]["enum"]
    assert schema("memory_delete")["required"] == ["id"]
    for tool in manifest():
        told = tool["arguments_schema"]
        assert tool["risk_level"] == "low"
        assert (
            tool["description"]
            == told["description"]
            == " ".join((getdoc(getattr(Agent, tool["name"])) or "").split("\n\n")[0].split())
        )
        assert all(one.get("description") for one in told["properties"].values()), tool["name"]
    assert [tool["name"] for tool in manifest()] == list(TOOLS)


def test_the_instructions_name_every_tool_and_type_and_the_limits_that_hold():
    for word in (*TOOLS, *TYPES):
        assert f"`{word}`" in INSTRUCTIONS
    named = set(re.findall(r"`(\w+_\w+)`", INSTRUCTIONS))
    assert named == set(TOOLS)
    assert "20 writes, of which 5 may" in INSTRUCTIONS and "5 deletions" in INSTRUCTIONS
    assert "9 writes, of which 2 may" in instructions(Limits(9, 2, 1))


def test_every_tool_has_a_schema_that_takes_no_more_than_it_names():
    for tool in TOOLS:
        assert schema(tool)["additionalProperties"] is False
        assert set(schema(tool)["properties"]).isdisjoint({"self", "as_of", "session_id"})


def test_the_bound_is_a_part_that_is_handed_in(writer):
    handle = begin_session(writer).handle
    agent = Agent(Door(writer, handle, limits=Limits(stores=1)))
    agent.memory_store("context", "a")
    with pytest.raises(BudgetExceededError, match="1 of its 1 stores"):
        agent.memory_store("context", "b")


def test_opened_by_settings_it_begins_a_session_and_ends_it(home, monkeypatch):
    monkeypatch.setenv("AFTERWORD_HOME", str(home))
    monkeypatch.setenv("AFTERWORD_SESSION_MAX_STORES", "2")
    with Agent.open("desk", label="chat 7") as agent:
        agent.memory_store("context", "a")
        handle = agent.handle
        # Another process goes on in the same session, and leaves it open.
        with Agent.open("desk", session=handle) as same:
            same.memory_store("context", "b")
        with pytest.raises(BudgetExceededError):
            agent.memory_store("context", "c")
    with Agent.open("desk", session=handle) as late:
        with pytest.raises(InvalidInputError, match="has ended"):
            late.memory_store("context", "d")
        assert len(late.memory_read()) == 2


def test_opened_by_settings_it_searches_and_counts_by_them(home, monkeypatch):
    """Each setting a search and a session follow arrives at the agent."""
    for name, value in (
        ("HOME", str(home)),
        ("RECALL_FUSION", "rrf"),
        ("RECALL_INDEX_MB", "7"),
        ("RECALL_EMBED_TIMEOUT_S", "0.25"),
        ("SESSION_MAX_DELETES", "3"),
        ("BRIEF_MAX_ENTRIES", "4"),
        ("SNAPSHOT_MAX_CHARS", "900"),
    ):
        monkeypatch.setenv(f"AFTERWORD_{name}", value)
    with ExitStack() as opened:
        door = open_door(opened, "desk", None, None, {"embedding_provider": "local"})
        options = door.search_options
        assert (options.fusion, options.embed_timeout_s) == ("rrf", 0.25)
        assert options.index is not None
        assert options.index._most_bytes == 7 << 20
        assert door.snapshot_max_chars == 900
        assert (door.limits.deletes, door.brief_limits.max_entries) == (3, 4)


def test_it_is_closed_without_a_with_as_with_one(home):
    agent = Agent.open("desk", home=home)
    agent.memory_store("context", "a")
    agent.close()
    agent.close()
    with Agent.open("desk", home=home, session=agent.handle) as late:
        with pytest.raises(InvalidInputError, match="has ended"):
            late.memory_store("context", "b")


def test_a_setting_nobody_knows_is_refused_by_name(home):
    with pytest.raises(InvalidInputError) as refused:
        Agent.open("desk", home=home, recall_fuson="rrf")
    assert refused.value.field == "recall_fuson"
    assert "AFTERWORD_RECALL_FUSION" in str(refused.value)


def test_what_cannot_be_opened_makes_no_group(home, monkeypatch):
    monkeypatch.setenv("AFTERWORD_HOME", str(home))
    for group, session, error in (
        ("../other", None, InvalidInputError),
        ("main", "sess-forged", NotFoundError),
    ):
        with pytest.raises(error):
            Agent.open(group, session=session)
    assert list((home / "groups").iterdir()) == []


def test_an_agent_shows_its_tools_and_its_life_cycle_and_nothing_else(agent):
    for_programs = {"profile_set", "snapshot", "start_brief", "workspace"}
    for_programs |= {"begin_turn", "turn_block", "turn_learnings", "finish_turn", "end"}
    for_programs |= {"capital", "strategies", "strategy_start", "strategy_stop"}
    for_programs |= {"personalization", "complete_onboarding", "onboarding_status"}
    public = {name for name in dir(Agent) if not name.startswith("_")}

    assert public == {*TOOLS, *for_programs, "open", "close", "session", "handle"}
    assert {name for name in vars(agent) if not name.startswith("_")} == {"group", "roles"}


def test_the_example_of_the_docstring_runs(home, monkeypatch):
    monkeypatch.setenv("AFTERWORD_HOME", str(home))
    text = re.search(r"::\n\n((?:    .*\n|\n)+)", getdoc(Agent) or "")
    assert text is not None
    exec(textwrap.dedent(text[1]), {})

    with Agent.open("main") as agent:
        assert [one.content for one in agent.memory_read()] == ["Prefers weekly charts"]


def test_an_ended_session_can_be_ended_again_from_outside(agent, writer):
    end_session(in_session(writer, agent.handle))
    agent.end()
