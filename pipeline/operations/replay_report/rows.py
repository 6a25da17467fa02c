"""SQL of the report of a replay: it reads the replay's own file, and writes nothing."""

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.core.store import driver_cursor
from afterword.pipeline.domain.cases.votes import IS_HIT
from afterword.pipeline.domain.methodologies.model import LifecycleKind, MethodGate
from afterword.pipeline.domain.outcomes.counting import COUNTS
from afterword.pipeline.domain.outcomes.model import LADDER_HOURS, RULE_VERSION, MeasuredVerdict
from afterword.pipeline.domain.prices.feed import asset_of
from afterword.pipeline.rules.evidence.method_record import MethodVote
from afterword.pipeline.rules.evidence.rates import base_rate
from afterword.pipeline.rules.market.exact import PPB
from afterword.pipeline.rules.market.outcome import Stance

UNKNOWN_BASE: Final = base_rate(0, 0)
"""The chance of a right call where no base rate is known."""

# `CROSS JOIN` keeps the order: from a decision to its outcome.
_OUTCOME: Final = f"""
CROSS JOIN outcomes AS o ON o.subject_kind = 'decision' AND o.subject_id = {{decision}}
  AND o.rule_version = {RULE_VERSION}
"""
_ROLES: Final = "SELECT DISTINCT role_id FROM role_memory ORDER BY 1"
# What a decision was judged by has the exit of one of its windows: the role's own.
_OWN_WINDOW: Final = f"""
SELECT o.window_hours FROM (
  SELECT id, measured ->> '$.exit.at' AS exit_at FROM role_memory
  WHERE role_id = ? AND measured IS NOT NULL ORDER BY id DESC LIMIT 50) AS m
{_OUTCOME.format(decision="m.id")}
WHERE m.exit_at = strftime('%Y-%m-%dT%H:%M:%S', o.exit_at / 1000000, 'unixepoch')
  || printf('.%06dZ', o.exit_at % 1000000)
GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1
"""
_SETTLED: Final = f"""
SELECT m.uid, m.decided_at, m.direction, m.confidence, m.asset_key, o.asset_class, o.entry_at,
  o.exit_at, o.window_verdict, o.verdict, o.move_ppb, o.sigma_ppb, o.costs_ppb, o.base_ppb
FROM role_memory AS m {_OUTCOME.format(decision="m.id")}
WHERE m.role_id = ? AND o.window_hours = ? AND {COUNTS} ORDER BY m.id
"""
_MAKERS: Final = """
SELECT body ->> '$.uid', maker FROM replay_decisions WHERE role_id = ? AND at < ?
"""
_UNPRICED: Final = """
SELECT count(*) FROM role_memory WHERE state IN ('parked', 'skipped')
  AND replace(reason, 'too old, ', '') IN ('no price', 'bars too coarse', 'too little history')
"""
_DECIDED_ASSETS: Final = "SELECT DISTINCT asset FROM role_memory WHERE asset IS NOT NULL"
_SERIES: Final = "SELECT symbol, asset FROM price_series WHERE source = ? ORDER BY symbol"
_OUTCOMES: Final = f"SELECT count(*) FROM outcomes WHERE rule_version = {RULE_VERSION}"
_MADE_BEFORE: Final = "SELECT count(*) FROM role_memory WHERE decided_at < ?"
_APPLIED: Final = """
SELECT methodology_id, count(*), sum(outcome_state IN ('right', 'wrong'))
FROM methodology_citations WHERE standing = 'counts' GROUP BY 1
"""
_EVENTS: Final = """
SELECT methodology_id, kind, gate, numbers, known_at FROM methodology_lifecycle_events
WHERE methodology_id IS NOT NULL ORDER BY known_at, id
"""
_PASSES: Final = """
SELECT finished_at, numbers ->> '$.bar' FROM methodology_cron_runs ORDER BY finished_at, id
"""
_FROZEN: Final = """
SELECT one.key, count(*) FROM methodology_cron_runs AS r, json_each(r.numbers, '$.frozen') AS one
WHERE r.is_frozen GROUP BY 1 ORDER BY 1
"""
_COUNT_FROZEN: Final = "SELECT count(*) FROM methodology_cron_runs WHERE is_frozen"
_LITERAL_USES: Final = f"""
SELECT ci.methodology_id, o.known_at, o.window_verdict = 'right'
FROM methodologies AS one JOIN methodology_citations AS ci ON ci.methodology_id = one.id
  JOIN methodology_cases AS c ON c.id = ci.case_id
  {_OUTCOME.format(decision="c.decision_id")}
    AND o.window_hours IN ({", ".join(map(str, LADDER_HOURS))})
WHERE one.source = 'placebo' AND ci.standing = 'counts' AND o.window_verdict <> 'noise'
ORDER BY 1, 2
"""
_VOTES: Final = f"""
SELECT coalesce(o.entry_at, c.decided_at), coalesce(o.exit_at, ci.due_at), c.asset_key,
  o.window_verdict, o.base_ppb
FROM methodology_citations AS ci JOIN methodology_cases AS c ON c.id = ci.case_id
  LEFT JOIN outcomes AS o ON o.subject_kind = 'decision' AND o.subject_id = c.decision_id
    AND o.rule_version = {RULE_VERSION} AND o.window_hours = ci.window_hours
WHERE ci.methodology_id = ? AND ci.standing = 'counts' ORDER BY 1
"""
_CITED: Final = f"""
SELECT c.decision_id, ci.methodology_id, c.decided_at, o.window_verdict, o.base_ppb
FROM methodology_citations AS ci JOIN methodology_cases AS c ON c.id = ci.case_id
  {_OUTCOME.format(decision="c.decision_id")} AND o.window_hours = ci.window_hours
WHERE ci.methodology_id IN (SELECT value FROM json_each(?)) AND ci.standing = 'counts'
ORDER BY 1, 2
"""


