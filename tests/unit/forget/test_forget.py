"""Claims about forgetting: gone from every table and every byte, and the rest is as it was."""

import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection

import afterword.pipeline.operations.forget.forget as forget_room
from afterword.pipeline.areas import all_areas
from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.area import Kind
from afterword.pipeline.core.jobs.add import add
from afterword.pipeline.core.store import Store, Stores, reading, writing
from afterword.pipeline.core.store.backup import backup
from afterword.pipeline.core.store.content_hash import content_hash
from afterword.pipeline.core.store.key import secret_key
from afterword.pipeline.domain.edges import rows as edge_rows
from afterword.pipeline.domain.edges.extraction import extract_edges
from afterword.pipeline.domain.memory.delete import delete_memory
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.read import read_memories
from afterword.pipeline.domain.memory.user_profile import set_profile_value
from afterword.pipeline.domain.memory.write import insert_memories
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.errors import (
    CorruptStoreError,
    InvalidInputError,
    NotFoundError,
    UnavailableError,
)
from afterword.pipeline.ids import IdSource, random_uid
from afterword.pipeline.operations.forget import rows
from afterword.pipeline.operations.forget.finder import Finder
from afterword.pipeline.operations.forget.forget import forget, preview
from afterword.pipeline.operations.forget.matching import names_subject
from afterword.pipeline.operations.forget.model import ForgetRequest
from afterword.pipeline.operations.forget.places import FORGET_PLACES
from afterword.pipeline.operations.forget.residue import all_phrases
from afterword.pipeline.operations.forget.seal import digest, seal, unseal
from afterword.pipeline.testing.clock import ManualClock

SECRET = "the quibbleworth account pays the rent from Zürich, 每周买入比特币"
WALLET = "0xabcdef0123456789abcdef0123456789abcdef01"


@pytest.fixture
def say(store: Store, clock: ManualClock, ids: IdSource):
    """Write a memory with its edges; return its id."""

    def write(text: str, parents: tuple[int, ...] = (), **more: object) -> int:
        clock.advance(minutes=1)
        new = NewMemory("context", text, type="context", parents=parents, **more)  # type: ignore[arg-type]  # a test's own words
        with writing(store) as conn:
            (row,) = insert_memories(
                conn, Writer(store, clock, ids, "system", embeds=True), [new], clock()
            )
            edge_rows.keep(conn, [(row.id, extract_edges(text, None))], to_micros(clock()))
        return row.id

    return write


def run(store: Store, *statements: str) -> None:
    with writing(store) as conn:
        for statement in statements:
            conn.exec_driver_sql(statement)


def scatter(store: Store, memory: int, clock: ManualClock) -> None:
    """Put a memory's text wherever the program would put it."""
    said = SECRET.replace("'", "''")
    escaped = json.dumps([{"tool": "memory_search", "result": SECRET}]).replace("'", "''")
    set_profile_value(Writer(store, clock, random_uid), "rent", f"{SECRET}.")
    run(
        store,
        "INSERT INTO sessions (id, uid, handle, label, started_at) "
        f"VALUES (1, 's', 'h', '{said}', 0)",
        "INSERT INTO turns (id, uid, session_id, message, reply, tool_calls, started_at,"
        f" busy_until) VALUES (1, 't1', 1, 'remember: {said}', 'ok', '[]', 0, 0),"
        f" (2, 't2', 1, 'hello', 'hi', '{escaped}', 0, 0), (3, 't3', 1, 'x', 'y', '[]', 0, 0)",
        "INSERT INTO session_snapshots VALUES (1, 'snapshot', 'nothing of it', "
        f"'[{memory}]', 0), (1, 'brief', '- {said}', '[]', 0)",
        f"UPDATE jobs SET last_error = 'cannot embed {said[:40]}' WHERE kind = 'sync_history'",
        "INSERT INTO job_runs (job_id, kind, outcome, attempt, ended_at, waited_us, ran_us, note)"
        f" VALUES (1, 'k', 'retried', 1, 0, 0, 0, 'refused {said[:40]}')",
        "INSERT INTO memory_consolidation_events"
        " (at, kind, memory_id, version, decided_by, detail, said)"
        f" VALUES (0, 'kept', 999, 1, 'judge', '{{}}', 'says {said[:40]}')",
        "INSERT INTO embedding_models VALUES (1, 'p', 'm', 2, 0)",
        f"INSERT INTO memory_vectors (memory_id, model_id, vector) VALUES ({memory}, 1, x'00')",
    )


