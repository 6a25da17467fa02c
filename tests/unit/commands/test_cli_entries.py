"""Entries and sessions on the command line: the owner's, or an agent's within its limits."""

from typing import Any

from afterword.pipeline.core.store import Stores
from afterword.pipeline.domain.memory.read import read_memories
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.sessions.sessions import in_session
from afterword.pipeline.domain.sessions.turns import begin_turn, finish_turn

UNKNOWN = "afterword: this session is not known here; begin one and write with its handle\n"


def begun(command, *line: str) -> Any:
    return command("session", "begin", "--json", *line).json


def test_an_owner_stores_replaces_finds_and_deletes_entries(stores: Stores, command):
    first = command("entry", "store", "preference", "weekly charts", "--tag", "charts", "--json")
    uid = first.json["uid"]
    second = command("entry", "store", "preference", "daily charts", "--supersedes", uid)
    (row,) = read_memories(stores.group("main"))

    assert second.out == f"entry {row.uid} is written\n"
    assert (row.origin, row.session_id, row.type) == ("owner", None, "preference")
    assert "daily charts" in command("entry", "ls").out
    assert "weekly charts" not in command("entry", "ls").out
    assert "superseded" in command("entry", "ls", "--include-superseded").out
    line = ("entry", "search", "weekly", "--include-superseded", "--limit", "1", "--json")
    (found,) = command(*line).json
    assert found["memory"]["uid"] == uid
    assert command("entry", "ls", "--tag", "charts").out == "no entries\n"
    assert command("entry", "delete", row.uid).out == f"{row.uid} is deleted\n"
    assert command("entry", "search", "charts").out == "nothing found\n"


def test_only_typed_entries_are_entries(command, clock):
    command("memory", "write", "lesson", "cut losing charts")
    command("entry", "store", "context", "looks at charts")
    then = clock().isoformat()
    clock.advance(days=1)
    command("entry", "store", "fact", "has two charts")

    assert len(command("entry", "search", "charts", "--json").json) == 2
    assert len(command("entry", "search", "charts", "--type", "fact", "--json").json) == 1
    assert [row["type"] for row in command("entry", "ls", "--json").json] == ["fact", "context"]
    (old,) = command("entry", "ls", "--as-of", then, "--json").json
    assert old["content"] == "looks at charts"
    assert "- [fact] has two charts (0d ago)" in command("entry", "brief").out


def test_entries_are_searched_as_memories_are(store, command, clock):
    """The same settings, moments and sessions: with an embedder, also by meaning."""
    handle = str(begun(command)["handle"])
    command("entry", "store", "context", "sells a dog", "--session", handle)
    then = clock().isoformat()
    clock.advance(days=1)
    command("entry", "store", "fact", "has a dog")
    uid = command("session", "ls", "--json").json[0]["uid"]

    def found(*line: str, env: dict[str, str] | None = None) -> list[str]:
        hits = command("entry", "search", "dog", *line, "--json", env=env).json
        return sorted(hit["memory"]["content"] for hit in hits)

    assert found("--as-of", then) == ["sells a dog"]
    assert found("--session-id", uid) == ["sells a dog"]
    assert found(env={"AFTERWORD_RECALL_FUSION": "rrf"}) == ["has a dog", "sells a dog"]
    # No key is set: were nothing asked for a vector, nobody would miss it.
    env = {"AFTERWORD_EMBEDDING_PROVIDER": "openai", "AFTERWORD_EMBEDDING_MODEL": "of-no-price"}
    for room in ("entry", "memory"):
        assert "of-no-price" in command(room, "search", "dog", env=env).err


def test_in_a_session_it_is_the_agent_who_writes_and_is_bounded(stores: Stores, command):
    session = begun(command, "--label", "chat 7")
    handle, env = str(session["handle"]), {"AFTERWORD_SESSION_MAX_STORES": "2"}
    owners = command("entry", "store", "instruction", "ask first", "--json").json["uid"]
    stored = command("entry", "store", "context", "a", "--session", handle, "--json", env=env).json
    command("entry", "store", "context", "b", "--session", handle, env=env)
    refused = command("entry", "store", "context", "c", "--session", handle, env=env)

    uid = session["session"]["uid"]
    assert stored["provenance"] == {
        "session_id": uid,
        "group": "main",
        "origin": "agent",
        "timestamp": "2026-01-05T00:00:00.000000Z",
    }
    assert (refused.code, refused.out) == (1, "")
    assert refused.err == (
        f"afterword: session {uid} has used 2 of its 2 stores; begin another session, or ask the "
        "owner to raise AFTERWORD_SESSION_MAX_STORES; decisions, trades, methodologies and "
        "deletions are counted apart\n"
    )
    kept = command("entry", "delete", owners, "--session", handle)
    assert (
        kept.code,
        kept.err.startswith("afterword: memory: was said by the owner"),
    ) == (2, True)
    assert command("entry", "delete", stored["id"], "--session", handle).code == 0
    assert (
        command("session", "ls", "--json").json[0].items()
        >= {
            "uid": uid,
            "label": "chat 7",
            "stores": 2,
            "deletes": 1,
            "ended_at": None,
        }.items()
    )


def test_a_handle_is_printed_once_and_never_again(command):
    begin = command("session", "begin")
    handle = begin.out.strip()
    shown = command("session", "ls").out + command("session", "show", handle, "--json").out
    shown += command("session", "end", handle).out + command("session", "ls", "--json").out

    assert handle.startswith("sess-")
    assert handle not in shown


def test_a_session_is_shown_with_its_turns_and_ended_by_its_name(stores, command, clock, ids):
    session = begun(command)
    handle, uid = str(session["handle"]), session["session"]["uid"]
    store = stores.group("main")
    turn = begin_turn(in_session(Writer(store, clock, ids), handle), "is ETH\na long?")
    clock.advance(seconds=3)
    finish_turn(in_session(Writer(store, clock, ids), handle), turn.uid, "succeeded", reply="no")
    begin_turn(in_session(Writer(store, clock, ids), handle), "and BTC?")

    out = command("session", "show", uid).out
    assert "is ETH a long?" in out and "succeeded" in out and "3.0 s" in out and "busy" in out
    assert command("session", "end", uid).out == f"session {uid} has ended\n"
    assert command("session", "end", uid).code == 0
    assert "abandoned" in command("session", "show", uid).out
    assert command("entry", "store", "context", "x", "--session", handle).code == 2


def test_sessions_of_another_group_are_unknown(command):
    session = begun(command)
    command("session", "begin", "--group", "other")
    for name in (str(session["handle"]), session["session"]["uid"], "sess-forged"):
        for line in (
            ("session", "show", name),
            ("session", "end", name),
            ("entry", "store", "context", "x", "--session", name),
            ("entry", "delete", "0" * 32, "--session", name),
        ):
            answer = command(*line, "--group", "other")
            assert (answer.code, answer.out, answer.err) == (1, "", UNKNOWN)


def test_what_is_refused_makes_no_group(command, home):
    for line in (
        ("entry", "store", "lesson", "x"),
        ("entry", "store", "fact", " "),
        ("session", "begin", "--label", " "),
    ):
        answer = command(*line)
        assert (answer.code, answer.err.count("\n")) == (2, 1)
    assert not home.exists()
