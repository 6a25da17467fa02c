"""SQL over the outcomes of the ladder: which decisions are due, and when they are due next."""

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from sqlalchemy import Connection, text

from afterword.pipeline.core.store import driver_cursor
from afterword.pipeline.domain.decisions.ladder import NextLook
from afterword.pipeline.domain.decisions.model import State
from afterword.pipeline.domain.decisions.peer_rows import PEERS
from afterword.pipeline.domain.decisions.price_need_rows import AssetNeed
from afterword.pipeline.domain.outcomes.model import RULE_VERSION, MeasuredVerdict
from afterword.pipeline.rules.market.outcome import Stance

MOST_NAMED: Final = 200
"""Peers named by decisions of one role, of which prices are asked for in one run; count."""

_DUE: Final = """
SELECT id, role_id, asset, asset_key, direction, decided_at, measure_at, state, inputs,
  stop_price, target_price, size_usd, leverage
FROM role_memory WHERE measure_at <= :now AND asset IS NOT NULL
ORDER BY measure_at, id LIMIT :limit
"""
_MEASURED: Final = """
SELECT subject_id, window_hours, entry_at, verdict, rule_version FROM outcomes
WHERE subject_kind = 'decision' AND subject_id IN (SELECT value FROM json_each(:ids))
ORDER BY rule_version
"""
_FIRST_DUE: Final = "SELECT min(measure_at) FROM role_memory WHERE measure_at IS NOT NULL"
_COUNT_DUE = text("""
SELECT count(*) FROM role_memory WHERE measure_at <= :now AND asset IS NOT NULL
""")
_COUNT_LATE = text("""
SELECT count(*) FROM role_memory WHERE measure_at <= :by AND known_at <= :by
""")
_COUNT_MISSING = text("""
SELECT count(*) FROM (SELECT 1 FROM role_memory WHERE windows_missing > 0 LIMIT :most)
""")
# A decision that new prices made due meanwhile stays due.
_PLAN_NEXT: Final = """
UPDATE role_memory SET measure_at = row.value ->> 2, windows_missing = row.value ->> 3
FROM json_each(:rows) AS row
WHERE role_memory.id = row.value ->> 0 AND role_memory.measure_at = row.value ->> 1
"""
_KEPT: Final = "SELECT id FROM role_memory WHERE id IN (SELECT value FROM json_each(?))"
_WAKE: Final = """
UPDATE role_memory SET measure_at = :now
WHERE windows_missing > 0 AND {these} AND (measure_at IS NULL OR measure_at > :now)
"""
_WAKE_ASSETS = text(_WAKE.format(these="asset_key IN (SELECT value FROM json_each(:assets))"))
_WAKE_ROLE = text(_WAKE.format(these="role_id = :role_id"))
_LACKING: Final = "FROM role_memory WHERE windows_missing > 0 AND measure_at IS NOT NULL"
_FIRST_LACKING = text(f"SELECT min(decided_at) {_LACKING}")
_ASSETS_LACKING = text(f"""
SELECT asset, min(decided_at), max(decided_at) {_LACKING} AND asset IS NOT NULL GROUP BY asset
""")
_SPAN_LACKING = text(f"""
SELECT min(decided_at), max(decided_at) {_LACKING} AND role_id = :role_id
""")
# Agents write these names, so they are bounded: those of the oldest decisions first. What no source
# has leaves the list when its decision is not tried again.
_PEERS_LACKING = text(f"""
SELECT peer.value, min(decided_at), max(decided_at) FROM role_memory, {PEERS}
WHERE windows_missing > 0 AND measure_at IS NOT NULL AND role_id = :role_id
  AND input.key = :field AND peer.type = 'text'
GROUP BY peer.value ORDER BY min(decided_at), peer.value LIMIT :most
""")
_DUE_NOW: Final = """
UPDATE role_memory SET measure_at = ?2
WHERE id IN (SELECT value FROM json_each(?1)) AND asset_key IS NOT NULL
  AND (measure_at IS NULL OR measure_at > ?2)
"""
_STATS = text("SELECT window_hours, ever FROM outcome_stats ORDER BY window_hours")


class LadderDecision(NamedTuple):
    """A decision with an outcome that is due; moments in microseconds.

    Args:
        asset: as it is written.
        measure_at: when it was to be measured.
        inputs: a JSON object as text.
        stop_price: its own plan, as the next three; decimal text.
    """

    id: int
    role_id: str
    asset: str
    asset_key: str
    direction: Stance
    decided_at: int
    measure_at: int
    state: State
    inputs: str
    stop_price: str | None
    target_price: str | None
    size_usd: str | None
    leverage: str | None