def held_anywhere(store: Store, *texts: str) -> list[str]:
    """Return the files of a store that hold one of the texts, read by another process's rules."""
    store.close()
    files = store.path.parent.glob(f"{store.path.name}*")
    return [
        path.name for path in files if any(text.encode() in path.read_bytes() for text in texts)
    ]


def test_a_memory_is_gone_from_every_place_and_every_byte(stores: Stores, store, say, clock):
    kept = say("the desk trades SOL perps, 每月")
    memory = say(SECRET)
    child = say("pays rent from the account, quibbleworth by name", parents=(memory,))
    grandchild = say("has a landlord", parents=(child,))
    with writing(store) as conn:
        add(conn, Kind("sync_history"), {"account": "main"}, clock())
    scatter(store, memory, clock)
    assert held_anywhere(store, "quibbleworth")

    done = forget(stores, "main", ForgetRequest((memory,)), clock)

    assert done.proof is not None
    assert (done.proof.found, dict(done.proof.standing)) == (0, {})
    assert {(one.table, one.does): list(one.ids) for one in done.preview.held} == {
        ("memories", "erased"): [memory, child, grandchild],
        ("user_profile", "erased"): [1],
        ("turns", "blanked"): [1, 2],
        ("session_snapshots", "erased"): [1, 2],
        ("sessions", "blanked"): [1],
        ("memory_consolidation_events", "blanked"): [1],
        ("jobs", "erased"): [3, 4, 5, 6, 7, 8],
        ("jobs", "blanked"): [9],
        ("job_runs", "blanked"): [1],
    }
    assert done.preview.follows == {"memory_edges": 1, "memory_parents": 2, "memory_vectors": 1}
    assert held_anywhere(store, "quibbleworth", "quibbl", "Zürich", "Z\\u00fcrich", "每周") == []
    assert [memory.id for memory in read_memories(store)] == [kept]
    with reading(store) as conn:
        assert conn.exec_driver_sql("SELECT message FROM turns").scalars().all() == ["", "", "x"]
        assert conn.exec_driver_sql("PRAGMA integrity_check").scalar_one() == "ok"


def test_no_read_of_the_past_shows_it(stores, store, say, clock):
    memory = say(SECRET)
    then = clock()
    clock.advance(days=1)
    forget(stores, "main", ForgetRequest((memory,)), clock)

    assert read_memories(store, as_of=then) == []


def tables(conn: Connection) -> dict[str, str]:
    names = conn.exec_driver_sql(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
        " AND name NOT LIKE 'sqlite_%'"
    ).scalars()
    return {name: content_hash(conn, name) for name in names}


def test_what_is_not_meant_stays_byte_for_byte(stores, store, say, clock, writer):
    say("the desk trades SOL perps")
    set_profile_value(writer, "risk", "low")
    with reading(store) as conn:
        before = tables(conn)
    memory = say(SECRET)
    names = ("memories", "user_profile", "jobs", "memory_edges", "memory_absences")

    forget(stores, "main", ForgetRequest((memory,)), clock)
    with reading(store) as conn:
        after = tables(conn)
    assert {name: after[name] for name in names} == {name: before[name] for name in names}


def test_a_second_time_there_is_nothing_to_do_and_nothing_changes(stores, store, say, clock):
    memory = say(SECRET)
    with reading(store) as conn:
        uid = rows.uids(conn, [memory])[memory]
    forget(stores, "main", ForgetRequest((memory,)), clock)
    with reading(store) as conn:
        before = tables(conn)
    clock.advance(days=1)

    for name in (memory, uid):
        again = forget(stores, "main", ForgetRequest((name,)), clock)
        assert (again.preview.held, again.proof) == ((), None)
        assert list(again.preview.erased_before) == [str(name)]
    with reading(store) as conn:
        assert tables(conn) == before


