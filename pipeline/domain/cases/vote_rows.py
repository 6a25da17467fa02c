"""SQL of the votes: citations that count, with their outcomes."""

import json
from collections.abc import Collection, Iterable, Iterator
from typing import Final, NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.core.store import driver_cursor
from afterword.pipeline.domain.cases.model import CitationState, Standing
from afterword.pipeline.domain.outcomes.model import LADDER_HOURS, RULE_VERSION

_LADDER: Final = ", ".join(map(str, LADDER_HOURS))
_VOTES: Final = """
SELECT ci.methodology_id, coalesce(o.entry_at, c.decided_at), coalesce(o.exit_at, ci.due_at),
  c.asset_key, o.window_verdict, o.base_ppb
FROM methodology_citations AS ci JOIN methodology_cases AS c ON c.id = ci.case_id
  LEFT JOIN outcomes AS o ON o.subject_kind = 'decision' AND o.subject_id = c.decision_id
    AND o.window_hours = ci.window_hours AND o.rule_version = :version AND o.known_at <= :as_of
WHERE ci.standing = 'counts' AND ci.is_repeat = 0 AND c.known_at <= :as_of
ORDER BY 1, 2
"""
_LITERAL: Final = f"""
SELECT ci.methodology_id, count(*), sum(o.window_verdict = 'right')
FROM methodology_citations AS ci JOIN methodology_cases AS c ON c.id = ci.case_id
  JOIN methodologies AS m ON m.id = ci.methodology_id
  JOIN outcomes AS o ON o.subject_kind = 'decision' AND o.subject_id = c.decision_id
    AND o.window_hours IN ({_LADDER}) AND o.rule_version = :version
WHERE ci.standing = 'counts' AND ci.is_repeat = 0 AND c.decided_at >= m.literal_from
  AND o.window_verdict <> 'noise' AND o.known_at <= :as_of AND c.known_at <= :as_of
GROUP BY 1
"""
# The order of the tables is told: a reader of news must not begin with all outcomes.
_CITED: Final = """
SELECT ci.case_id, ci.methodology_id, ci.standing, ci.outcome_state,
  coalesce(o.entry_at, c.decided_at), coalesce(o.exit_at, ci.due_at), c.asset_key,
  o.window_verdict, o.base_ppb
FROM {among}
  LEFT JOIN outcomes AS o ON o.subject_kind = 'decision' AND o.subject_id = c.decision_id
    AND o.window_hours = ci.window_hours AND o.rule_version = ?
WHERE ci.standing NOT IN ('direction', 'class', 'before') AND ci.is_repeat = 0 AND {which}
"""
_CASES_OF: Final = "CROSS JOIN methodology_cases AS c ON c.id = ci.case_id"
_CITED_BY: Final = _CITED.format(
    among=f"methodology_citations AS ci {_CASES_OF}",
    which="ci.methodology_id IN (SELECT value FROM json_each(?)) ORDER BY 5",
)
_CITED_IN: Final = _CITED.format(
    among=f"""json_each(?) AS given CROSS JOIN methodology_citations AS ci
    ON ci.case_id = given.value ->> 0 AND ci.methodology_id = given.value ->> 1 {_CASES_OF}""",
    which="TRUE",
)
_CITED_SINCE: Final = _CITED.format(
    among="methodology_cases AS c CROSS JOIN methodology_citations AS ci ON ci.case_id = c.id",
    which="c.id > ?",
)
_MEASURED_SINCE: Final = """
SELECT ci.case_id, ci.methodology_id
FROM outcomes AS o CROSS JOIN methodology_cases AS c ON c.decision_id = o.subject_id
  CROSS JOIN methodology_citations AS ci ON ci.case_id = c.id AND ci.window_hours = o.window_hours
WHERE o.id > ? AND +o.subject_kind = 'decision' AND o.rule_version = ?
"""
_COUNTS: Final = f"""
SELECT ci.methodology_id, count(*), sum(o.window_verdict = 'right')
FROM {{among}} CROSS JOIN methodologies AS m ON m.id = ci.methodology_id
WHERE o.window_hours IN ({_LADDER}) AND o.rule_version = ? AND o.window_verdict <> 'noise'
  AND c.decided_at >= m.literal_from AND ci.is_repeat = 0 AND {{which}}
GROUP BY +ci.methodology_id
"""
_OUTCOMES_OF: Final = (
    "CROSS JOIN outcomes AS o ON o.subject_kind = 'decision' AND o.subject_id = c.decision_id"
)
_COUNTS_BY: Final = _COUNTS.format(
    among=f"methodology_citations AS ci {_CASES_OF} {_OUTCOMES_OF}",
    which="ci.standing = 'counts' AND ci.methodology_id IN (SELECT value FROM json_each(?))",
)
_COUNTS_OF_CASES: Final = _COUNTS.format(
    among=f"methodology_cases AS c CROSS JOIN methodology_citations AS ci ON ci.case_id = c.id"
    f" {_OUTCOMES_OF}",
    which="ci.standing = 'counts' AND c.id > ?",
)
_COUNTS_SINCE: Final = _COUNTS.format(
    among="outcomes AS o CROSS JOIN methodology_cases AS c ON c.decision_id = o.subject_id"
    " CROSS JOIN methodology_citations AS ci ON ci.case_id = c.id",
    which="ci.standing = 'counts' AND o.id > ? AND +o.subject_kind = 'decision' AND c.id <= ?",
)
_COUNTS_IN: Final = _COUNTS.format(
    among=f"""json_each(?) AS given CROSS JOIN methodology_citations AS ci
    ON ci.case_id = given.value ->> 0 AND ci.methodology_id = given.value ->> 1
    {_CASES_OF} {_OUTCOMES_OF}""",
    which="o.id <= ?",
)
_NEWEST: Final = """
SELECT coalesce((SELECT max(id) FROM methodology_cases), 0),
  coalesce((SELECT max(id) FROM outcomes), 0)
"""


