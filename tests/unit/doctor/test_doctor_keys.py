"""Symbols that a release reads better: what an earlier one stored is found under its asset again.

An earlier release filed a symbol that it could not read under the symbol itself.
"""

import pytest

from afterword.pipeline.clock import monotonic, to_micros
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.core.store.content_hash import content_hash
from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.domain.decisions.edges import DECISION_EDGES
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.read import show_decision
from afterword.pipeline.domain.decisions.record import record_decision
from afterword.pipeline.domain.edges import rows as edge_rows
from afterword.pipeline.domain.edges.extraction import Edge, extract_edges
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import write_memory
from afterword.pipeline.domain.prices.keep import keep_bars
from afterword.pipeline.domain.prices.overview import list_series
from afterword.pipeline.domain.prices.stored import StoredPrices
from afterword.pipeline.domain.reflection.model import Reflector
from afterword.pipeline.domain.reflection.reflect import reflect_role
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.operations.doctor.examine import examine
from afterword.pipeline.operations.doctor.fix import fix
from afterword.pipeline.settings import load
from afterword.pipeline.testing.roles import HOUR, book, jagged, role_of, saying, skill_of

ROLE = "desk.calls"
REGISTRY = RoleRegistry([skill_of(role_of())])
QUIET = 200
OLD_KEYS = {"XBTUSD": "XBTUSD", "$ETH": "$ETH", "BRK B": "BRK B", "sBTCUSDT": "SBTC"}
"""Symbols that an earlier release could not read, with the key it filed each under."""


@pytest.fixture
def decide(store, clock, ids):
    """Record a decision as an earlier release did: its key, and its edges under that key."""

    def record(asset: str, old_key: str | None = None, **fields) -> int:
        new = NewDecision(ROLE, "Buy it.", asset=asset, direction="long", **fields)
        row = record_decision(store, REGISTRY, new, clock, ids).id
        key = OLD_KEYS.get(asset, asset) if old_key is None else old_key
        with writing(store) as conn:
            conn.exec_driver_sql("UPDATE role_memory SET asset_key = ? WHERE id = ?", (key, row))
            own = extract_edges("Buy it.", None, (Edge("ticker", key, "traded"),))
            edge_rows.keep(conn, [(row, own)], to_micros(clock()), DECISION_EDGES)
            conn.exec_driver_sql("DELETE FROM jobs")
        return row

    return record


@pytest.fixture
def trade(store, clock):
    """Import hourly prices of a market that fall by 5 %, as an earlier release filed them."""

    def prices(symbol: str, old_key: str, hours: int = 30) -> None:
        start = clock() - QUIET * HOUR
        made = book(symbol, start, jagged(QUIET, [-0.05, *[0.0] * (hours - 1)]))
        (series,) = made.series(symbol)
        clock.advance(hours=hours)
        keep_bars(store, series, made.bars(series, start, clock(), clock()), clock)
        with writing(store) as conn:
            update = "UPDATE price_series SET asset = ? WHERE symbol = ?"
            conn.exec_driver_sql(update, (old_key, symbol))

    return prices


@pytest.fixture
def found(home, clock, ids):
    """Return what the doctor says of keys."""

    def look() -> list[str]:
        findings = examine(load(home=home), clock, monotonic, ids)
        return [f"{one.state}: {one.says}" for one in findings if "under a key" in one.says]

    return look


def mend(store, clock, *, apply=True):
    (done,) = fix(store, None, clock(), roles=REGISTRY, only=["keys"], apply=apply)
    return done.rows


def values(store, query: str) -> list:
    with reading(store) as conn:
        return [tuple(row) for row in conn.exec_driver_sql(query)]


def reflect(store, clock) -> None:
    reflect_role(Reflector(store, REGISTRY, saying("variance"), StoredPrices, clock), ROLE)


def test_a_decision_that_waited_for_its_prices_is_judged_once_both_have_their_asset(
    store, clock, decide, trade, found
):
    row = decide("XBTUSD")
    trade("XBTUSD", "XBTUSD")
    reflect(store, clock)
    assert show_decision(store, row).decision.state == "parked"  # no prices of BTC are there
    assert found() == [
        "wrong: 1 price series, 1 decisions and 0 memories are filed under a key that an earlier "
        "release read from their symbol, and are not found under their asset"
    ]

    assert mend(store, clock) == 2
    assert found() == []
    reflect(store, clock)

    judged = show_decision(store, row).decision
    assert (judged.state, judged.asset, judged.asset_key) == ("reflected", "XBTUSD", "BTC")
    assert judged.verdict.outcome == "wrong"
    assert [one.symbol for one in list_series(store, "BTC")] == ["XBTUSD"]


@pytest.mark.parametrize(
    ("asset", "key"),
    [("XBTUSD", "BTC"), ("$ETH", "ETH"), ("BRK B", "BRK.B"), ("sBTCUSDT", "BTC")],
)
def test_edges_move_with_their_decision(store, clock, decide, asset: str, key: str):
    decide(asset)
    before = values(store, "SELECT known_at, src_at, edge_type FROM memory_edges")

    assert mend(store, clock) == 1
    assert values(store, "SELECT asset_key FROM role_memory") == [(key,)]
    assert values(store, "SELECT dst_entity_key FROM memory_edges") == [(key,)]
    assert values(store, "SELECT known_at, src_at, edge_type FROM memory_edges") == before