def test_the_audit_log_keeps_ids_and_a_digest_only_the_key_explains(stores, store, say, clock):
    memory = say("the quibbleworth account")
    forget(stores, "main", ForgetRequest((memory,)), clock)

    with reading(store) as conn:
        (line,) = conn.exec_driver_sql(
            "SELECT object_id, actor, detail FROM audit_log WHERE tool_call = 'forget.erase'"
            " AND object_table = 'memories'"
        )
    detail = json.loads(line.detail)
    assert (line.object_id, line.actor) == (memory, "owner")
    assert detail["digest"] == digest(secret_key(stores.home), "the quibbleworth account")
    assert detail["digest"] != digest(bytes(32), "the quibbleworth account")
    assert "quibbleworth" not in line.detail
    assert (stores.home / "keys" / "hmac.key").stat().st_mode & 0o777 == 0o600


def test_everything_about_a_subject_goes_in_whatever_words_it_is_named(stores, store, say, clock):
    kept = say("the desk trades SOL perps"), say("annual returns of Annapurna")
    for text in ("Ann pays the rent", "wrote to ann.", "asked ＡＮＮ about fees"):
        say(text)
    say("weekly notes", metadata={"from": "Ann"})
    say("a landlord", tags=("ann",))

    found = preview(stores, "main", ForgetRequest(subject="Ann"))
    forget(stores, "main", ForgetRequest(subject="Ann"), clock)
    assert len(found.held[0].ids) == 5
    assert {memory.id for memory in read_memories(store)} == set(kept)


@pytest.mark.parametrize(
    ("subject", "named", "not_named"),
    [
        ("BTC", ["long BTC-PERP", "bitcoin is up", "买入比特币", "BTC/USDT"], ["long ETH", "BTCD"]),
        (WALLET, [f"sent to {WALLET}", WALLET.upper().replace("X", "x")], [WALLET[:-1] + "2"]),
        ("Acme Corp", ["ACME  corp.", "(acme\ncorp)"], ["acme", "acme corporation"]),
        ("比特", ["我买比特币"], ["bit"]),
        ("C++", ["writes c++"], ["c"]),
    ],
)
def test_a_subject_is_named_as_people_write_it(
    subject: str, named: list[str], not_named: list[str]
):
    names = names_subject(subject)

    assert [text for text in named if not names(text)] == []
    assert [text for text in not_named if names(text)] == []


def test_what_stands_elsewhere_is_told_and_is_no_failure(stores, store, say, clock):
    memory, other = say(f"{SECRET} today"), say(f"{SECRET} again")

    done = forget(stores, "main", ForgetRequest((memory,)), clock)
    assert done.proof is not None
    assert (done.proof.found, dict(done.proof.standing)) == (0, {"memories": 2})
    assert [row.id for row in read_memories(store)] == [other]


def test_other_versions_are_named_and_stay(stores, store, say, clock):
    old, new = say("quibbleworth, weekly"), say("quibbleworth, daily")
    run(store, f"UPDATE memories SET superseded_by = {new}, superseded_at = 9 WHERE id = {old}")

    assert preview(stores, "main", ForgetRequest((new,))).versions == (old,)
    assert preview(stores, "main", ForgetRequest((old, new))).versions == ()


def test_fills_are_the_venues_record_and_go_only_when_asked_for(stores, store, clock):
    run(
        store,
        "INSERT INTO perps_fills (sub_account_id, wallet_address, oid, ts_ms, symbol, side, dir,"
        " size, price, start_position, closed_pnl, fee, gross_micro_usd, fee_micro_usd,"
        " net_micro_usd, raw_json, fill_uid, created_at) VALUES ('main', "
        f"'{WALLET}', 'o', 1, 'BTC', 'B', 'd', '1', '1', '0', '0', '0', 0, 0, 0, '{{}}', 'f', 0)",
    )
    kept = preview(stores, "main", ForgetRequest(subject=WALLET))
    assert (kept.held, kept.stays) == ((), {"perps_fills": 1})

    done = forget(stores, "main", ForgetRequest(subject=WALLET, trades=True), clock)
    assert [one.table for one in done.preview.held] == ["perps_fills"]
    assert held_anywhere(store, WALLET) == []