class SettledDecision(NamedTuple):
    """A decision with its outcome over its own window; moments in microseconds.

    Args:
        window_verdict: by the move over the window; `verdict` by its plan, where it has one.
    """

    uid: str
    decided_at: int
    direction: Stance
    confidence: float | None
    asset: str
    asset_class: str
    entry_at: int
    exit_at: int
    window_verdict: MeasuredVerdict
    verdict: MeasuredVerdict
    move_ppb: int
    sigma_ppb: int
    costs_ppb: int
    base_ppb: int | None

    @property
    def base(self) -> float:
        """Chance of a right call of its direction without skill."""
        return UNKNOWN_BASE if self.base_ppb is None else self.base_ppb / PPB


class MethodEvent(NamedTuple):
    """Something that happened to a methodology.

    Args:
        at: microseconds.
    """

    methodology_id: int
    kind: LifecycleKind
    gate: MethodGate | None
    numbers: Mapping[str, Any]
    at: int


class CitedOutcome(NamedTuple):
    """What became of a decision over the horizon of a methodology that it applied."""

    decision_id: int
    methodology_id: int
    decided_at: int
    verdict: MeasuredVerdict
    base: float


class AppliedCount(NamedTuple):
    """How many decisions applied a methodology, and how many of these were right or wrong."""

    decisions: int
    voted: int


def roles(conn: Connection) -> list[str]:
    """Return the roles that decided, by name."""
    return [role for (role,) in driver_cursor(conn).execute(_ROLES) or ()]


def own_window(conn: Connection, role: str) -> int | None:
    """Return the window that decisions of a role are judged by (hours); None before the first."""
    cursor = driver_cursor(conn)
    cursor.execute(_OWN_WINDOW, (role,))
    row = cursor.fetchone()
    return None if row is None else row[0]