class VoteRow(NamedTuple):
    """A citation that counts, with its outcome if it has one; moments in microseconds."""

    methodology_id: int
    entry_at: int
    exit_at: int
    asset_key: str
    verdict: str | None
    base_ppb: int | None


class CitedRow(NamedTuple):
    """A citation that counts, or that might have counted before; moments in microseconds."""

    case_id: int
    methodology_id: int
    standing: Standing
    state: CitationState
    entry_at: int
    exit_at: int
    asset_key: str
    verdict: str | None
    base_ppb: int | None


class VotesSeen(NamedTuple):
    """Up to where votes were read: ids of the newest case and outcome."""

    case: int
    outcome: int


def votes(conn: Connection, as_of: int) -> Iterator[VoteRow]:
    """Return the citations that count, by methodology and entry, as known at a moment."""
    values = {"version": RULE_VERSION, "as_of": as_of}
    return map(VoteRow._make, driver_cursor(conn).execute(_VOTES, values) or ())


def literal_counts(conn: Connection, as_of: int) -> list[tuple[int, int, int]]:
    """Return, by methodology, the windows that were right or wrong, and of these those right."""
    values = {"version": RULE_VERSION, "as_of": as_of}
    return [tuple(row) for row in driver_cursor(conn).execute(_LITERAL, values) or ()]


def newest(conn: Connection) -> VotesSeen:
    """Return the newest case and outcome."""
    cursor = driver_cursor(conn)
    cursor.execute(_NEWEST)
    return VotesSeen(*cursor.fetchall()[0])


def cited_by(conn: Connection, methods: Collection[int]) -> Iterator[CitedRow]:
    """Return all citations of methodologies, by entry."""
    return _cited(conn, _CITED_BY, RULE_VERSION, json.dumps([*methods]))


def cited_since(
    conn: Connection, seen: VotesSeen, touched: Iterable[tuple[int, int]]
) -> dict[tuple[int, int], CitedRow]:
    """Return the citations that may have changed, by case and methodology.

    Args:
        touched: citations that changed otherwise than by a new outcome.
    """
    cursor = driver_cursor(conn)
    measured = cursor.execute(_MEASURED_SINCE, (seen.outcome, RULE_VERSION))
    known = {*touched, *((case, method) for case, method in measured or ())}
    rows = [*_cited(conn, _CITED_SINCE, RULE_VERSION, seen.case)]
    if known:
        rows += _cited(conn, _CITED_IN, json.dumps([*known]), RULE_VERSION)
    return {(row.case_id, row.methodology_id): row for row in rows}


def counts_by(conn: Connection, methods: Collection[int]) -> list[tuple[int, int, int]]:
    """Return what `literal_counts` returns, of some methodologies."""
    return _counts(conn, _COUNTS_BY, RULE_VERSION, json.dumps([*methods]))


def counts_since(conn: Connection, seen: VotesSeen) -> list[tuple[int, int, int]]:
    """Return what was added to these counts by later cases and outcomes."""
    of_cases = _counts(conn, _COUNTS_OF_CASES, RULE_VERSION, seen.case)
    return of_cases + _counts(conn, _COUNTS_SINCE, RULE_VERSION, seen.outcome, seen.case)


def counts_in(
    conn: Connection, citations: Iterable[tuple[int, int]], seen: VotesSeen
) -> list[tuple[int, int, int]]:
    """Return what citations (case and methodology) had added by then, if they counted."""
    return _counts(conn, _COUNTS_IN, json.dumps([*citations]), RULE_VERSION, seen.outcome)


def _cited(conn: Connection, statement: str, *values: object) -> Iterator[CitedRow]:
    return map(CitedRow._make, driver_cursor(conn).execute(statement, values) or ())


def _counts(conn: Connection, statement: str, *values: object) -> list[tuple[int, int, int]]:
    return [tuple(row) for row in driver_cursor(conn).execute(statement, values) or ()]
