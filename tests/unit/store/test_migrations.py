"""The schema: the declared tables equal the sum of the migrations, and old files upgrade."""

import pkgutil
import re
import sqlite3
from contextlib import closing
from hashlib import sha256
from importlib import import_module
from pathlib import Path

import pytest
from sqlalchemy import MetaData

import afterword
from afterword.pipeline.areas import all_areas
from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.core.store.migrate import (
    FILE_KINDS,
    migrate,
    newest,
    statements,
    steps,
    version,
)
from afterword.pipeline.core.store.tables import group_tables, instance_tables
from afterword.pipeline.errors import CorruptStoreError

DECLARED = {"group": group_tables, "instance": instance_tables}

RELEASED = {
    "group": (
        ("0001_ledger.sql", "33216d1bb59c1c48"),
        ("0002_memory.sql", "739ef4b224fbd13c"),
        ("0003_history.sql", "f16967d2b25190b2"),
        ("0004_sessions.sql", "ad6cb678fb164a4d"),
        ("0005_lineage.sql", "44bf98ba542cfd85"),
        ("0006_facts.sql", "a7220d696a7247a9"),
        ("0007_snapshots.sql", "d484486d0c4ee14a"),
        ("0008_vectors.sql", "c372f3aca68e1d29"),
        ("0009_edges.sql", "666fed7db7f3854f"),
        ("0010_erasures.sql", "93d4f2ccccc5ee95"),
        ("0011_search.sql", "3abb6facfceea6f6"),
        ("0012_prices.sql", "ed3dd64d54129e76"),
        ("0013_roles.sql", "abd56f88435828a7"),
        ("0014_role_stats.sql", "598f9ae9964c6bb4"),
        ("0015_edge_index.sql", "7d19ebcc731ddac6"),
        ("0016_gates_and_shadows.sql", "9e86ae4a7b248eb2"),
        ("0017_isolation.sql", "65609e7e5ea5e72a"),
        ("0018_absence_cause.sql", "ca09301f66416fcc"),
        ("0019_dead_work.sql", "11634b696de85cd5"),
        ("0020_outcomes.sql", "4710e34a4fbac2b7"),
        ("0021_plans_and_evidence.sql", "043d6c317ddda70a"),
        ("0022_patterns.sql", "de3fbe5565243df1"),
        ("0023_lesson_recall.sql", "71bb992042ade81d"),
        ("0024_export_mappings.sql", "771dbd46c89cc139"),
        ("0025_venues.sql", "86d529cf604935a6"),
        ("0026_trades.sql", "885f692cbebe3bfc"),
        ("0027_trade_history.sql", "faf8aff550b76c0e"),
        ("0028_trip_decisions.sql", "a16846135a5d527b"),
        ("0029_first_orders.sql", "21491dfc3ea3a0c3"),
        ("0030_empty_json.sql", "8cd2989dcbfcc670"),
        ("0031_sides_and_layouts.sql", "a6518539a9c15f21"),
        ("0032_imported_sessions.sql", "a0adb4e43e09e7e9"),
        ("0033_methodologies.sql", "8d1d2a345a6b06b7"),
        ("0034_injection_flags.sql", "9feb789c2348a91c"),
        ("0035_replays.sql", "ed3f47e0b0a4b610"),
        ("0036_days.sql", "31f742ce65354a32"),
        ("0037_session_counts.sql", "7ac4923745b6af3f"),
        ("0038_flag_intervals.sql", "4d3c18b6b5ffd669"),
        ("0039_excused_crashes.sql", "19f97997f8546e04"),
        ("0040_entries.sql", "16e2710cc7bad97a"),
        ("0041_corrections.sql", "41d85f0506b29abe"),
        ("0042_setup_base.sql", "b3a34dc172b1ea11"),
        ("0043_lesson_sets.sql", "5ad7b5fa661d9a40"),
        ("0044_price_classes.sql", "e14a2d197ee7903e"),
        ("0045_accounts.sql", "e35db40041e06f81"),
        ("0046_funding.sql", "343918b97fe384e5"),
        ("0047_history_sync.sql", "cba0dea0cccae375"),
        ("0048_fill_lines.sql", "b41f768d0100c1e5"),
        ("0049_transfers.sql", "d71538b0ff55086b"),
        ("0050_external_spot.sql", "44785e6bd2b507ad"),
        ("0051_capital.sql", "4aa0254c869bdae6"),
        ("0052_strategies.sql", "c8f0f58a3dfd1ae4"),
        ("0053_workspace.sql", "d61845fe37450ed2"),
        ("0054_profile.sql", "97301f67a422a2f0"),
        ("0055_exchanges.sql", "21d317937fe5616f"),
        ("0056_rebuilds.sql", "8e22955885296067"),
        ("0057_learnings.sql", "af1dc155bda8d21f"),
        ("0058_preferences.sql", "392279d6df49c348"),
        ("0059_institution.sql", "040dfcf80809530a"),
        ("0060_chat_statements.sql", "a2af9640e0259d9f"),
        ("0061_clients.sql", "9a350f219cbebaf3"),
        ("0062_turn_tags.sql", "eb514f808767d08d"),
        ("0063_fees_known.sql", "957a1a79941921b1"),
        ("0064_journal.sql", "9532760d084054fd"),
        ("0065_chain.sql", "f097560a53e4a8ea"),
        ("0066_tails.sql", "e721385182cdeb19"),
        ("0067_folded_chain.sql", "4f0736e03c4b8d47"),
    ),
    "instance": (
        ("0001_identity.sql", "a9ec00db26120b70"),
        ("0002_budget.sql", "8fc3a907777a5cd1"),
        ("0003_governance.sql", "12bcae565bae8259"),
        ("0004_switch_changes.sql", "1a2ca5cdc4471668"),
        ("0005_schedule.sql", "ab36d940df0be7fa"),
        ("0006_notes.sql", "77ed52cb1a6bdd3b"),
        ("0007_venue_requests.sql", "21350684b9fae261"),
        ("0008_tokens.sql", "b119d7c218fd8611"),
        ("0009_pages.sql", "9d85591f696d7914"),
        ("0010_anchors.sql", "b7e21bc338e82f86"),
        ("0011_group_exports.sql", "6112452cccdc3509"),
        ("0012_anchors_anew.sql", "def1909ac5797346"),
    ),
}
"""The steps that files out there have taken, with a digest of each one's SQL; a new step comes
at the end."""

