"""The owner's door to what is remembered."""

import json

from afterword.pipeline.core.jobs.inspect import counts
from afterword.pipeline.core.store import Store, Stores, reading
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.read import read_memories
from afterword.pipeline.domain.memory.write import write_memory


def test_a_write_makes_the_group_and_is_the_owners(stores: Stores, command, clock):
    answer = command(
        *("memory", "write", "preference", "reads weekly charts", "--typed"),
        *("--tag", "charts", "--meta", '{"since": 2024}', "--source", "user_manual"),
        *("--group", "desk", "--json"),
    )
    (memory,) = read_memories(stores.group("desk"))

    assert answer.json == {"id": 1, "uid": memory.uid, "same_as": None, "flagged": []}
    assert (memory.origin, memory.type, memory.source) == ("owner", "preference", "user_manual")
    assert (memory.tags, memory.metadata) == (("charts",), {"since": 2024})
    assert memory.known_at == clock()


def test_a_text_without_a_category_is_an_observation(stores: Stores, command):
    assert command("memory", "write", "the desk closes at 22:00 UTC").code == 0
    (memory,) = read_memories(stores.group("main"))

    assert (memory.category, memory.content) == ("observation", "the desk closes at 22:00 UTC")
    assert not memory.behavioral


def test_a_category_without_a_text_is_told_what_is_missing(home, command):
    refused = command("memory", "write", "lesson")

    assert refused.code == 2
    assert refused.err == (
        "afterword: content: is missing after the category lesson; accepted: a text after it, as "
        "in `afterword memory write lesson TEXT`\n"
    )
    assert not home.exists()


def test_the_same_preference_stored_twice_gets_a_hint(command):
    line = ("memory", "write", "preference")
    first = command(*line, "Prefers weekly charts", "--json").json
    again = command(*line, "prefers weekly charts.")
    typed = command("entry", "store", "preference", "Prefers weekly charts")

    assert again.out.splitlines()[1] == (
        f"the same preference stood already, as {first['uid']}; this one replaces it"
    )
    assert typed.out.splitlines()[1].endswith("this one replaces it")
    said = command(*line, "Prefers WEEKLY charts", "--json").json
    assert (said["same_as"]["id"], said["same_as"]["stands"]) == (3, "other")
    for other in (("preference", "Prefers daily charts"), ("lesson", "Prefers weekly charts")):
        assert command("memory", "write", *other).out.count("\n") == 1


def test_a_preference_that_was_taken_back_gives_no_hint(command):
    command("entry", "store", "preference", "Prefers weekly charts")
    command("entry", "delete", "1")

    assert "already" not in command("entry", "store", "preference", "Prefers weekly charts").out


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


def test_what_was_observed_is_not_the_owners_to_delete(command, writer):
    written = write_memory(writer, NewMemory("lesson", "cut losers"))
    answer = command("memory", "delete", str(written.id))

    assert answer.code == 2
    assert answer.err == (
        "afterword: memory: was observed or derived (lesson), and stays; accepted: a typed "
        "entry, or a personalization you wrote by hand; `afterword forget --memory 1` erases this "
        "one for good\n"
    )
    assert command("forget", "--memory", "1").code == 0
    assert "afterword forget --memory" in command("memory", "delete", "--help").out


def test_a_plain_fact_is_sent_to_the_door_where_facts_are_compared(home, command, tmp_path):
    file = tmp_path / "lines.jsonl"
    file.write_text(
        '{"category": "lesson", "content": "a"}\n{"category": "fact", "content": "b"}\n'
    )
    for line, field in (
        (("memory", "write", "fact", "the desk trades SOL"), "category"),
        (("memory", "write", "--file", str(file)), "memories[1].category"),
    ):
        refused = command(*line)
        assert (refused.code, refused.err.count("\n")) == (2, 1)
        assert refused.err.startswith(f"afterword: {field}: a fact is not kept as a plain memory")
        assert "fact record" in refused.err and "entry store fact" in refused.err
    assert not home.exists()


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


def test_what_was_written_by_hand_is_edited_and_its_past_is_read(command, clock):
    line = ("memory", "write", "personalization", "trades from Lisbon", "--tag", "home")
    command(*line, "--source", "user_manual", "--meta", '{"asked": 1}')
    then = clock().isoformat()
    clock.advance(days=1)

    assert command("memory", "edit", "1", "trades from Porto").out.startswith("memory 2 ")
    (now,) = command("memory", "read", "--json").json
    (before,) = command("memory", "read", "--as-of", then, "--json").json
    assert (now["content"], now["tags"], now["metadata"]) == (
        "trades from Porto",
        ["home"],
        {"asked": 1},
    )
    assert before["content"] == "trades from Lisbon"
    assert command("memory", "edit", "1", "x").err.startswith("afterword: memory 1 was")
    assert command("memory", "edit", "2").code == 2
    command("memory", "write", "lesson", "cut losers")
    assert command("memory", "edit", "3", "x").err.startswith(
        "afterword: memory: was not written by hand"
    )


def test_a_purge_is_counted_before_it_is_done(command, clock):
    command("memory", "write", "fact", "has a dog", "--typed")
    command("memory", "delete", "1")
    env = {"AFTERWORD_MEMORY_DELETED_RETENTION_DAYS": "2"}
    clock.advance(days=3)
    dry = command("memory", "purge", env=env)

    assert dry.out == "1 deleted and 0 superseded memories would be removed; --apply does it\n"
    assert command("memory", "restore", "1", env=env).code == 1
    assert command("memory", "purge", "--json", env=env).json == {"deleted": 1, "superseded": 0}
    assert command("memory", "purge", "--json").json == {"deleted": 0, "superseded": 0}
    went = command("memory", "purge", "--apply", "--json", env=env).json
    assert went == {"deleted": 1, "superseded": 0}
    done = command("memory", "purge", "--apply", env=env).out
    assert done == "0 deleted and 0 superseded memories are removed\n"
    assert command("memory", "restore", "1").err == "afterword: memory 1 does not exist\n"
    refused = command("memory", "read", "--as-of", "2026-01-04T00:00:00Z")
    assert (refused.code, "were purged" in refused.err) == (2, True)
