"""SQL over what is due: decisions to be judged, windows to be measured, and prices both wait for.

Moments are microseconds.
"""

import json
from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.core.store import read_value, run_sql
from afterword.pipeline.domain.decisions.ladder import LadderDecision, MeasuredBefore
from afterword.pipeline.domain.decisions.model import Decision
from afterword.pipeline.domain.decisions.read_rows import decision_columns, to_decision
from afterword.pipeline.domain.outcomes.model import RULE_VERSION

MOST_PEERS_LACKING: Final = 200
"""Peers named by decisions of one role, of which prices are asked for in one run; count."""

_COLUMNS: Final = decision_columns()
_UNSEEN: Final = """
AND NOT EXISTS (SELECT 1 FROM role_shadows
  WHERE role_memory_id = role_memory.id AND task = :shadowed)
"""
# Two short walks instead of one sort: decisions never measured, and those to measure again.
_RIPE: Final = f"""
SELECT * FROM (SELECT {_COLUMNS} FROM role_memory
  WHERE role_id = :role_id AND state = 'pending' AND retry_at IS NULL AND decided_at <= :ripe
    {{unseen}}
  ORDER BY decided_at, id LIMIT :limit)
UNION ALL
SELECT * FROM (SELECT {_COLUMNS} FROM role_memory
  WHERE role_id = :role_id AND retry_at <= :now {{unseen}}
  ORDER BY retry_at, id LIMIT :limit)
ORDER BY decided_at, id LIMIT :limit
"""
_RIPE_ALL: Final = _RIPE.format(unseen="")
_RIPE_UNSEEN: Final = _RIPE.format(unseen=_UNSEEN)
_COUNT_RIPE: Final = """
SELECT count(*) FILTER (WHERE state = 'pending' AND retry_at IS NULL AND decided_at <= :ripe)
  + count(*) FILTER (WHERE retry_at <= :now)
FROM role_memory WHERE role_id = :role_id AND state IN ('pending', 'parked')
"""
_NEXT: Final = """
SELECT min(at) FROM (
  SELECT min(decided_at) + :min_age AS at FROM role_memory
  WHERE role_id = :role_id AND state = 'pending' AND retry_at IS NULL
  UNION ALL
  SELECT min(retry_at) FROM role_memory WHERE role_id = :role_id AND retry_at IS NOT NULL)
"""
_OVERDUE: Final = """
SELECT id FROM role_memory
WHERE role_id = ? AND state IN ('pending', 'parked') AND known_at < ? AND mark IS NULL
ORDER BY known_at, id LIMIT ?
"""
_FIRST_KNOWN: Final = """
SELECT min(known_at) FROM role_memory
WHERE role_id = ? AND state IN ('pending', 'parked') AND mark IS NULL
"""
_BEGUN: Final = "SELECT payload ->> 'role' FROM jobs WHERE kind = ? AND state <> 'later'"

_WAITING_FOR: Final = """
SELECT DISTINCT role_id FROM role_memory
WHERE asset_key IN (SELECT value FROM json_each(?)) AND state IN ('pending', 'parked')
ORDER BY role_id
"""
_IS_RIPE_OR_PARKED: Final = """
role_id = :role_id AND (state = 'parked' OR (state = 'pending' AND decided_at <= :ripe))
"""
_ANY_RIPE: Final = f"SELECT EXISTS (SELECT 1 FROM role_memory WHERE {_IS_RIPE_OR_PARKED})"
# The input that lists peers, if it is a list. Its key is compared, because a JSON path would
# interpret some names.
_PEERS: Final = """
json_each(role_memory.inputs) AS input,
  json_each(CASE input.type WHEN 'array' THEN input.value ELSE '[]' END) AS peer
"""
_PEERS_NAMED: Final = f"""
SELECT DISTINCT peer.value FROM role_memory, {_PEERS}
WHERE {_IS_RIPE_OR_PARKED} AND input.key = :field AND peer.type = 'text'
"""
_RETRY: Final = """
UPDATE role_memory SET retry_at = :now
WHERE role_id = :role_id AND state = 'parked' AND retry_at > :now
"""
_RETRY_ASSETS: Final = f"{_RETRY} AND asset_key IN (SELECT value FROM json_each(:assets))"
_RETRY_COMPARED: Final = f"""
{_RETRY} AND EXISTS (SELECT 1 FROM {_PEERS}
  WHERE input.key = :field AND peer.value IN (SELECT value FROM json_each(:peers)))
"""
_RETRY_ALL: Final = """
UPDATE role_memory SET retry_at = :now
WHERE role_id = :role_id AND state IN ('pending', 'parked')
  AND (state = 'parked' OR retry_at IS NOT NULL)
"""