Columns = list[tuple[str, str, bool, bool]]
"""Name, type, whether it must not be null, whether it is of the primary key."""


@pytest.fixture(scope="module", autouse=True)
def _every_table_is_declared() -> None:
    for module in pkgutil.walk_packages(afterword.__path__, "afterword."):
        if module.name.endswith(".tables"):
            import_module(module.name)


def migrated(path: Path, kind: str, upto: int | None = None):
    conn = dbapi.connect(str(path), isolation_level=None)
    migrate(conn, kind, upto)
    return conn


def real(path: Path, kind: str) -> dict[str, Columns]:
    """Return the tables of a new file, without those that a word index makes for itself."""
    conn = migrated(path, kind)
    found = {
        name: [
            (column[1], column[2], bool(column[3]) or bool(column[5]), bool(column[5]))
            for column in conn.execute(f"PRAGMA table_info({name})")
        ]
        for (name,) in conn.execute(
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' "
            "AND name NOT LIKE '%\\_fts\\_%' ESCAPE '\\'"
        )
    }
    conn.close()
    return found


def test_each_table_belongs_to_one_area(tmp_path: Path):
    tables = {name for kind in FILE_KINDS for name in real(tmp_path / kind, kind)}
    declared = [table.name for area in all_areas() for table in area.tables]

    assert sorted(declared) == sorted(tables)


@pytest.mark.parametrize("kind", FILE_KINDS)
def test_the_columns_that_statements_use_are_those_of_the_migrations(tmp_path: Path, kind: str):
    used = columns(DECLARED[kind])
    made = real(tmp_path / "file", kind)

    assert used
    assert used == {name: made[name] for name in used}


def columns(metadata: MetaData) -> dict[str, Columns]:
    return {
        table.name: [
            (
                column.name,
                str(column.type).upper(),
                not column.nullable,
                column.primary_key,
            )
            for column in table.columns
        ]
        for table in metadata.tables.values()
    }


@pytest.mark.parametrize("kind", FILE_KINDS)
def test_no_check_needs_a_newer_sqlite_to_let_an_empty_value_pass(tmp_path: Path, kind: str):
    conn = migrated(tmp_path / "file", kind)
    for table, sql in conn.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'table'"):
        nullable = {row[1] for row in conn.execute(f"PRAGMA table_info({table})") if not row[3]}
        checked = set(re.findall(r"CHECK \(json_valid\((\w+)\)\)", sql))
        assert not checked & nullable, table
    conn.close()


def test_the_sqlite_of_the_standard_library_finds_kept_trades_sound(command, home, tmp_path: Path):
    path = tmp_path / "fills.csv"
    path.write_text(
        "Date,Pair,Type,Amount,Price\n"
        "2026-01-01 10:00:00,BTC/USDT,BUY,1,100\n2026-01-02 10:00:00,BTC/USDT,SELL,1,110\n"
    )
    columns = "time=Date,symbol=Pair,side=Type,qty=Amount,price=Price"
    told = command("learn", str(path), "--columns", columns, "--zone", "UTC", "--keep")
    assert told.code == 0, told

    with closing(sqlite3.connect(home / "groups" / "main.sqlite")) as conn:
        assert conn.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


