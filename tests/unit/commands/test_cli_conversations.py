"""A file of conversations becomes sessions that no agent writes in."""

import json
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from afterword.pipeline.core.store import Store, Stores
from afterword.pipeline.domain.memory.read import read_memories
from afterword.pipeline.doors.agent import Agent

WRITE = ("memory", "write", "--file", "-")


def lines(*rows: dict[str, Any]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def said(session: str, content: str, at: str | None = None, **more: Any) -> dict[str, Any]:
    row = {"session": session, "content": content, "occurred_at": at}
    return {name: value for name, value in (row | more).items() if value is not None}


def found(store: Store) -> list[Any]:
    return sorted(read_memories(store, limit=100), key=lambda memory: memory.id)


def test_lines_of_one_label_are_one_session_known_since_its_import(store, command, clock):
    done = command(
        *WRITE,
        stdin=lines(
            said("chat 1", "Which venue has the lowest fees?", "2025-03-01T10:00:00Z"),
            said("chat 2", "Sell the SOL on Friday.", "2025-04-01T10:00:00Z"),
            said("chat 1", "Maker orders are free at the first one.", "2025-03-01T10:01:00Z"),
            {"content": "No session here.", "category": "lesson"},
        ),
    )
    first, other, second, alone = found(store)

    assert done.out == "4 memories are written, of 2 sessions\n"
    assert first.session_id == second.session_id not in (None, other.session_id)
    assert alone.session_id is None
    assert {one.origin for one in found(store)} == {"import"}
    assert {one.known_at for one in found(store)} == {clock()}
    assert first.occurred_at == datetime(2025, 3, 1, 10, tzinfo=UTC)
    listed = command("session", "ls", "--json").json
    assert [(one["label"], one["origin"], one["stores"]) for one in listed] == [
        ("chat 2", "import", 1),
        ("chat 1", "import", 2),
    ]
    hits = command("memory", "search", "maker orders", "--session-id", first.session_id, "--json")
    assert hits.json[0]["memory"]["id"] == second.id


def test_an_agents_limits_do_not_hold_and_no_agent_writes_in_an_imported_session(
    store, home, command
):
    with Agent.open(home=home, label="chat") as agent:
        own = agent.session
        env = {"AFTERWORD_SESSION_MAX_STORES": "1"}
        rows = [said("chat", f"turn {n}") for n in range(30)]
        assert command(*WRITE, stdin=lines(*rows), env=env).code == 0
        imported = {memory.session_id for memory in found(store)}

        assert len(imported) == 1 and own not in imported
        stored = agent.memory_store("fact", "the agent goes on in its own session")
        assert stored.provenance.session_id == own
    (uid,) = imported
    refused = command("entry", "store", "fact", "x", "--session", str(uid))
    assert refused.code in (1, 2)
    assert len(found(store)) == 31


def test_a_later_file_of_the_label_continues_its_session(store, command):
    command(*WRITE, stdin=lines(said("chat", "one"), said("chat", "two")))
    command(*WRITE, stdin=lines(said("chat", "three")))

    assert len({memory.session_id for memory in found(store)}) == 1
    assert [one["stores"] for one in command("session", "ls", "--json").json] == [3]


@pytest.mark.parametrize(
    ("rows", "order"),
    [
        ([("b", "10:01"), ("a", "10:00"), ("c", "10:02")], "abc"),
        ([("a", None), ("b", None), ("c", None)], "abc"),
        ([("c", "10:02"), ("d", None), ("a", "10:00"), ("b", None)], "abcd"),
    ],
    ids=[
        "by moment",
        "by place in the file",
        "a line without a moment stays behind the one before",
    ],
)
def test_a_session_is_written_in_the_order_in_which_it_happened(
    store, command, rows: Sequence[tuple[str, str | None]], order: str
):
    made = [said("chat", text, at and f"2025-03-01T{at}:00Z") for text, at in rows]
    answer = command(*WRITE, "--json", stdin=lines(*made)).json

    assert [memory.content for memory in found(store)] == list(order)
    # The answer keeps the order of the file.
    assert [one["uid"] for one in answer] == [
        next(memory.uid for memory in found(store) if memory.content == text) for text, _ in rows
    ]


def test_a_search_finds_an_answer_by_the_question_before_it(store, command):
    made = [
        said("chat", "Yes, it is 14.", "2025-03-01T10:01:00Z"),
        said("chat", "Is the leverage limit of the desk a number?", "2025-03-01T10:00:00Z"),
        *(said(f"other {n}", f"Unrelated remark number {n}.") for n in range(20)),
    ]
    command(*WRITE, stdin=lines(*made))
    hits = command("memory", "search", "leverage limit of the desk", "--json").json

    assert [hit["memory"]["content"] for hit in hits[:2]] == [
        "Is the leverage limit of the desk a number?",
        "Yes, it is 14.",
    ]


def test_a_file_with_keys_is_written_once_however_often_it_is_read(store, command):
    rows = [said("chat", "one", key="m1"), said("chat", "two", key="m2")]
    first = command(*WRITE, "--json", stdin=lines(*rows)).json
    again = command(*WRITE, stdin=lines(*rows, said("chat", "three", key="m3")))
    answer = command(*WRITE, "--json", stdin=lines(*rows)).json

    assert again.out == "1 memory is written, of 1 session; 2 were before\n"
    assert [memory.content for memory in found(store)] == ["one", "two", "three"]
    assert [one["uid"] for one in answer] == [one["uid"] for one in first]
    assert [one["is_new"] for one in first + answer] == [True, True, False, False]


def test_a_file_without_keys_is_written_as_often_as_it_is_read(store, command):
    for _ in range(2):
        command(*WRITE, stdin=lines(said("chat", "one")))

    assert [memory.content for memory in found(store)] == ["one", "one"]


def test_a_deleted_memory_does_not_come_back_with_its_key(store, command):
    row = lines({"category": "fact", "type": "fact", "content": "has a dog", "key": "m1"})
    command(*WRITE, stdin=row)
    command("memory", "delete", "1")
    command(*WRITE, stdin=row)

    assert found(store) == []


def test_a_key_of_another_text_is_refused_and_nothing_is_written(stores: Stores, store, command):
    command(*WRITE, stdin=lines(said("chat", "one", key="m1")))
    other = command(*WRITE, stdin=lines(said("chat", "new"), said("chat", "not one", key="m1")))
    twice = command(*WRITE, stdin=lines(said("a", "x", key="k"), said("b", "y", key="k")))

    assert (other.code, twice.code) == (2, 2)
    assert other.err.startswith("afterword: memories[1].key: 'm1' names memory 1, which has")
    assert twice.err.startswith("afterword: memories[1].key: is that of memories[0], too")
    assert [memory.content for memory in found(store)] == ["one"]
    assert [one["label"] for one in command("session", "ls", "--json").json] == ["chat"]


def test_a_label_and_a_key_of_a_wrong_type_are_told_with_the_other_mistakes(home, command):
    refused = command(*WRITE, stdin=lines({"session": 7, "key": " ", "content": 1}))

    assert refused.code == 2
    assert [line.split(": ")[1] for line in refused.err.splitlines()] == [
        "memories[0].session",
        "memories[0].key",
        "memories[0].content",
    ]
    assert not home.exists()


def test_what_was_forgotten_leaves_neither_its_label_nor_its_key(store, command):
    row = said("talk with Jane Doe", "Jane Doe likes gold", key="jane doe 1")
    command(*WRITE, stdin=lines(row, said("chat", "kept", key="m2")))
    done = command("forget", "--subject", "Jane Doe", "--apply", "--yes", "--json")

    assert done.code == 0
    assert [memory.content for memory in found(store)] == ["kept"]
    assert [one["label"] for one in command("session", "ls", "--json").json] == ["chat", None]
    assert b"jane doe" not in store.path.read_bytes().lower()


def test_the_lines_that_the_page_shows_are_accepted(store, command):
    page = (Path(__file__).parents[3] / "docs" / "conversations.md").read_text()
    (shown,) = re.findall(r"^```json\n(\{\"session.*?)^```$", page, re.DOTALL | re.MULTILINE)

    assert command(*WRITE, stdin=shown).out == "2 memories are written, of 1 session\n"
    assert command(*WRITE, stdin=shown).out.endswith("; 2 were before\n")


def test_a_line_that_states_what_only_we_set_is_refused(home, command):
    for field in ("known_at", "origin", "session_id", "scenario_id", "uid"):
        refused = command(*WRITE, stdin=lines({"content": "x", field: "2020-01-01T00:00:00Z"}))
        assert refused.err.startswith(f"afterword: memories[0].{field}: is an unknown field")
    assert not home.exists()
