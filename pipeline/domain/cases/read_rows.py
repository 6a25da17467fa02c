"""SQL that reads cases: what was shown, what was done, what came of it."""

import json
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Row, text

from afterword.pipeline.clock import from_micros
from afterword.pipeline.domain.cases.model import (
    CaseOutcome,
    CaseSummary,
    CaseTrade,
    MethodCitation,
    ShownHint,
)
from afterword.pipeline.domain.outcomes.model import RULE_VERSION

_SUMMARY: Final = """
SELECT c.id, m.uid AS decision, m.id AS decision_id, m.role_id, c.session_id, c.asset_key,
  c.asset_class, c.direction, c.decided_at, c.outcome_state, c.due_at, c.closed_at, c.hint_hash,
  c.cited, c.attribution_model, c.realised_micro_usd, c.unattributed_micro_usd
FROM methodology_cases AS c JOIN role_memory AS m ON m.id = c.decision_id
"""
_FIND: Final = text(f"{_SUMMARY} WHERE c.id = :id")
_LIST: Final = text(f"""
{_SUMMARY}
WHERE (:asset IS NULL OR c.asset_key = :asset) AND (:state IS NULL OR c.outcome_state = :state)
  AND (:methodology IS NULL OR EXISTS (SELECT 1 FROM methodology_citations AS ci
    JOIN methodologies AS one ON one.id = ci.methodology_id
    WHERE ci.case_id = c.id AND one.uid = :methodology))
  AND c.known_at <= :as_of
ORDER BY c.decided_at DESC, c.id DESC LIMIT :limit
""")
_CITATIONS: Final = text("""
SELECT ci.case_id, one.uid, one.name, ci.standing, ci.window_hours, ci.due_at, ci.outcome_state,
  ci.attributed_micro_usd
FROM methodology_citations AS ci JOIN methodologies AS one ON one.id = ci.methodology_id
WHERE ci.case_id IN (SELECT value FROM json_each(:ids)) ORDER BY ci.case_id, one.id
""")
_HINT: Final = text("""
SELECT hash, block, snapshot, known_at FROM methodology_case_hints WHERE hash = :hash
""")
_OUTCOMES: Final = text("""
SELECT window_hours, window_verdict, move_ppb, band_ppb, entry_at, exit_at FROM outcomes
WHERE subject_kind = 'decision' AND subject_id = :decision AND rule_version = :version
ORDER BY window_hours
""")
# The same trades of which the result is shared: each belongs to one decision.
_TRADES: Final = text("""
SELECT t.uid, t.side, t.size, t.price, t.occurred_at, t.realised_micro_usd
FROM trade_history AS t LEFT JOIN trade_history AS opened
  ON opened.uid = t.closes_uid AND opened.superseded_at IS NULL
WHERE t.superseded_at IS NULL AND coalesce(opened.decision_uid, t.decision_uid) = :decision
ORDER BY t.occurred_at, t.id
""")
_VERDICTS: Final = text("""
SELECT DISTINCT o.window_verdict, c.direction, o.window_hours, o.move_ppb, o.exit_at, c.id
FROM methodology_cases AS c JOIN methodology_citations AS ci ON ci.case_id = c.id
  JOIN outcomes AS o ON o.subject_kind = 'decision' AND o.subject_id = c.decision_id
    AND o.window_hours = ci.window_hours AND o.rule_version = :version
WHERE c.asset_key = :asset AND ci.standing = 'counts' AND c.known_at <= :as_of
  AND o.known_at <= :as_of
ORDER BY o.exit_at DESC, c.id DESC, o.window_hours LIMIT :most
""")
_ALWAYS: Final = (1 << 62) - 1


class CaseVerdict(NamedTuple):
    """What came of a decision over the horizon of a methodology that it cites.

    Args:
        move_ppb: price move over the horizon; parts per billion.
        exit_at: when the horizon ended; microseconds.
    """

    verdict: str
    direction: str
    window_hours: int
    move_ppb: int
    exit_at: int