# Two walks of an index each: decisions never measured, and those parked for a lack of prices, or
# postponed until their windows end. A marked or judged decision needs no price any more.
_NEVER_MEASURED: Final = """
role_id = :role_id AND state = 'pending' AND retry_at IS NULL
  AND classified_at IS NULL AND known_at >= :oldest
"""
_MEASURED_AGAIN: Final = """
role_id = :role_id AND retry_at IS NOT NULL
  AND (state = 'pending' OR (state = 'parked'
    AND reason IN (SELECT value FROM json_each(:reasons))))
  AND mark IS NULL AND classified_at IS NULL AND known_at >= :oldest
"""
_WAITING: Final = f"""
WITH waiting AS (
  SELECT id, asset, decided_at FROM role_memory
  WHERE {_NEVER_MEASURED} AND decided_at <= :ripe
  UNION ALL
  SELECT id, asset, decided_at FROM role_memory WHERE {_MEASURED_AGAIN})
"""
# The same two walks, each to its first row.
_FIRST_WAITING: Final = f"""
SELECT min(at) FROM (
  SELECT * FROM (SELECT decided_at AS at FROM role_memory
    WHERE {_NEVER_MEASURED} ORDER BY decided_at LIMIT 1)
  UNION ALL
  SELECT * FROM (SELECT decided_at FROM role_memory WHERE {_MEASURED_AGAIN} LIMIT 1))
"""
_ASSETS_WAITING: Final = f"""
{_WAITING}
SELECT asset, min(decided_at), max(decided_at) FROM waiting WHERE asset IS NOT NULL GROUP BY asset
"""
_PEERS_WAITING: Final = f"""
{_WAITING}
SELECT peer.value, min(decided_at), max(decided_at) FROM role_memory, {_PEERS}
WHERE role_memory.id IN (SELECT id FROM waiting) AND input.key = :field AND peer.type = 'text'
GROUP BY peer.value
"""

_DUE: Final = f"""
SELECT {", ".join(LadderDecision._fields)} FROM role_memory
WHERE measure_at <= ? AND asset IS NOT NULL ORDER BY measure_at, id LIMIT ?
"""
_MEASURED: Final = """
SELECT subject_id, window_hours, entry_at, verdict, rule_version FROM outcomes
WHERE subject_kind = 'decision' AND subject_id IN (SELECT value FROM json_each(?))
ORDER BY rule_version
"""
_FIRST_DUE: Final = "SELECT min(measure_at) FROM role_memory WHERE measure_at IS NOT NULL"
_COUNT_DUE: Final = "SELECT count(*) FROM role_memory WHERE measure_at <= ? AND asset IS NOT NULL"
_COUNT_LATE: Final = "SELECT count(*) FROM role_memory WHERE measure_at <= ?1 AND known_at <= ?1"
_COUNT_MISSING: Final = """
SELECT count(*) FROM (SELECT 1 FROM role_memory WHERE windows_missing > 0 LIMIT ?)
"""
_EVER_MEASURED: Final = "SELECT window_hours, ever FROM outcome_stats ORDER BY window_hours"
_WAKE: Final = """
UPDATE role_memory SET measure_at = ?2
WHERE windows_missing > 0 AND (measure_at IS NULL OR measure_at > ?2)
"""
_WAKE_ASSETS: Final = f"{_WAKE} AND asset_key IN (SELECT value FROM json_each(?1))"
_WAKE_ROLE: Final = f"{_WAKE} AND role_id = ?1"
_LACKING: Final = "FROM role_memory WHERE windows_missing > 0 AND measure_at IS NOT NULL"
_FIRST_LACKING: Final = f"SELECT min(decided_at) {_LACKING}"
_ASSETS_LACKING: Final = f"""
SELECT asset, min(decided_at), max(decided_at) {_LACKING} AND asset IS NOT NULL GROUP BY asset
"""
_SPAN_LACKING: Final = f"SELECT min(decided_at), max(decided_at) {_LACKING} AND role_id = ?"
# Agents write these names, so they are bounded: those of the oldest decisions first. What no source
# has leaves the list when its decision is not tried again.
_PEERS_LACKING: Final = f"""
SELECT peer.value, min(decided_at), max(decided_at) FROM role_memory, {_PEERS}
WHERE windows_missing > 0 AND measure_at IS NOT NULL AND role_id = ?
  AND input.key = ? AND peer.type = 'text'
GROUP BY peer.value ORDER BY min(decided_at), peer.value LIMIT ?
"""