def test_what_repeats_it_while_it_is_erased_goes_in_a_second_look(
    stores, store, say, clock, monkeypatch, writer
):
    memory = say(SECRET)
    erase, profile = forget_room.erase, []

    def erase_beside_a_writer(*given: Any) -> None:
        erase(*given)
        if not profile:
            profile.append(set_profile_value(writer, "late", SECRET))

    monkeypatch.setattr(forget_room, "erase", erase_beside_a_writer)
    done = forget(stores, "main", ForgetRequest((memory,)), clock)

    assert done.proof is not None
    assert (done.proof.found, dict(done.proof.standing)) == (0, {})
    assert held_anywhere(store, "quibbleworth") == []


def test_a_deleted_memory_is_forgotten_too(stores, store, say, clock, writer):
    memory = say(SECRET)
    delete_memory(writer, memory)

    forget(stores, "main", ForgetRequest((memory,)), clock)
    assert held_anywhere(store, "quibbleworth") == []


def test_what_cannot_be_meant_is_refused_and_nothing_is_lost(stores, store, say, clock):
    kept = say(SECRET)
    for wish in (
        lambda: ForgetRequest(),
        lambda: ForgetRequest((1,), "Ann"),
        lambda: ForgetRequest((1,), trades=True),
    ):
        with pytest.raises(InvalidInputError):
            wish()
    with pytest.raises(NotFoundError):
        forget(stores, "main", ForgetRequest((kept, 4711)), clock)

    assert [row.id for row in read_memories(store)] == [kept]


def test_bytes_that_are_left_over_fail_loudly_until_they_are_gone(stores, store, say, clock):
    memory = say(SECRET)
    beside = store.path.with_name(store.path.name + ".left")
    beside.write_bytes(b"\0\1" + SECRET.encode() + b"\2")

    with pytest.raises(CorruptStoreError, match="are still in"):
        forget(stores, "main", ForgetRequest((memory,)), clock)
    assert preview(stores, "main", ForgetRequest((memory,))).unfinished == 1
    beside.unlink()
    again = forget(stores, "main", ForgetRequest((memory,)), clock)
    assert again.proof is not None
    assert again.proof.phrases > 1
    assert forget(stores, "main", ForgetRequest((memory,)), clock).proof is None


def test_what_an_earlier_deletion_left_in_the_file_goes_too(stores, store, say, clock):
    purged, memory = say(f"{SECRET}, last year" * 20), say(SECRET)
    filler = [say("the desk trades SOL perps " * 30) for _ in range(30)]
    run(store, f"DELETE FROM memories WHERE id IN ({purged}, {filler[3]})")
    assert held_anywhere(store, "last year")

    forget(stores, "main", ForgetRequest((memory,)), clock)
    assert held_anywhere(store, "quibbleworth", "last year") == []


def test_a_reader_that_stays_is_named_and_the_proof_waits_for_it(
    stores, store, say, clock, monkeypatch
):
    monkeypatch.setattr("afterword.pipeline.operations.forget.scrub.READERS_S", 0.0)
    memory = say(SECRET)
    with reading(store) as conn:
        conn.exec_driver_sql("SELECT count(*) FROM memories").scalar_one()
        with pytest.raises(UnavailableError, match="a process has been reading"):
            forget(stores, "main", ForgetRequest((memory,)), clock)
    assert read_memories(store) == []

    assert forget(stores, "main", ForgetRequest((memory,)), clock).proof is not None
    assert held_anywhere(store, "quibbleworth") == []


def test_a_backup_is_named_with_how_much_it_still_holds(stores, store, say, clock, tmp_path: Path):
    memory = say(SECRET)
    backup(stores, stores.home.parent / "copy", clock())

    done = forget(stores, "main", ForgetRequest((memory,)), clock)
    assert done.proof is not None
    (copy,) = done.proof.copies
    assert copy.path == stores.home.parent / "copy" / "groups" / "main.sqlite"
    assert 0 < copy.holds <= done.proof.phrases + done.proof.words


