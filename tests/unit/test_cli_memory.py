"""The owner's door to what is remembered."""

import json

from pipeline.jobs.inspect import counts
from pipeline.memory.model import NewMemory
from pipeline.memory.read import read_memories
from pipeline.memory.write import write_memory
from pipeline.store import Shelf, Store, reading


def test_a_write_makes_the_group_and_is_the_owners(shelf: Shelf, command, clock):
    answer = command(
        *("memory", "write", "preference", "reads weekly charts", "--typed"),
        *("--tag", "charts", "--meta", '{"since": 2024}', "--source", "user_manual"),
        *("--group", "desk", "--json"),
    )
    (memory,) = read_memories(shelf.group("desk"))

    assert answer.json == {"id": 1, "uid": memory.uid}
    assert (memory.origin, memory.type, memory.source) == ("owner", "preference", "user_manual")
    assert (memory.tags, memory.metadata) == (("charts",), {"since": 2024})
    assert memory.known_at == clock()


def test_a_written_memory_is_found_read_deleted_and_restored(store, command):
    command("memory", "write", "fact", "the desk trades SOL perps", "--typed")
    (hit,) = command("memory", "search", "which perps", "--json").json

    assert hit["memory"]["content"] == "the desk trades SOL perps"
    assert "the desk trades SOL perps" in command("memory", "read", "--category", "fact").out
    assert command("memory", "delete", str(hit["memory"]["id"])).out == "1 is deleted\n"
    assert command("memory", "search", "perps").out == "nothing found\n"
    assert command("memory", "restore", hit["memory"]["uid"]).code == 0
    assert len(command("memory", "search", "perps", "--json").json) == 1
    assert command("memory", "restore", "1").err.startswith("afterword: memory 1 is not deleted")
    assert command("memory", "delete", "no-such-uid").code == 1


def test_what_was_observed_is_not_the_owners_to_delete(store, command, clock, ids):
    written = write_memory(store, NewMemory("lesson", "cut losers"), clock, ids)
    answer = command("memory", "delete", str(written.id))

    assert answer.code == 2
    assert answer.err.startswith("afterword: memory: is lesson")


def test_lines_of_a_file_are_written_together(store: Store, command, tmp_path):
    lines = [
        {"category": "lesson", "content": "one", "occurred_at": "2025-03-01T00:00:00+01:00"},
        {"category": "fact", "content": "two", "type": "fact", "tags": ["a"], "metadata": {"b": 1}},
    ]
    file = tmp_path / "lines.jsonl"
    file.write_text("\ufeff" + "\r\n".join(map(json.dumps, lines)), encoding="utf-8")

    assert command("memory", "write", "--file", str(file)).out == "2 memories are written\n"
    assert [memory.content for memory in read_memories(store)] == ["two", "one"]
    assert {memory.origin for memory in read_memories(store)} == {"import"}
    with reading(store) as conn:
        assert counts(conn) == {("extract_edges", "ready"): 2}
    assert (
        len(command("memory", "write", "--file", "-", "--json", stdin=file.read_bytes()).json) == 2
    )


def test_an_empty_file_writes_nothing(store, command):
    assert command("memory", "write", "--file", "-", stdin=b"").out == "0 memories are written\n"


def test_a_full_backlog_stops_a_file_but_not_one_memory(store, command):
    env = {"AFTERWORD_JOBS_MAX_READY": "1"}
    line = b'{"category": "lesson", "content": "x"}\n'

    assert command("memory", "write", "--file", "-", stdin=line, env=env).code == 0
    refused = command("memory", "write", "--file", "-", stdin=line, env=env)
    assert (refused.code, "jobs ls" in refused.err) == (1, True)
    assert command("memory", "write", "lesson", "y", env=env).code == 0


def test_a_write_asks_for_an_embedding_only_where_one_is_configured(store, command):
    command("memory", "write", "lesson", "a")
    command("memory", "write", "lesson", "b", env={"AFTERWORD_EMBEDDING_PROVIDER": "openai"})
    with reading(store) as conn:
        assert counts(conn) == {("extract_edges", "ready"): 2, ("embed_memories", "ready"): 1}
