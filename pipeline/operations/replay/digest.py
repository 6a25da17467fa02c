"""The chain of digests: which tables and columns of a replay are hashed, and how.

A view is a table with the column that says when a row, or a change of it, became known. Row numbers
are never hashed, since other rows may come first elsewhere: a row is named by its uid, or by that
of the decision it belongs to. Rows follow each other by moment and name.

`EVENTS` is all that is hashed. Live, a derived row is known some seconds or minutes after it could
be; a replay has it at its pass. `without_moments` leaves these moments out, so that the same
decisions lived and replayed can be compared.
"""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.core.store import driver_cursor
from afterword.pipeline.domain.outcomes.model import MeasuredOutcome

_METHOD: Final = "(SELECT uid FROM methodologies AS m WHERE m.id = methodology_id)"
_CITATIONS: Final = """(SELECT json_group_array(json_array(m.uid, ci.standing, ci.window_hours,
  ci.outcome_state, ci.attributed_micro_usd)) FROM (SELECT * FROM methodology_citations
  WHERE case_id = c.id ORDER BY methodology_id) AS ci JOIN methodologies AS m
  ON m.id = ci.methodology_id)"""
_NESTED: Final = re.compile(r"\(.*\)", re.DOTALL)
"""The only column that is no name: `_CITATIONS`."""

_FIGURES: Final = (
    "quarantine, confidence, flags_in_row, times_used, times_correct, effective_uses,"
    " effective_correct, expected, spent, e_value, reverse_bet"
)
_OUTCOME: Final = ", ".join(
    f"outcomes.{name}"
    for name in MeasuredOutcome._fields
    if name not in ("subject_kind", "subject_id", "known_at")
)


@dataclass(frozen=True, slots=True)
class HashedView:
    """One kind of event that is hashed.

    Args:
        name: what became known.
        rows: `FROM` and `WHERE` of the statement.
        moment: the column that says when; microseconds.
        key: what names the row; rows of one moment follow each other by it.
        columns: what is hashed beside.
        is_derived: whether its moment is that of a pass.
    """

    name: str
    rows: str
    moment: str
    key: str
    columns: str
    is_derived: bool = True

    def names(self, *, moments: bool = True) -> tuple[str, ...]:
        """Return what each place of a hashed line holds; see `events`."""
        at = ("moment",) if moments or not self.is_derived else ()
        columns = _NESTED.sub("citations", self.columns).split(",")
        return "event", *at, "name", *(column.strip().rpartition(".")[2] for column in columns)


EVENTS: Final = (
    HashedView(
        "decision",
        "role_memory",
        "known_at",
        "uid",
        "role_id, record_key, decision, inputs, asset, asset_key, direction, confidence,"
        " context_hash, decided_at, methods, hint_hash, stop_price, target_price, size_usd,"
        " leverage",
        is_derived=False,
    ),
    HashedView(
        "outcome",
        # The plus keeps SQLite from its key, all of which begins with `decision`.
        "outcomes JOIN role_memory AS d ON d.id = subject_id AND +subject_kind = 'decision'",
        "outcomes.known_at",
        "d.uid",
        _OUTCOME,
    ),
    HashedView(
        "verdict",
        "role_memory",
        "classified_at",
        "uid",
        "outcome, measured, classification, narrative, classified_by, rule_class, evidence_hash",
    ),
    HashedView(
        "reflection",
        "role_memory",
        "reflected_at",
        "uid",
        "lesson, lesson_by",
    ),
    HashedView("ended lesson", "role_memory", "lesson_superseded_at", "uid", "lesson"),
    HashedView(
        "pattern",
        "role_patterns",
        "known_at",
        "role_id || ' ' || asset_class || ' ' || direction || ' ' || trend || ' ' || side",
        "state, is_class, assets, numbers, text, worded_by",
    ),
    HashedView(
        "methodology",
        "methodologies",
        "known_at",
        "uid",
        "source, seeded_from, asset_class, name, methodology, direction, primary_signal,"
        " timeframe, indicators",
    ),
    HashedView(
        "methodology event",
        "(SELECT * FROM methodology_lifecycle_events WHERE kind <> 'created')",
        "known_at",
        f"coalesce({_METHOD}, '') || ' ' || kind",
        "gate, reason_text, numbers, said_by",
    ),
    HashedView(
        "case",
        "methodology_cases AS c JOIN role_memory AS d ON d.id = c.decision_id",
        "c.closed_at",
        "d.uid",
        f"c.cited, c.outcome_state, c.realised_micro_usd, c.unattributed_micro_usd, {_CITATIONS}",
    ),
    HashedView(
        "institution answer",
        "(SELECT * FROM institution_reflections WHERE kind = 'window' AND is_shadow = 0) AS f"
        " JOIN institution_runs AS r ON r.id = f.run_id",
        "f.known_at",
        "r.uid || ' ' || f.window_hours",
        "f.window_hours, f.answer, f.numbers, f.text, f.exit_at",
    ),
    HashedView(
        "audit",
        "methodology_audit_reports",
        "known_at",
        "composite",
        "band, dimension_scores, dimension_weights_used, findings",
    ),
)
"""What a link hashes: rows, and changes of rows, that became known in its span."""

STANDING_VIEWS: Final = (
    HashedView("methodology figures", "methodologies", "known_at", "uid", _FIGURES),
    HashedView(
        "decision state",
        "role_memory",
        "known_at",
        "uid",
        "state, reason",
        is_derived=False,
    ),
)
"""What the end of a replay hashes beside: figures that change in place."""


def events(
    conn: Connection, view: HashedView, from_at: int, to_at: int, *, moments: bool = True
) -> Iterator[str]:
    """Yield what a view hashes of a span, one JSON array a row.

    Args:
        from_at: first moment of the span; `to_at` the first one after it; microseconds.
        moments: whether moments of passes are among it.
    """
    shows = moments or not view.is_derived
    at = f"{view.moment}, " if shows else ""
    order = f"{view.moment}, {view.key}" if shows else f"{view.key}, {view.moment}"
    statement = (
        f"SELECT json_array('{view.name}', {at}{view.key}, {view.columns}) FROM {view.rows}"
        f" WHERE {view.moment} >= ? AND {view.moment} < ? ORDER BY {order}, 1"
    )
    for (line,) in driver_cursor(conn).execute(statement, (from_at, to_at)) or ():
        yield line


def digest_of(
    conn: Connection,
    from_at: int,
    to_at: int,
    views: tuple[HashedView, ...] = EVENTS,
    *,
    moments: bool = True,
) -> tuple[str, int]:
    """Return the SHA-256 of a span, and how many events it has; see `events`."""
    digest, number = hashlib.sha256(), 0
    for view in views:
        for line in events(conn, view, from_at, to_at, moments=moments):
            digest.update(line.encode())
            digest.update(b"\n")
            number += 1
    return digest.hexdigest(), number


def chained(before: str, digest: str) -> str:
    """Return the digest of a link and of all before it."""
    return hashlib.sha256(f"{before}\n{digest}".encode()).hexdigest()
