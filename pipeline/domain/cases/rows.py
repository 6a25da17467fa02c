"""SQL of cases: decisions that cite methodologies, their outcomes and results."""

import json
from collections.abc import Iterable, Sequence
from functools import partial
from typing import Final, NamedTuple

from sqlalchemy import Connection, text

from afterword.pipeline.core.store import driver_cursor
from afterword.pipeline.core.store.codec import Codec, Coding
from afterword.pipeline.domain.cases.attribution import Attribution
from afterword.pipeline.domain.cases.model import (
    ATTRIBUTION_MODEL,
    DESK_ROLE,
    CaseState,
    NewHint,
)
from afterword.pipeline.domain.cases.standing import CitingDecision, NewCitation
from afterword.pipeline.domain.methodologies.model import HORIZON_HOURS
from afterword.pipeline.domain.outcomes.counting import COUNTS
from afterword.pipeline.domain.outcomes.model import RULE_VERSION
from afterword.pipeline.domain.prices.keep_classes import classes_of
from afterword.pipeline.rules.market.windows import HOUR_US

LONGEST_US: Final = max(HORIZON_HOURS.values()) * HOUR_US
"""The longest horizon of a methodology; microseconds."""

# `LIMIT ? + 0`: a bare parameter may decide the plan, so SQLite plans the statement anew whenever
# it is bound.
_MARKS: Final = """
SELECT coalesce((SELECT max(id) FROM role_memory), 0),
  coalesce((SELECT max(id) FROM methodologies), 0), coalesce((SELECT max(id) FROM outcomes), 0)
"""
_CITING_DECISION: Final = Codec(
    CitingDecision, names={"cited": "methods"}, given=("asset_class",), items=("cited",)
)
_CITING: Final = f"""
SELECT {_CITING_DECISION.columns} FROM role_memory
WHERE id > max(?, coalesce((SELECT max(decision_id) FROM methodology_cases), 0))
  AND methods <> '[]' AND asset_key IS NOT NULL AND from_trip_uid IS NULL
ORDER BY id LIMIT ? + 0
"""
_LAST_CASE: Final = "SELECT coalesce(max(decision_id), 0) FROM methodology_cases"
_CASE: Final = Codec(
    CitingDecision,
    names={"id": "decision_id"},
    given=("known_at", "recorded_by"),
    items=("cited",),
)
_OPEN_CASE: Final = _CASE.insert("methodology_cases", "attribution_model", "due_at", "known_at")
_CITE: Final = """
INSERT INTO methodology_citations (case_id, methodology_id, standing, window_hours, due_at)
SELECT id, ?, ?, ?, ? FROM methodology_cases WHERE decision_id = ?
"""
# One decision that a role recorded and one that a run was captured with are one use where they are
# of one asset and their horizons overlap: that which was opened first. Of two of one kind each
# counts, as the rules of the gates say. The order of the tables is told: asset and time first.
_REPEATS: Final = f"""
UPDATE methodology_citations SET is_repeat = 1
WHERE case_id = (SELECT id FROM methodology_cases WHERE decision_id = :id) AND standing = 'counts'
  AND EXISTS (SELECT 1 FROM methodology_cases AS c INDEXED BY methodology_cases_asset
      CROSS JOIN methodology_citations AS e ON e.case_id = c.id
      CROSS JOIN role_memory AS m ON m.id = c.decision_id
    WHERE c.asset_key = :asset AND c.decided_at > :at - {LONGEST_US}
      AND c.decided_at < :at + {LONGEST_US} AND c.id < methodology_citations.case_id
      AND e.methodology_id = methodology_citations.methodology_id AND e.standing = 'counts'
      AND e.is_repeat = 0 AND abs(c.decided_at - :at) < e.window_hours * {HOUR_US}
      AND m.superseded_at IS NULL AND (m.role_id = '{DESK_ROLE}')
        <> (SELECT role_id = '{DESK_ROLE}' FROM role_memory WHERE id = :id))
"""
_HAS_RUNS: Final = "SELECT 1 FROM institution_runs LIMIT 1"
# The entry is known with the first outcome over any window.
_WITHDRAW: Final = f"""
UPDATE methodology_citations SET standing = 'withdrawn'
WHERE standing = 'counts' AND case_id IN (SELECT c.id FROM {{among}} WHERE {{which}}
  AND o.subject_kind = 'decision' AND o.rule_version = ? AND NOT {COUNTS})
RETURNING case_id, methodology_id
"""
_WITHDRAW_ANY: Final = _WITHDRAW.format(
    among="role_memory AS m INDEXED BY role_memory_superseded_at"
    " CROSS JOIN methodology_cases AS c ON c.decision_id = m.id"
    " CROSS JOIN outcomes AS o ON o.subject_id = m.id",
    which="m.superseded_at IS NOT NULL",
)
_WITHDRAW_NEW: Final = _WITHDRAW.format(
    among="outcomes AS o NOT INDEXED CROSS JOIN role_memory AS m ON m.id = o.subject_id"
    " CROSS JOIN methodology_cases AS c ON c.decision_id = m.id",
    which="o.id > ? AND m.superseded_at IS NOT NULL",
)
# The order of the tables is told: without figures SQLite would begin with all outcomes.
_MEASURED: Final = """
SELECT o.window_verdict, ci.case_id, ci.methodology_id
FROM methodology_citations AS ci CROSS JOIN methodology_cases AS c ON c.id = ci.case_id
  CROSS JOIN outcomes AS o ON o.subject_kind = 'decision' AND o.subject_id = c.decision_id
    AND o.window_hours = ci.window_hours AND o.rule_version = ?
WHERE ci.outcome_state IN ('pending', 'unresolved') AND ci.due_at > ? AND ci.due_at <= ? LIMIT ? + 0
"""
_MEASURED_LATE: Final = """
SELECT o.window_verdict, ci.case_id, ci.methodology_id
FROM outcomes AS o CROSS JOIN methodology_cases AS c ON c.decision_id = o.subject_id
  CROSS JOIN methodology_citations AS ci ON ci.case_id = c.id
    AND ci.window_hours = o.window_hours
WHERE o.id > ? AND +o.subject_kind = 'decision' AND o.rule_version = ?
  AND ci.outcome_state IN ('pending', 'unresolved') AND ci.due_at <= ? LIMIT ? + 0
"""
_OVERDUE: Final = """
SELECT 'unresolved', case_id, methodology_id FROM methodology_citations
WHERE outcome_state IN ('pending', 'unresolved') AND outcome_state = 'pending'
  AND due_at > ? AND due_at <= ? LIMIT ? + 0
"""
_CLOSE_CITATION: Final = """
UPDATE methodology_citations SET outcome_state = ? WHERE case_id = ? AND methodology_id = ?
"""
_CLOSE_CASES: Final = """
UPDATE methodology_cases SET
  outcome_state = CASE WHEN EXISTS (SELECT 1 FROM methodology_citations
    WHERE case_id = methodology_cases.id AND outcome_state <> 'unresolved')
    THEN 'resolved' ELSE 'unresolved' END,
  closed_at = coalesce(closed_at, ?)
WHERE id IN (SELECT value FROM json_each(?)) AND outcome_state <> 'resolved'
  AND NOT EXISTS (SELECT 1 FROM methodology_citations
    WHERE case_id = methodology_cases.id AND outcome_state = 'pending')
RETURNING outcome_state
"""
# A trade's result belongs to one decision: that of the trade it closes, else its own. Shared again
# is a result that changed or is gone, and one of which a citation that counts no longer has a part.
_RESULTS: Final = """
WITH results AS (
  SELECT coalesce(opened.decision_uid, t.decision_uid) AS decision_uid,
    sum(t.realised_micro_usd) AS realised
  FROM trade_history AS t
    LEFT JOIN trade_history AS opened ON opened.uid = t.closes_uid
      AND opened.superseded_at IS NULL
  WHERE t.superseded_at IS NULL AND t.realised_micro_usd IS NOT NULL
  GROUP BY 1)
SELECT c.id, results.realised, json_array_length(c.cited)
FROM methodology_cases AS c JOIN role_memory AS m ON m.id = c.decision_id
  LEFT JOIN results ON results.decision_uid = m.uid
WHERE c.realised_micro_usd IS NOT results.realised
  OR c.realised_micro_usd IS NOT NULL AND EXISTS (SELECT 1 FROM methodology_citations AS ci
    WHERE ci.case_id = c.id AND ci.standing <> 'counts' AND ci.attributed_micro_usd IS NOT NULL)
ORDER BY c.id LIMIT ? + 0
"""
_COUNTING: Final = text("""
SELECT case_id, methodology_id FROM methodology_citations
WHERE case_id IN (SELECT value FROM json_each(:ids)) AND standing = 'counts'
ORDER BY case_id, methodology_id
""")
_SETTLE_CASE: Final = """
UPDATE methodology_cases SET realised_micro_usd = ?, unattributed_micro_usd = ? WHERE id = ?
"""
_UNSETTLE_CITATIONS: Final = """
UPDATE methodology_citations SET attributed_micro_usd = NULL
WHERE case_id = ? AND attributed_micro_usd IS NOT NULL
"""
_SETTLE_CITATION: Final = """
UPDATE methodology_citations SET attributed_micro_usd = ? WHERE case_id = ? AND methodology_id = ?
"""
_COUNT_CASES: Final = text("""
SELECT count(*), sum(due_at <= :due_by) FROM methodology_cases WHERE outcome_state = 'pending'
""")
_COUNT_RESOLVED: Final = "SELECT count(*) FROM methodology_cases WHERE outcome_state = 'resolved'"
SNAPSHOT: Final = Coding(
    json.loads, partial(json.dumps, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
)
"""How the snapshot of a hint is written: the same one always in the same characters."""

_HINT: Final = Codec(NewHint, codings={"snapshot": SNAPSHOT})
_KEEP_HINT: Final = _HINT.insert(
    "methodology_case_hints", "hash", "known_at", otherwise="ON CONFLICT (hash) DO NOTHING"
)


class CaseCounts(NamedTuple):
    """How many cases are pending, and how many of them are overdue."""

    pending: int
    late: int


class CaseMarks(NamedTuple):
    """The newest rows of a moment; row ids."""

    decision: int
    method: int
    outcome: int


class CitationOutcome(NamedTuple):
    """The new state of a citation."""

    state: str
    case_id: int
    methodology_id: int


class CaseResult(NamedTuple):
    """The result of the trades that belong to the decision of a case; micro-USD.

    Args:
        realised: None where the trades that had one are gone.
        cited: ids that the decision cites; count.
    """

    case_id: int
    realised: int | None
    cited: int


def marks(conn: Connection) -> CaseMarks:
    """Return the newest rows that cases depend on."""
    cursor = driver_cursor(conn)
    cursor.execute(_MARKS)
    return CaseMarks(*cursor.fetchall()[0])


def citing(conn: Connection, after: int, limit: int) -> list[CitingDecision]:
    """Return decisions that cite methods and came after the newest case, the oldest first.

    Args:
        after: id of a decision.
    """
    classes = classes_of(conn)
    rows = driver_cursor(conn).execute(_CITING, (after, limit))
    return [_CITING_DECISION.read(row, asset_class=classes.of(row[2])) for row in rows or ()]


def last_case(conn: Connection) -> int:
    """Return the latest decision (an id) that is a case; 0 for none."""
    cursor = driver_cursor(conn)
    cursor.execute(_LAST_CASE)
    (decision_id,) = cursor.fetchall()[0]
    return int(decision_id)


def open_cases(
    conn: Connection, cases: Sequence[tuple[CitingDecision, Sequence[NewCitation]]], now: int
) -> None:
    """Write cases with their citations."""
    cursor = driver_cursor(conn)
    cursor.executemany(
        _OPEN_CASE,
        [
            (
                *_CASE.write(decision),
                *(ATTRIBUTION_MODEL, max(citation.due_at for citation in citations), now),
            )
            for decision, citations in cases
        ],
    )
    cursor.executemany(
        _CITE,
        [(*citation, decision.id) for decision, citations in cases for citation in citations],
    )
    cursor.execute(_HAS_RUNS)
    if cursor.fetchone() is not None:
        # One after the other: what repeats an earlier one is no use that another could repeat.
        cursor.executemany(
            _REPEATS,
            [
                {"id": decision.id, "asset": decision.asset_key, "at": decision.decided_at}
                for decision, _ in cases
            ],
        )


def withdraw(conn: Connection, measured_after: int | None) -> list[tuple[int, int]]:
    """Take back the votes of decisions whose outcomes do not count; see `counting`.

    Args:
        measured_after: looks at later outcomes than this one (an id); None for all.

    Returns:
        Case and methodology of each citation.
    """
    cursor = driver_cursor(conn)
    if measured_after is None:
        cursor.execute(_WITHDRAW_ANY, (RULE_VERSION,))
    else:
        cursor.execute(_WITHDRAW_NEW, (measured_after, RULE_VERSION))
    return [(case_id, method_id) for case_id, method_id in cursor.fetchall()]


def measured(conn: Connection, due_after: int, now: int, limit: int) -> list[CitationOutcome]:
    """Return citations that are due and have an outcome which they do not show yet."""
    rows = driver_cursor(conn).execute(_MEASURED, (RULE_VERSION, due_after, now, limit))
    return [CitationOutcome(*row) for row in rows or ()]


def measured_late(conn: Connection, after: int, now: int, limit: int) -> list[CitationOutcome]:
    """Return the same of outcomes that came after one (an id), however long they are due."""
    rows = driver_cursor(conn).execute(_MEASURED_LATE, (after, RULE_VERSION, now, limit))
    return [CitationOutcome(*row) for row in rows or ()]


def overdue(conn: Connection, due_after: int, due_by: int, limit: int) -> list[CitationOutcome]:
    """Return the citations that wait since a moment, as unresolved."""
    rows = driver_cursor(conn).execute(_OVERDUE, (due_after, due_by, limit))
    return [CitationOutcome(*row) for row in rows or ()]


def close(conn: Connection, outcomes: Sequence[CitationOutcome], now: int) -> list[CaseState]:
    """Write the states of citations, and close the cases that wait for none.

    Returns:
        The new state of each of these cases.
    """
    cursor = driver_cursor(conn)
    cursor.executemany(_CLOSE_CITATION, outcomes)
    ids = sorted({outcome.case_id for outcome in outcomes})
    cursor.execute(_CLOSE_CASES, (now, json.dumps(ids)))
    return [state for (state,) in cursor.fetchall()]


def has_trades(conn: Connection) -> bool:
    """Return whether any trade was recorded: without one no case has a result."""
    cursor = driver_cursor(conn)
    cursor.execute("SELECT 1 FROM trade_history LIMIT 1")
    return cursor.fetchone() is not None


def new_results(conn: Connection, limit: int) -> list[CaseResult]:
    """Return the cases that show another result, or other shares of it, than they should."""
    rows = driver_cursor(conn).execute(_RESULTS, (limit,))
    return [CaseResult(*row) for row in rows or ()]


def counting(conn: Connection, case_ids: Sequence[int]) -> dict[int, list[int]]:
    """Return the methodologies whose citations count, by case."""
    methods: dict[int, list[int]] = {case_id: [] for case_id in case_ids}
    for case_id, method_id in conn.execute(_COUNTING, {"ids": json.dumps(list(case_ids))}):
        methods[case_id].append(method_id)
    return methods


def settle(conn: Connection, parts: Iterable[tuple[CaseResult, Attribution | None]]) -> None:
    """Write the results of cases and who has which part; None takes both back."""
    cases = list(parts)
    cursor = driver_cursor(conn)
    results = [
        (result.realised, None if shared is None else shared.rest, result.case_id)
        for result, shared in cases
    ]
    cursor.executemany(_SETTLE_CASE, results)
    cursor.executemany(_UNSETTLE_CITATIONS, [(result.case_id,) for result, _ in cases])
    cursor.executemany(
        _SETTLE_CITATION,
        [
            (share, result.case_id, method)
            for result, shared in cases
            if shared is not None
            for method, share in shared.shares.items()
        ],
    )


def count_cases(conn: Connection, due_by: int) -> CaseCounts:
    """Return how many cases are pending, and of these those due by a moment (microseconds)."""
    pending, late = conn.execute(_COUNT_CASES, {"due_by": due_by}).one()
    return CaseCounts(pending, late or 0)


def count_resolved(conn: Connection) -> int:
    """Return how many cases have an outcome."""
    cursor = driver_cursor(conn)
    cursor.execute(_COUNT_RESOLVED)
    (resolved,) = cursor.fetchall()[0]
    return int(resolved)


def keep_hint(conn: Connection, hint: NewHint, digest: str, now: int) -> None:
    """Write a hint, unless the same content is there."""
    driver_cursor(conn).execute(_KEEP_HINT, (*_HINT.write(hint), digest, now))