def find(conn: Connection, case_id: int) -> CaseSummary | None:
    """Return a case by its row id."""
    row = conn.execute(_FIND, {"id": case_id}).one_or_none()
    return None if row is None else _summary(row, citations(conn, [case_id])[case_id])


def listing(
    conn: Connection,
    asset_key: str | None,
    methodology: str | None,
    state: str | None,
    limit: int,
    as_of: int | None = None,
) -> list[CaseSummary]:
    """Return cases, the latest decision first.

    Args:
        methodology: uid of one that they cite.
        as_of: those that were known at a moment (microseconds).
    """
    values: dict[str, Any] = {"asset": asset_key, "methodology": methodology, "state": state}
    values |= {"limit": limit, "as_of": _ALWAYS if as_of is None else as_of}
    rows = conn.execute(_LIST, values).all()
    cited = citations(conn, [row.id for row in rows])
    return [_summary(row, cited[row.id]) for row in rows]


def latest_verdicts(
    conn: Connection, asset_key: str, most: int, as_of: int | None
) -> list[CaseVerdict]:
    """Return what came of the latest cases that count, the latest outcome first.

    Args:
        as_of: of what was known at a moment (microseconds).
    """
    values = {"asset": asset_key, "most": most, "version": RULE_VERSION}
    found = conn.execute(_VERDICTS, values | {"as_of": _ALWAYS if as_of is None else as_of})
    return [CaseVerdict(*row[:5]) for row in found]


def citations(conn: Connection, case_ids: list[int]) -> dict[int, tuple[MethodCitation, ...]]:
    """Return the citations of cases, by case."""
    found: dict[int, list[MethodCitation]] = {one: [] for one in case_ids}
    for row in conn.execute(_CITATIONS, {"ids": json.dumps(case_ids)}):
        case_id, uid, name, standing, hours, due_at, state, share = row
        found[case_id].append(
            MethodCitation(uid, name, standing, hours, from_micros(due_at), state, share)
        )
    return {one: tuple(cited) for one, cited in found.items()}


def hint(conn: Connection, digest: str) -> ShownHint | None:
    """Return a hint by its digest; None if it was forgotten."""
    row = conn.execute(_HINT, {"hash": digest}).one_or_none()
    if row is None:
        return None
    return ShownHint(row.hash, row.block, json.loads(row.snapshot), from_micros(row.known_at))


def outcomes(conn: Connection, decision_id: int) -> list[CaseOutcome]:
    """Return what became of a decision over each window."""
    values = {"decision": decision_id, "version": RULE_VERSION}
    return [
        CaseOutcome(hours, verdict, move, band, from_micros(entry), from_micros(exit_at))
        for hours, verdict, move, band, entry, exit_at in conn.execute(_OUTCOMES, values)
    ]


def trades(conn: Connection, decision_uid: str) -> list[CaseTrade]:
    """Return the trades whose results belong to a decision, the earliest first."""
    return [
        CaseTrade(uid, side, size, price, from_micros(at), realised)
        for uid, side, size, price, at, realised in conn.execute(
            _TRADES, {"decision": decision_uid}
        )
    ]


def _summary(row: Row[Any], cited: tuple[MethodCitation, ...]) -> CaseSummary:
    return CaseSummary(
        id=row.id,
        decision=row.decision,
        decision_id=row.decision_id,
        role_id=row.role_id,
        session_id=row.session_id,
        asset_key=row.asset_key,
        asset_class=row.asset_class,
        direction=row.direction,
        decided_at=from_micros(row.decided_at),
        outcome_state=row.outcome_state,
        due_at=from_micros(row.due_at),
        closed_at=None if row.closed_at is None else from_micros(row.closed_at),
        hint_hash=row.hint_hash,
        cited=tuple(json.loads(row.cited)),
        attribution_model=row.attribution_model,
        realised_micro_usd=row.realised_micro_usd,
        unattributed_micro_usd=row.unattributed_micro_usd,
        citations=cited,
    )
