"""Edits at rest by another program are named; what Afterword itself does never is."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from afterword.pipeline.core.jobs.operate import free_restored
from afterword.pipeline.core.store import StoreOptions, run_sql, writing
from afterword.pipeline.core.store.backup import backup
from afterword.pipeline.core.store.chain.anchors import anchor
from afterword.pipeline.core.store.chain.cover import COVERED, NOT_COVERED
from afterword.pipeline.core.store.chain.seal import ChainKey
from afterword.pipeline.core.store.chain.verify import accept_rows, check_chain
from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.core.store.restore import restore_group
from afterword.pipeline.core.store.tidy import tidy
from afterword.pipeline.domain.memory.delete import delete_memory
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.user_profile import set_profile_value
from afterword.pipeline.domain.memory.write import write_memories, write_memory
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.testing.clock import ManualClock


def test_an_edit_stays_known_after_this_program_wrote_the_row(lived, owner, found, edit):
    edit("UPDATE memories SET content = 'buy more' WHERE id = 7")
    delete_memory(owner, 7)

    assert found() == {("memories", "changed")}


@pytest.mark.parametrize(
    "statement",
    [
        "DELETE FROM chain_blocks",
        "DELETE FROM chain_blocks WHERE id = 3",
        "DELETE FROM chain_blocks WHERE id = 1",
        "UPDATE chain_blocks SET entries = x'' WHERE id = 3",
        "UPDATE chain_blocks SET at = at + 1 WHERE id = 2",
        "UPDATE chain_blocks SET layout = replace(layout, 'memories', 'x') WHERE id = 1",
    ],
)
def test_an_edit_of_the_chain_itself_is_found(lived, stores, found, edit, clock, statement):
    anchor(stores.instance, stores.group("main"), "scheduled", clock())
    edit(statement)

    assert found()


def test_an_edit_of_the_anchors_is_found(lived, stores, found, clock):
    for _ in range(2):
        clock.advance(hours=1)
        anchor(stores.instance, stores.group("main"), "restored", clock())
    stores.close()
    with closing(dbapi.connect(str(stores.instance.path))) as conn, conn:
        conn.execute("DROP TRIGGER chain_anchors_bu")
        conn.execute("UPDATE chain_anchors SET blocks = blocks + 1 WHERE id = 1")

    assert found() == {("", "chain")}


def test_another_key_is_one_finding_and_not_one_for_each_row(lived, stores, found):
    stores.close()
    (stores.home / "keys" / "hmac.key").write_bytes(b"x" * 32)

    assert found() == {("", "key")}


def test_what_the_owner_accepts_is_right_from_then_on(lived, stores, found, edit, clock):
    edit("UPDATE memories SET content = 'mine' WHERE id = 2", "DELETE FROM memories WHERE id = 4")
    anchor(stores.instance, stores.group("main"), "scheduled", clock())
    checked = accept_rows(stores.instance, stores.group("main"), clock())

    assert {edit.what for edit in checked.edits} == {"changed", "removed"}
    assert found() == set()
    edit("UPDATE memories SET content = 'not mine' WHERE id = 2")
    assert found() == {("memories", "changed")}


def test_nothing_that_afterword_does_to_its_files_is_an_alarm(
    lived, stores, found, command, remember, clock, tmp_path
):
    backup(stores, tmp_path / "backup", clock())
    for place in range(200):
        remember(f"lesson {place}: the {place}th")
    clock.advance(days=400)
    for line in (
        ("forget", "--subject", "losers", "--apply", "--yes"),
        ("doctor", "--fix", "--apply"),
        ("memory", "write", "correction", "Use limit orders"),
    ):
        assert command(*line).code == 0, line
    tidy(stores.group("main"))
    assert found() == set()
    stores.close()
    restore_group(
        tmp_path / "backup", stores, "main", StoreOptions(), clock(), free_restored, replace=True
    )
    assert found() == set()
    restore_group(
        *(tmp_path / "backup", stores, "copy", StoreOptions(), clock(), free_restored),
        named="main",
    )
    copied = check_chain(stores.instance, stores.group("copy"), clock())
    assert copied.edits == () and copied.rows > 6


def test_a_statement_that_sqlite_took_back_is_no_alarm(lived, found):
    values = "('first', 'x', 1), ('second', NULL, 1)"
    with writing(lived) as conn:
        with pytest.raises(dbapi.IntegrityError):
            run_sql(conn, f"INSERT INTO user_profile (key, value, updated_at) VALUES {values}")
        run_sql(conn, "UPDATE user_profile SET value = 'high' WHERE id = 1")

    assert found() == set()


VERBS = ("write", "delete", "undone", "profile", "bulk")
KINDS = ("change", "remove", "add")


@pytest.mark.parametrize("seed", range(4))
def test_random_edits_after_random_verbs_are_each_named(lived, stores, owner, found, clock, seed):
    chance = Random(seed)
    for _round in range(8):
        for verb in chance.choices(VERBS, k=4):
            _do(verb, owner, clock)
        assert found() == set()
        lived.close()
        table, kind = chance.choice(list(_filled(lived.path))), chance.choice(KINDS)
        number = _edit_a_row(lived.path, table, kind)

        assert {name for name, _what in found()} == ({table} if number else set()), (table, kind)
        accept_rows(stores.instance, lived, clock())


def _do(verb: str, by: Writer, clock: ManualClock) -> None:
    """Do one ordinary thing to a group, or begin one that is undone."""
    clock.advance(minutes=1)
    if verb == "write":
        write_memory(by, NewMemory("lesson", f"at {clock()}"))
    elif verb == "bulk":
        write_memories(by, [NewMemory("lesson", f"{place} at {clock()}") for place in range(5)])
    elif verb == "delete":
        delete_memory(
            by,
            write_memory(
                by, NewMemory("preference", f"soon gone, {clock()}", type="preference")
            ).id,
        )
    elif verb == "profile":
        set_profile_value(by, "risk", f"low at {clock()}")
    else:
        with pytest.raises(ZeroDivisionError), writing(by.store) as conn:
            run_sql(conn, "DELETE FROM user_profile")
            raise ZeroDivisionError


def _filled(path: Path) -> Iterator[str]:
    with closing(dbapi.connect(str(path))) as conn:
        for table in COVERED:
            if conn.execute(f"SELECT 1 FROM {table}").fetchone():
                yield table


def _edit_a_row(path: Path, table: str, kind: str) -> int:
    """Edit one row with the table's triggers gone, and return how many rows changed."""
    with closing(dbapi.connect(str(path))) as conn, conn:
        names = conn.execute(
            "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?", (table,)
        ).fetchall()
        for name, _sql in names:
            conn.execute(f"DROP TRIGGER {name}")
        info = conn.execute(f"SELECT name, type, pk FROM pragma_table_info('{table}')").fetchall()
        left_out = COVERED[table].split()
        keys = [name for name, _type, pk in info if pk]
        values = [name for name, _type, pk in info if not pk and name not in left_out]
        where = f"({', '.join(keys)}) = (SELECT {', '.join(keys)} FROM {table} LIMIT 1)"
        if kind == "remove":
            statement = f"DELETE FROM {table} WHERE {where}"
        elif kind == "add":
            columns = [name for name, _type, _pk in info]
            new = [
                f"(SELECT max(id) + 1 FROM {table})"
                if name == "id"
                else (f"{name} || '1'" if name in (*keys, "uid", "hash", "handle") else name)
                for name in columns
            ]
            statement = (
                f"INSERT INTO {table} ({', '.join(columns)}) "
                f"SELECT {', '.join(new)} FROM {table} LIMIT 1"
            )
        else:
            column = values[0] if values else keys[0]
            statement = f"UPDATE {table} SET {column} = CAST({column} AS TEXT) || '1' WHERE {where}"
        conn.execute("PRAGMA ignore_check_constraints = ON")
        try:
            done = conn.execute(statement).rowcount
        except dbapi.IntegrityError:
            done = 0  # this table does not take a second row like its first
        for _name, sql in names:
            conn.execute(sql)
        return done


def test_every_table_of_a_group_is_covered_or_left_out_for_a_reason(lived, stores):
    with closing(dbapi.connect(str(lived.path))) as conn:
        tables = {
            name
            for (name,) in conn.execute(
                "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type <> 'shadow'"
            )
            if not name.startswith("sqlite_")
        }
    left_out = {name for names in NOT_COVERED.values() for name in names.split()}

    assert tables == {*COVERED, *left_out}


def test_a_digest_is_the_same_in_every_python():
    key = ChainKey(b"k" * 32, "main")

    assert (
        key.row((3, 1, 2**40, -1.5, "é\0x", b"\0", None)).hex()
        == "0f975cfc963dd77e6c6cbf7c2314da9a"
    )