def test_a_replay_that_holds_it_is_named_with_the_way_to_remove_it(
    stores: Stores, store, say, clock, command
):
    say(SECRET)
    past = stores.replay("past", create=True)
    with writing(past) as conn:
        row = (json.dumps({"why": SECRET}, ensure_ascii=False),)
        conn.exec_driver_sql("INSERT INTO replay_decisions VALUES (1, 0, 'k', 'm', 'r', ?)", row)
    stores.replay("other", create=True)
    stores.close()
    before = {path: path.read_bytes() for path in (stores.home / "replays").iterdir()}
    done = command("forget", "--subject", "quibbleworth", "--apply", "--yes")

    (line,) = [line for line in done.out.splitlines() if "replay" in line]
    assert "not changed: replay past contains" in line
    assert line.endswith("of them; remove it with `afterword replay rm past`")
    assert before == {path: path.read_bytes() for path in (stores.home / "replays").iterdir()}


def test_text_in_the_log_of_a_running_replay_counts(stores: Stores, store, say, clock):
    memory = say(SECRET)
    past = stores.replay("past", create=True)
    with writing(past) as conn:
        row = (json.dumps({"why": SECRET}, ensure_ascii=False),)
        conn.exec_driver_sql("INSERT INTO replay_decisions VALUES (1, 0, 'k', 'm', 'r', ?)", row)
    assert SECRET.encode() not in past.path.read_bytes()
    done = forget(stores, "main", ForgetRequest((memory,)), clock)

    assert done.proof is not None
    (copy,) = done.proof.copies
    assert (copy.path, copy.replay, copy.holds > 0) == (past.path, "past", True)


def test_recorded_answers_that_hold_it_are_named(stores, store, say, clock, tmp_path: Path):
    memory = say(SECRET)
    cassette = tmp_path / "answers.jsonl"
    cassette.write_text(json.dumps({"request": f"Facts: {SECRET}"}) + "\n")

    done = forget(stores, "main", ForgetRequest((memory,)), clock, [cassette])
    assert done.proof is not None
    assert [(copy.path, copy.holds > 0) for copy in done.proof.copies] == [(cassette, True)]


def test_every_column_that_can_hold_words_is_accounted_for(stores, store):
    accounted: dict[str, set[str]] = {
        table.name: set(table.quiet.split()) for area in all_areas() for table in area.tables
    }
    for place in FORGET_PLACES:
        accounted[place.table].update(place.words, place.json)
    real = set()
    for file in (store, stores.instance):
        with reading(file) as conn:
            real |= {
                (table, column)
                for table, column in conn.exec_driver_sql(
                    "SELECT m.name, c.name FROM sqlite_schema AS m, pragma_table_info(m.name) AS c"
                    " WHERE m.type = 'table' AND c.type IN ('TEXT', 'BLOB') AND m.name NOT LIKE"
                    " 'sqlite_%' AND m.name NOT LIKE 'memories_fts%'"
                )
            }
    assert {(name, column) for name, said in accounted.items() for column in said} == real


def test_only_the_key_opens_what_is_sealed():
    sealed = seal(b"k" * 32, SECRET.encode())

    assert SECRET.encode() not in sealed
    assert unseal(b"k" * 32, sealed) == SECRET.encode()
    assert unseal(b"k" * 32, seal(b"k" * 32, b"")) == b""
    for key, body in ((b"j" * 32, sealed), (b"k" * 32, sealed[:-1] + b"\0")):
        with pytest.raises(CorruptStoreError):
            unseal(key, body)


def test_a_text_is_looked_for_in_pieces_also_as_json_escapes_it():
    text = "pays the rent from Zürich every month, always"
    found = all_phrases([text, "short"])

    assert b"pays the rent from Z\xc3\xbcrich every" in found
    assert b"pays the rent from Z\\u00fcrich e" in found
    assert text.encode().endswith(found[1])
    assert b"short" not in found


def test_pieces_are_found_at_every_place_and_only_they():
    pieces = [b"quibbleworth", b"quibbles", b"short", "每周买入".encode()]
    finder = Finder(pieces)
    for start in range(20):
        searched = b"\0" * start + b"quibbleworth" + b"x" * (start % 5) + "每周买入".encode()
        assert finder.search(searched) == {b"quibbleworth", "每周买入".encode()}
    assert (
        finder.search(b"") == finder.search(b"quibblewort") == Finder([]).search(b"x" * 99) == set()
    )
    assert b"short" not in finder.pieces
