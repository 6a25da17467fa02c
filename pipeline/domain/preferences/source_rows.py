"""SQL over what preferences are learned from: positions, decisions and what was said.

Only what was known by a moment is read, and nothing of wallets that the owner only compares with.
A position that an agent says to have opened is left out: it would confirm what the agent was told.
"""

from collections.abc import Collection
from typing import Final, NamedTuple

from sqlalchemy import Connection, text

from afterword.pipeline.clock import from_micros
from afterword.pipeline.domain.memory.flag_rows import not_flagged
from afterword.pipeline.domain.memory.visibility import VISIBLE
from afterword.pipeline.domain.preferences.model import Evidence
from afterword.pipeline.domain.profile import observed_rows
from afterword.pipeline.domain.recorded_trades.read import recorded_trades
from afterword.pipeline.domain.trips.model import INCOMPLETE

_OWN: Final = "sub_account_id NOT IN (SELECT value FROM json_each(:others))"
_TRIPS = text(f"""
SELECT 'trip', trip_uid, symbol, direction, kind, opened_at, closed_at, first_notional, quote,
  losing_adds, liquidated, flags, first_fill_id,
  (SELECT raw_json ->> 'crossed' FROM perps_fills AS f
    WHERE f.id = first_fill_id AND json_type(raw_json, '$.crossed') IN ('true', 'false'))
FROM round_trips
WHERE superseded_at IS NULL AND closed_at >= :since AND known_at <= :now AND {_OWN}
UNION ALL
SELECT 'trip', trip_uid, symbol, direction, kind, coalesce(opened_at, 0), closed_at, NULL, quote,
  0, 0, iif(opened_at IS NULL, '["opened_before"]', '["closed_trade"]'), NULL, NULL
FROM closed_trades
WHERE covered_at IS NULL AND closed_at >= :since AND known_at <= :now AND {_OWN}
ORDER BY 6, 2
""")
# In a replay, trips are known when the last of them ended, and their decisions when each ended.
_FROM_TRIPS = text("""
SELECT 'decision', uid, asset, direction, 'perp', decided_at, NULL, NULL, 'USD', 0, 0, '[]', NULL,
  NULL
FROM role_memory
WHERE from_trip_uid IS NOT NULL AND known_at >= :since AND known_at <= :now
  AND superseded_at IS NULL
  AND asset IS NOT NULL AND direction <> 'neutral'
  AND NOT EXISTS (SELECT 1 FROM round_trips AS t
    WHERE t.trip_uid = from_trip_uid AND t.known_at <= :now)
ORDER BY decided_at, uid
""")
_DECISIONS = text("""
SELECT uid, decided_at, stop_price, target_price, leverage FROM role_memory
WHERE recorded_by = 'owner' AND decided_at >= :since AND from_trip_uid IS NULL
  AND direction <> 'neutral'
  AND (stop_price IS NOT NULL OR target_price IS NOT NULL OR leverage IS NOT NULL
    OR size_usd IS NOT NULL)
  AND known_at <= :now AND superseded_at IS NULL
ORDER BY decided_at, id
""")
_TURNS = text("""
SELECT 'turn', uid, message, started_at FROM turns
WHERE started_at >= :since AND finished_at <= :now ORDER BY started_at, id
""")
# What was concluded from turns is in the turns, and what was learned here is no word of the user.
_MEMORIES = text(f"""
SELECT 'memory', id, content, coalesce(occurred_at, known_at) FROM memories
WHERE category IN ('preference', 'instruction', 'correction', 'personalization') AND {VISIBLE}
  AND coalesce(occurred_at, known_at) >= :since AND known_at <= :now
  AND origin IN ('owner', 'agent')
  AND (source IS NULL OR source IN ('user_manual', 'user_explicit'))
  AND {not_flagged("memories")}
ORDER BY id
""")


class MiningSpan(NamedTuple):
    """What is looked at: what happened since a moment, as it is known now; microseconds."""

    since: int
    now: int


class TradedPosition(NamedTuple):
    """One position of the user; moments in UTC microseconds.

    Args:
        thing: what `name` names, such as `trip`.
        closed_at: None of a decision that was made from a trip.
        first_notional: what the first order put in, in the quote currency.
        flags: as JSON; see `Flag`.
        took: 1 if its first fill took from the book, 0 if it waited there; None if not known.
    """

    thing: str
    name: str
    symbol: str
    direction: str
    kind: str
    opened_at: int
    closed_at: int | None
    first_notional: str | None
    quote: str
    losing_adds: int
    liquidated: int
    flags: str
    first_fill_id: int | None
    took: int | None

    @property
    def evidence(self) -> Evidence:
        """Return its name as `memory why` follows it."""
        return self.thing, self.name

    @property
    def is_whole(self) -> bool:
        """Whether all of its fills are known."""
        return not any(flag in self.flags for flag in (*INCOMPLETE, "closed_trade"))

    @property
    def is_entry_known(self) -> bool:
        """Whether its entry is known."""
        return "opened_before" not in self.flags

    @property
    def is_day(self) -> bool:
        """Whether its hours and minutes are not known."""
        return "days_only" in self.flags


class PlannedDecision(NamedTuple):
    """A decision that the owner recorded, with its plan; microseconds."""

    uid: str
    decided_at: int
    stop: str | None
    target: str | None
    leverage: str | None


class SaidText(NamedTuple):
    """What the user said, or what is remembered of it; microseconds."""

    thing: str
    name: str | int
    text: str
    at: int


def positions(conn: Connection, span: MiningSpan) -> list[TradedPosition]:
    """Return the positions that the user closed, without those that an agent opened."""
    values = span._asdict() | {"others": _others(conn, span.now)}
    by_agents = _fills_of_agents(conn, span.now)
    trips = [TradedPosition(*row) for row in conn.execute(_TRIPS, values)]
    own = [trip for trip in trips if trip.first_fill_id not in by_agents]
    return own + [TradedPosition(*row) for row in conn.execute(_FROM_TRIPS, values)]


def decisions(conn: Connection, span: MiningSpan) -> list[PlannedDecision]:
    """Return the decisions that the owner recorded with a plan."""
    return [PlannedDecision(*row) for row in conn.execute(_DECISIONS, span._asdict())]


def said(conn: Connection, span: MiningSpan) -> list[SaidText]:
    """Return what the user said in finished turns, and the rules that are remembered."""
    values = span._asdict()
    rows = [*conn.execute(_TURNS, values), *conn.execute(_MEMORIES, values)]
    return [SaidText(*row) for row in rows]


def _others(conn: Connection, now: int) -> str:
    return observed_rows.window(conn, 0, now, now).others


def _fills_of_agents(conn: Connection, now: int) -> Collection[int]:
    return {
        fill_id
        for linked in recorded_trades(conn)
        if linked.trade.session_id is not None and linked.trade.known_at <= from_micros(now)
        for fill_id in linked.fill_ids
    }