@pytest.mark.parametrize("kind", FILE_KINDS)
def test_steps_are_numbered_without_gaps(kind: str):
    assert [step.number for step in steps(kind)] == list(range(1, newest(kind) + 1))


@pytest.mark.parametrize("kind", FILE_KINDS)
def test_a_released_step_never_changes(kind: str):
    digests = [(step.name, sha256(step.sql.encode()).hexdigest()[:16]) for step in steps(kind)]
    assert tuple(digests) == RELEASED[kind]


@pytest.mark.parametrize("kind", FILE_KINDS)
def test_a_file_of_any_earlier_version_is_upgraded_with_its_rows(tmp_path: Path, kind: str):
    for start in range(1, newest(kind)):
        conn = migrated(tmp_path / str(start), kind, upto=start)
        conn.execute("INSERT INTO store_identity VALUES (1, ?, 'g', 'i', 7)", (kind,))
        applied = migrate(conn, kind)
        assert len(applied) == newest(kind) - start
        assert version(conn) == newest(kind)
        rows = conn.execute("SELECT * FROM store_identity").fetchall()
        assert rows == [(1, kind, "g", "i", 7)]
        conn.close()


def test_a_replay_has_the_steps_of_a_group():
    assert (steps("replay"), newest("replay")) == (steps("group"), newest("group"))


@pytest.mark.parametrize("start", [1, 34])
def test_a_file_becomes_a_replay_only_after_the_step_that_knows_of_them(tmp_path: Path, start: int):
    change = "UPDATE store_identity SET kind = 'replay'"
    conn = migrated(tmp_path / "file", "group", upto=start)
    conn.execute("INSERT INTO store_identity VALUES (1, 'group', 'g', 'i', 0)")
    with pytest.raises(dbapi.IntegrityError, match="CHECK"):
        conn.execute(change)
    migrate(conn, "group")
    conn.execute(change)

    for wrong in ("only = 2", "kind = 'other'", "kind = NULL", "created_at = 'text'"):
        with pytest.raises(dbapi.IntegrityError):
            conn.execute(f"UPDATE store_identity SET {wrong}")
    conn.close()


def test_a_step_that_fails_leaves_the_version_before_it(tmp_path: Path):
    conn = migrated(tmp_path / "file", "group", upto=1)
    conn.execute("CREATE TABLE memories (in_the_way)")
    with pytest.raises(CorruptStoreError, match=r"cannot be upgraded with 0002.*memories"):
        migrate(conn, "group")
    assert version(conn) == 1
    conn.close()


def test_a_trigger_is_one_statement():
    script = (
        "-- a comment; with a semicolon\nCREATE TABLE a (b);\n\n"
        "CREATE TRIGGER t AFTER INSERT ON a BEGIN\n  SELECT 1;\n  SELECT 2;\nEND;\n"
    )
    found = list(statements(script))
    assert len(found) == 2
    assert found[1].endswith("END;\n")


def test_what_older_rules_measured_is_due_again_and_who_recorded_it_is_known(tmp_path: Path):
    with closing(migrated(tmp_path / "file", "group", upto=39)) as conn:
        for number, actor in enumerate(("agent", "owner"), start=1):
            conn.execute(
                "INSERT INTO role_memory (uid, role_id, skill_id, origin, decision, direction,"
                " asset, asset_key, decided_at, known_at, state_at)"
                " VALUES (?, 'desk.calls', 'desk', 'agent', 'Buy', 'long', 'SOL', 'SOL', 7, 9, 9)",
                (f"uid-{number}",),
            )
            conn.execute(
                "INSERT INTO audit_log (at, actor, tool_call, object_table, object_id, detail)"
                " VALUES (9, ?, 'role.record', 'role_memory', ?, '{}')",
                (actor, number),
            )
        conn.execute(
            "INSERT INTO outcomes (subject_kind, subject_id, window_hours, rule_version, known_at,"
            " asset_key, asset_class, direction, verdict, window_verdict, source, symbol, entry_at,"
            " entry_price, exit_at, exit_price, move_ppb, sigma_ppb, band_ppb, costs_ppb)"
            " VALUES ('decision', 1, 24, 2, 9, 'SOL', 'crypto', 'long', 'right', 'right', 'file',"
            " 'SOLUSDT', 6, '1', 8, '2', 1, 1, 1, 1)"
        )
        migrate(conn, "group")
        found = conn.execute("SELECT recorded_by, measure_at FROM role_memory ORDER BY id")

        assert found.fetchall() == [("agent", 7 + 24 * 3_600_000_000), ("owner", None)]