def settled(conn: Connection, role: str, window_hours: int) -> Iterator[SettledDecision]:
    """Yield the decisions of a role whose outcome over a window counts, in their order."""
    for row in driver_cursor(conn).execute(_SETTLED, (role, window_hours)) or ():
        yield SettledDecision(*row)


def makers(conn: Connection, role: str, by: int) -> dict[str, str]:
    """Return who made the decisions of a role before a moment (microseconds), by their uid."""
    return dict(driver_cursor(conn).execute(_MAKERS, (role, by)) or ())


def count_outcomes(conn: Connection) -> int:
    """Return how many outcomes were measured, over all windows."""
    return _count(conn, _OUTCOMES)


def count_unpriced(conn: Connection) -> int:
    """Return how many decisions lack prices of their market, or waited too long for them."""
    return _count(conn, _UNPRICED)


def symbols_of(conn: Connection, source: str) -> list[str]:
    """Return the markets of a source that decisions are about, by name."""
    cursor = driver_cursor(conn)
    decided = {asset_of(written) for (written,) in cursor.execute(_DECIDED_ASSETS) or ()}
    return [symbol for symbol, asset in cursor.execute(_SERIES, (source,)) if asset in decided]


def count_made_before(conn: Connection, moment: int) -> int:
    """Return how many decisions were made before a moment (microseconds)."""
    return _count(conn, _MADE_BEFORE, moment)


def applied(conn: Connection) -> dict[int, AppliedCount]:
    """Return how often methodologies were applied, by row id."""
    rows = driver_cursor(conn).execute(_APPLIED) or ()
    return {method: AppliedCount(decisions, voted) for method, decisions, voted in rows}


def events(conn: Connection) -> list[MethodEvent]:
    """Return what happened to methodologies, in order."""
    return [
        MethodEvent(method, kind, gate, json.loads(numbers), at)
        for method, kind, gate, numbers, at in driver_cursor(conn).execute(_EVENTS) or ()
    ]


def passes(conn: Connection) -> list[tuple[int, float | None]]:
    """Return when each pass of the synthesis ended (microseconds), and the e-value that it asked
    of one more graduate."""
    return [(at, bar) for at, bar in driver_cursor(conn).execute(_PASSES) or ()]


def count_frozen(conn: Connection) -> int:
    """Return how many passes graduated nobody in some market."""
    return _count(conn, _COUNT_FROZEN)


def frozen_markets(conn: Connection) -> dict[str, int]:
    """Return in how many passes each market was under stress."""
    return dict(driver_cursor(conn).execute(_FROZEN) or ())


def literal_uses(conn: Connection) -> Iterator[tuple[int, int, bool]]:
    """Yield each use of a placebo that the literal gate counts: its row id, when it was known
    (microseconds), and whether it was right."""
    for method, known_at, is_right in driver_cursor(conn).execute(_LITERAL_USES) or ():
        yield method, known_at, bool(is_right)


def votes(conn: Connection, methodology_id: int) -> list[MethodVote]:
    """Return the votes of one methodology; see `cases.votes.method_votes`."""
    return [
        MethodVote(entry_at, exit_at, asset, IS_HIT[verdict], _share(base))
        for entry_at, exit_at, asset, verdict, base in driver_cursor(conn).execute(
            _VOTES, (methodology_id,)
        )
        or ()
    ]


def cited_outcomes(conn: Connection, methods: Collection[int]) -> Iterator[CitedOutcome]:
    """Yield what became of decisions that applied some methodologies, by decision."""
    ids = json.dumps(sorted(methods))
    for decision, method, at, verdict, base in driver_cursor(conn).execute(_CITED, (ids,)) or ():
        yield CitedOutcome(decision, method, at, verdict, _share(base))


def _count(conn: Connection, statement: str, *values: int) -> int:
    cursor = driver_cursor(conn)
    cursor.execute(statement, values)
    (count,) = cursor.fetchone() or (0,)
    return int(count)


def _share(base_ppb: int | None) -> float:
    return UNKNOWN_BASE if base_ppb is None else base_ppb / PPB