class RolePriceNeeds(NamedTuple):
    """Which decisions of a role wait for prices.

    Args:
        ripe: the latest moment of decision that counts.
        oldest: a decision recorded before then is about to be skipped and does not count.
        reasons: the parking reasons that more prices may end.
    """

    role_id: str
    ripe: int
    oldest: int
    reasons: Sequence[str]


class AssetNeed(NamedTuple):
    """An asset as it is written, and when its oldest and newest decisions were made."""

    name: str
    first: int
    last: int


def ripe(
    conn: Connection,
    role_id: str,
    ripe_at: int,
    now: int,
    limit: int,
    unless_shadowed: str | None = None,
) -> list[Decision]:
    """Return decisions to be judged now, the oldest first.

    Args:
        ripe_at: decisions made by then have reached their minimum age.
        unless_shadowed: leaves out decisions with a shadow record of this task.
    """
    values = {"role_id": role_id, "ripe": ripe_at, "now": now, "limit": limit}
    query = _RIPE_ALL if unless_shadowed is None else _RIPE_UNSEEN
    rows = run_sql(conn, query, {**values, "shadowed": unless_shadowed}).fetchall()
    return [to_decision(row) for row in rows]


def count_ripe(conn: Connection, role_id: str, ripe_at: int, now: int) -> int:
    """Return how many decisions of a role are to be judged now (see `ripe`)."""
    values = {"role_id": role_id, "ripe": ripe_at, "now": now}
    return int(read_value(conn, _COUNT_RIPE, values))


def next_at(conn: Connection, role_id: str, min_age: int) -> int | None:
    """Return when the next decision of a role is to be judged; None: never."""
    moment: int | None = read_value(conn, _NEXT, {"role_id": role_id, "min_age": min_age})
    return moment


def overdue(conn: Connection, role_id: str, oldest: int, limit: int) -> list[int]:
    """Return waiting, unmarked decisions recorded before a moment."""
    return _column(conn, _OVERDUE, (role_id, oldest, limit))


def first_known(conn: Connection, role_id: str) -> int | None:
    """Return when the oldest waiting, unmarked decision was recorded."""
    moment: int | None = read_value(conn, _FIRST_KNOWN, (role_id,))
    return moment


def begun(conn: Connection, kind: str) -> set[str]:
    """Return the roles that have a job of a kind that is ready, sent, running or dead."""
    return set(_column(conn, _BEGUN, (kind,)))


def roles_waiting_for(conn: Connection, assets: Sequence[str]) -> list[str]:
    """Return the roles with waiting decisions about assets (by key)."""
    return _column(conn, _WAITING_FOR, (json.dumps(list(assets)),))


def any_ripe(conn: Connection, role_id: str, ripe_at: int) -> bool:
    """Return whether a role has a decision that is parked, or old enough to be judged.

    Args:
        ripe_at: see `ripe`.
    """
    return bool(read_value(conn, _ANY_RIPE, {"role_id": role_id, "ripe": ripe_at}))


def peers_named(conn: Connection, role_id: str, field: str, ripe_at: int) -> list[str]:
    """Return the peers such decisions list in an input, each once, as they are written."""
    return _column(conn, _PEERS_NAMED, {"role_id": role_id, "field": field, "ripe": ripe_at})


def retry_assets(conn: Connection, role_id: str, assets: Sequence[str], now: int) -> None:
    """Make a role's parked decisions about assets (by key) due now."""
    values = {"role_id": role_id, "assets": json.dumps(list(assets)), "now": now}
    run_sql(conn, _RETRY_ASSETS, values)


def retry_compared(
    conn: Connection,
    role_id: str,
    now: int,
    field: str | None = None,
    peers: Sequence[str] | None = None,
) -> None:
    """Make a role's parked decisions due now that are compared with peers.

    Args:
        field: only those that list one of `peers` in this input; None: all of them.
    """
    values: dict[str, Any] = {"role_id": role_id, "now": now}
    if field is None:
        run_sql(conn, _RETRY, values)
    else:
        run_sql(conn, _RETRY_COMPARED, {**values, "field": field, "peers": json.dumps(peers)})


def retry_all(conn: Connection, role_id: str, now: int) -> None:
    """Make all decisions of a role due now that are parked or wait after a failure."""
    run_sql(conn, _RETRY_ALL, {"role_id": role_id, "now": now})