def test_a_memory_is_found_under_the_asset_it_mentions(store, clock, writer):
    row = write_memory(writer, NewMemory("context", "long PF_XBTUSD and ETH", type="context")).id
    with writing(store) as conn:
        old = [Edge("ticker", "PF_XBTUSD", "mentions"), Edge("ticker", "ETH", "mentions")]
        pair = Edge("pair", "ETH|PF_XBTUSD", "co_occurs_with")
        edge_rows.keep(conn, [(row, [*old, pair])], to_micros(clock()))

    assert mend(store, clock) == 1
    edges = extract_edges("long PF_XBTUSD and ETH", None)
    with reading(store) as conn:
        assert set(edge_rows.kept(conn, [row])[row]) >= set(edges)
    keys = {key for (key,) in values(store, "SELECT dst_entity_key FROM memory_edges")}
    assert keys == {edge.entity_key for edge in edges}
    assert mend(store, clock) == 0


def test_two_series_of_one_asset_are_both_kept_and_no_bar_is_lost(store, clock, trade):
    trade("XBTUSD", "XBTUSD", hours=30)
    trade("BTCUSDT", "BTC", hours=20)
    bars = values(store, "SELECT * FROM prices ORDER BY series_id, t_open, revision")

    assert mend(store, clock) == 1
    assert values(store, "SELECT symbol, asset FROM price_series ORDER BY symbol") == [
        ("BTCUSDT", "BTC"),
        ("XBTUSD", "BTC"),
    ]
    assert values(store, "SELECT * FROM prices ORDER BY series_id, t_open, revision") == bars
    assert {one.symbol: one.bars for one in list_series(store, "BTC")} == {
        "BTCUSDT": QUIET + 20,
        "XBTUSD": QUIET + 30,
    }
    with reading(store) as conn:
        read = [one.symbol for one in StoredPrices(conn).series("BTC")]
    assert read == ["BTCUSDT", "XBTUSD"]  # equally fine: by name


def test_a_judged_decision_stays_as_it_was_judged(store, clock, decide, trade):
    row = decide("BTC", old_key="BTC")
    trade("BTCUSDT", "BTC")
    reflect(store, clock)
    with writing(store) as conn:
        conn.exec_driver_sql("DROP TRIGGER role_memory_decision_bu")
        conn.exec_driver_sql("UPDATE role_memory SET asset = 'XBTUSD', asset_key = 'XBTUSD'")
    query = "SELECT outcome, measured, narrative, classified_at, state FROM role_memory"
    before = values(store, query)
    assert before[0][0] == "wrong"

    mend(store, clock)
    assert values(store, query) == before
    assert show_decision(store, row).decision.asset_key == "BTC"


def test_a_decision_recorded_again_is_the_same_one(store, clock, ids, decide):
    row = decide("XBTUSD", key="a")
    new = NewDecision(ROLE, "Buy it.", asset="XBTUSD", direction="long", key="a")
    with pytest.raises(InvalidInputError, match="of another asset"):
        record_decision(store, REGISTRY, new, clock, ids)

    mend(store, clock)
    assert record_decision(store, REGISTRY, new, clock, ids).id == row


def test_it_is_looked_at_first_mended_once_and_logged_by_table(store, clock, decide, trade):
    decide("XBTUSD")
    trade("XBTUSD", "XBTUSD")
    with reading(store) as conn:
        before = {name: content_hash(conn, name) for name in ("role_memory", "price_series")}

    assert mend(store, clock, apply=False) == 2
    with reading(store) as conn:
        assert {name: content_hash(conn, name) for name in before} == before
    assert [mend(store, clock), mend(store, clock)] == [2, 0]
    logged = "SELECT object_table, detail FROM audit_log WHERE tool_call = 'doctor.fix.keys'"
    assert values(store, logged) == [
        ("price_series", '{"rows": 1}'),
        ("role_memory", '{"rows": 1}'),
    ]


def test_no_job_is_added_that_could_ask_a_model(store, clock, decide, trade):
    decide("XBTUSD")
    trade("XBTUSD", "XBTUSD")
    with writing(store) as conn:
        conn.exec_driver_sql("DELETE FROM jobs")

    mend(store, clock)
    assert values(store, "SELECT kind FROM jobs") == []


def test_the_asset_as_it_is_written_still_never_changes(store, decide):
    decide("XBTUSD")

    with pytest.raises(dbapi.IntegrityError, match="never changes"), writing(store) as conn:
        driver = conn.connection.dbapi_connection
        driver.execute("UPDATE role_memory SET asset = 'BTC'")


def test_a_symbol_that_is_read_as_before_is_left_alone(store, clock, decide, trade, found):
    decide("SOL")
    decide("foo:BTC")  # still unread
    trade("SOLUSDT", "SOL")

    assert (found(), mend(store, clock)) == ([], 0)


def test_the_command_names_what_is_wrong_and_mends_it(store, clock, decide, trade, command):
    decide("XBTUSD")
    trade("XBTUSD", "XBTUSD")

    sick = command("doctor")
    assert sick.code == 1
    assert "--only keys" in " ".join(sick.out.split())
    mended = command("doctor", "--fix", "--apply", "--json")
    assert {one["action"]: one["rows"] for one in mended.json if one["rows"]} == {"keys": 2}
    assert "XBTUSD" in command("prices", "ls", "BTC").out
    assert "under a key" not in command("doctor").out