@dataclass(frozen=True, slots=True)
class MeasuredBefore:
    """What was measured of a decision before.

    Args:
        entries: the entry by the present rules (microseconds), by window (hours).
        older: the verdict by the newest older rules, by window.
    """

    entries: dict[int, int] = field(default_factory=dict)
    older: dict[int, MeasuredVerdict] = field(default_factory=dict)


def due(conn: Connection, now: int, limit: int) -> list[LadderDecision]:
    """Return the decisions with an outcome that is due, the longest due first."""
    found = driver_cursor(conn)
    found.execute(_DUE, {"now": now, "limit": limit})
    return [LadderDecision(*row) for row in found.fetchall()]


def count_due(conn: Connection, now: int) -> int:
    """Return how many decisions have an outcome that is due; microseconds."""
    found: int = conn.execute(_COUNT_DUE, {"now": now}).scalar_one()
    return found


def measured(conn: Connection, ids: Sequence[int]) -> dict[int, MeasuredBefore]:
    """Return what was measured of decisions before."""
    cursor, found = driver_cursor(conn), defaultdict[int, MeasuredBefore](MeasuredBefore)
    cursor.execute(_MEASURED, {"ids": json.dumps(list(ids))})
    for row_id, hours, entry_at, verdict, version in cursor.fetchall():
        before = found[row_id]
        if version == RULE_VERSION:
            before.entries[hours] = entry_at
        else:
            before.older[hours] = verdict
    return found


def first_due(conn: Connection) -> int | None:
    """Return when the next outcome of a decision is due (microseconds); None if none is."""
    found = driver_cursor(conn)
    found.execute(_FIRST_DUE)
    (moment,) = found.fetchone() or (None,)
    return moment


def count_late(conn: Connection, by: int) -> int:
    """Return how many decisions that were known by a moment had an outcome due by then, and still
    wait for it; microseconds."""
    found: int = conn.execute(_COUNT_LATE, {"by": by}).scalar_one()
    return found


def count_missing(conn: Connection, most: int) -> int:
    """Return how many decisions lack an outcome of a past window, counted up to a limit."""
    found: int = conn.execute(_COUNT_MISSING, {"most": most}).scalar_one()
    return found


def plan_next(conn: Connection, looks: Sequence[tuple[LadderDecision, NextLook]]) -> None:
    """Keep when decisions are due next, unless something made them due meanwhile."""
    rows = [[one.id, one.measure_at, look.at, look.missing] for one, look in looks]
    driver_cursor(conn).execute(_PLAN_NEXT, {"rows": json.dumps(rows)})


def kept(conn: Connection, ids: Sequence[int]) -> set[int]:
    """Return those of the decisions that still exist."""
    found = driver_cursor(conn)
    found.execute(_KEPT, (json.dumps(list(ids)),))
    return {row_id for (row_id,) in found.fetchall()}


def make_due(conn: Connection, assets: Sequence[str], now: int) -> None:
    """Make decisions about assets (by key) due that lack an outcome of a past window."""
    conn.execute(_WAKE_ASSETS, {"assets": json.dumps(list(assets)), "now": now})


def make_these_due(conn: Connection, ids: Sequence[int], now: int) -> None:
    """Make decisions due, whatever they lack."""
    driver_cursor(conn).execute(_DUE_NOW, (json.dumps(list(ids)), now))


def make_role_due(conn: Connection, role_id: str, now: int) -> None:
    """Make decisions of a role due that lack an outcome of a past window."""
    conn.execute(_WAKE_ROLE, {"role_id": role_id, "now": now})


def first_lacking(conn: Connection) -> int | None:
    """Return when the first decision was made that is tried again for lack of prices
    (microseconds); None if none is."""
    found: int | None = conn.execute(_FIRST_LACKING).scalar_one()
    return found


def assets_lacking(conn: Connection) -> list[AssetNeed]:
    """Return the assets of such decisions."""
    return [AssetNeed(*row) for row in conn.execute(_ASSETS_LACKING)]


def span_lacking(conn: Connection, role_id: str) -> tuple[int, int] | None:
    """Return when the first and the last such decision of a role were made (microseconds)."""
    first, last = conn.execute(_SPAN_LACKING, {"role_id": role_id}).one()
    return None if first is None else (first, last)


def peers_lacking(conn: Connection, role_id: str, field: str) -> list[AssetNeed]:
    """Return the peers that such decisions of a role list in an input, up to `MOST_NAMED`."""
    values = {"role_id": role_id, "field": field, "most": MOST_NAMED}
    return [AssetNeed(*row) for row in conn.execute(_PEERS_LACKING, values)]


def ever_measured(conn: Connection) -> list[tuple[int, int]]:
    """Return how many outcomes were ever measured, by window (hours)."""
    return [(int(hours), int(ever)) for hours, ever in conn.execute(_STATS)]