def first_waiting(
    conn: Connection, role_id: str, oldest: int, reasons: Sequence[str]
) -> int | None:
    """Return when the oldest decision that waits for prices, or will, was made."""
    values = {"role_id": role_id, "oldest": oldest, "reasons": json.dumps(list(reasons))}
    moment: int | None = read_value(conn, _FIRST_WAITING, values)
    return moment


def assets_waiting(conn: Connection, needs: RolePriceNeeds) -> list[AssetNeed]:
    """Return the assets of such decisions."""
    values = {**needs._asdict(), "reasons": json.dumps(list(needs.reasons))}
    return _needs(conn, _ASSETS_WAITING, values)


def peers_waiting(conn: Connection, needs: RolePriceNeeds, field: str) -> list[AssetNeed]:
    """Return the peers that such decisions list in an input."""
    values = {**needs._asdict(), "reasons": json.dumps(list(needs.reasons)), "field": field}
    return _needs(conn, _PEERS_WAITING, values)


def due(conn: Connection, now: int, limit: int) -> list[LadderDecision]:
    """Return the decisions with an outcome that is due, the longest due first."""
    return [LadderDecision(*row) for row in run_sql(conn, _DUE, (now, limit)).fetchall()]


def measured(conn: Connection, ids: Sequence[int]) -> dict[int, MeasuredBefore]:
    """Return what was measured of decisions before."""
    by_id = defaultdict[int, MeasuredBefore](MeasuredBefore)
    rows = run_sql(conn, _MEASURED, (json.dumps(list(ids)),)).fetchall()
    for row_id, hours, entry_at, verdict, version in rows:
        before = by_id[row_id]
        if version == RULE_VERSION:
            before.entries[hours] = entry_at
        else:
            before.older[hours] = verdict
    return by_id


def first_due(conn: Connection) -> int | None:
    """Return when the next outcome of a decision is due; None if none is."""
    moment: int | None = read_value(conn, _FIRST_DUE)
    return moment


def count_due(conn: Connection, now: int) -> int:
    """Return how many decisions have an outcome that is due."""
    return int(read_value(conn, _COUNT_DUE, (now,)))


def count_late(conn: Connection, by: int) -> int:
    """Return how many decisions that were known by a moment had an outcome due by then, and still
    wait for it."""
    return int(read_value(conn, _COUNT_LATE, (by,)))


def count_missing(conn: Connection, most: int) -> int:
    """Return how many decisions lack an outcome of a past window, counted up to a limit."""
    return int(read_value(conn, _COUNT_MISSING, (most,)))


def ever_measured(conn: Connection) -> list[tuple[int, int]]:
    """Return how many outcomes were ever measured, by window (hours)."""
    return list(run_sql(conn, _EVER_MEASURED).fetchall())


def make_due(conn: Connection, assets: Sequence[str], now: int) -> None:
    """Make decisions about assets (by key) due that lack an outcome of a past window."""
    run_sql(conn, _WAKE_ASSETS, (json.dumps(list(assets)), now))


def make_role_due(conn: Connection, role_id: str, now: int) -> None:
    """Make decisions of a role due that lack an outcome of a past window."""
    run_sql(conn, _WAKE_ROLE, (role_id, now))


def first_lacking(conn: Connection) -> int | None:
    """Return when the first decision was made that is tried again for lack of prices; None if none
    is."""
    moment: int | None = read_value(conn, _FIRST_LACKING)
    return moment


def assets_lacking(conn: Connection) -> list[AssetNeed]:
    """Return the assets of such decisions."""
    return _needs(conn, _ASSETS_LACKING)


def span_lacking(conn: Connection, role_id: str) -> tuple[int, int] | None:
    """Return when the first and the last such decision of a role were made."""
    ((first, last),) = run_sql(conn, _SPAN_LACKING, (role_id,)).fetchall()
    return None if first is None else (first, last)


def peers_lacking(conn: Connection, role_id: str, field: str) -> list[AssetNeed]:
    """Return the peers that such decisions of a role list in an input, up to
    `MOST_PEERS_LACKING`."""
    return _needs(conn, _PEERS_LACKING, (role_id, field, MOST_PEERS_LACKING))


def _column(conn: Connection, query: str, values: Any) -> list[Any]:
    return [value for (value,) in run_sql(conn, query, values).fetchall()]


def _needs(conn: Connection, query: str, values: Any = ()) -> list[AssetNeed]:
    return [AssetNeed(*row) for row in run_sql(conn, query, values).fetchall()]
