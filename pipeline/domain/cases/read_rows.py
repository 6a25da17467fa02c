"""SQL that reads cases: what was shown, what was done, what came of it."""

import json
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, text

from afterword.pipeline.core.store.codec import Codec
from afterword.pipeline.domain.cases.model import (
    CaseOutcome,
    CaseSummary,
    CaseTrade,
    MethodCitation,
    ShownHint,
)
from afterword.pipeline.domain.outcomes.model import RULE_VERSION

_CASE: Final = Codec(
    CaseSummary,
    given=("citations",),
    moments=("decided_at", "due_at", "closed_at"),
    items=("cited",),
)
_CITATION: Final = Codec(
    MethodCitation, names={"methodology": "uid"}, moments=("due_at",), flags=("is_repeat",)
)
_HINT: Final = Codec(ShownHint, moments=("known_at",), json=("snapshot",))
_OUTCOME: Final = Codec(
    CaseOutcome, names={"verdict": "window_verdict"}, moments=("entry_at", "exit_at")
)
_TRADE: Final = Codec(CaseTrade, moments=("occurred_at",))
_SUMMARY: Final = f"""
SELECT {_CASE.columns_of("c", decision="m.uid", role_id="m.role_id")}
FROM methodology_cases AS c JOIN role_memory AS m ON m.id = c.decision_id
"""
_FIND: Final = text(f"{_SUMMARY} WHERE c.id = :id")
_LIST: Final = text(f"""
{_SUMMARY}
WHERE (:asset IS NULL OR c.asset_key = :asset) AND (:state IS NULL OR c.outcome_state = :state)
  AND (:methodology IS NULL OR EXISTS (SELECT 1 FROM methodology_citations AS ci
    JOIN methodologies AS method ON method.id = ci.methodology_id
    WHERE ci.case_id = c.id AND method.uid = :methodology))
  AND c.known_at <= :as_of
  AND (:after_at IS NULL OR (c.decided_at, c.id) < (:after_at, :after_id))
ORDER BY c.decided_at DESC, c.id DESC LIMIT :limit
""")
_CITATIONS: Final = text(f"""
SELECT {_CITATION.columns_of("ci", uid="method.uid", name="method.name")}, ci.case_id
FROM methodology_citations AS ci JOIN methodologies AS method ON method.id = ci.methodology_id
WHERE ci.case_id IN (SELECT value FROM json_each(:ids)) ORDER BY ci.case_id, method.id
""")
_SHOWN: Final = text(f"SELECT {_HINT.columns} FROM methodology_case_hints WHERE hash = :hash")
_OUTCOMES: Final = text(f"""
SELECT {_OUTCOME.columns} FROM outcomes
WHERE subject_kind = 'decision' AND subject_id = :decision AND rule_version = :version
ORDER BY window_hours
""")
# The same trades of which the result is shared: each belongs to one decision.
_TRADES: Final = text(f"""
SELECT {_TRADE.columns_of("t")}
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
    if row is None:
        return None
    return _CASE.read(row, citations=citations(conn, [case_id])[case_id])


def listing(
    conn: Connection,
    asset_key: str | None,
    methodology: str | None,
    state: str | None,
    limit: int,
    as_of: int | None = None,
    after: tuple[int, int] | None = None,
) -> list[CaseSummary]:
    """Return cases, the latest decision first.

    Args:
        methodology: uid of one that they cite.
        after: `decided_at` (microseconds) and `id` of the last case of the page before.
        as_of: those that were known at a moment (microseconds).
    """
    values: dict[str, Any] = {"asset": asset_key, "methodology": methodology, "state": state}
    values |= {"limit": limit, "as_of": _ALWAYS if as_of is None else as_of}
    values["after_at"], values["after_id"] = after or (None, None)
    rows = conn.execute(_LIST, values).all()
    cited = citations(conn, [row.id for row in rows])
    return [_CASE.read(row, citations=cited[row.id]) for row in rows]


def latest_verdicts(
    conn: Connection, asset_key: str, most: int, as_of: int | None
) -> list[CaseVerdict]:
    """Return what came of the latest cases that count, the latest outcome first.

    Args:
        as_of: of what was known at a moment (microseconds).
    """
    values = {"asset": asset_key, "most": most, "version": RULE_VERSION}
    rows = conn.execute(_VERDICTS, values | {"as_of": _ALWAYS if as_of is None else as_of})
    return [CaseVerdict(*row[:5]) for row in rows]


def citations(conn: Connection, case_ids: list[int]) -> dict[int, tuple[MethodCitation, ...]]:
    """Return the citations of cases, by case."""
    cited: dict[int, list[MethodCitation]] = {case_id: [] for case_id in case_ids}
    for row in conn.execute(_CITATIONS, {"ids": json.dumps(case_ids)}):
        cited[row.case_id].append(_CITATION.read(row))
    return {case_id: tuple(of_case) for case_id, of_case in cited.items()}


def hint(conn: Connection, digest: str) -> ShownHint | None:
    """Return a hint by its digest; None if it was forgotten."""
    row = conn.execute(_SHOWN, {"hash": digest}).one_or_none()
    return None if row is None else _HINT.read(row)


def outcomes(conn: Connection, decision_id: int) -> list[CaseOutcome]:
    """Return what became of a decision over each window."""
    values = {"decision": decision_id, "version": RULE_VERSION}
    return [_OUTCOME.read(row) for row in conn.execute(_OUTCOMES, values)]


def trades(conn: Connection, decision_uid: str) -> list[CaseTrade]:
    """Return the trades whose results belong to a decision, the earliest first."""
    return [_TRADE.read(row) for row in conn.execute(_TRADES, {"decision": decision_uid})]
