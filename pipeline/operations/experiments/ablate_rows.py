"""SQL that reads which decisions of a replay apply methodologies, and when these were graduated."""

import json
from collections.abc import Iterator, Mapping
from itertools import groupby
from typing import Final, NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.core.store import driver_cursor
from afterword.pipeline.domain.methodologies.read_rows import find
from afterword.pipeline.domain.outcomes.model import RULE_VERSION
from afterword.pipeline.rules.market.outcome import Stance

# Only a citation that counts applies its method; placebos are there to be compared with.
_APPLYING: Final = """
WITH cited AS (
  SELECT ci.case_id, max(ci.window_hours) AS hours, json_group_array(ci.methodology_id) AS methods
  FROM methodology_citations AS ci JOIN methodologies AS me ON me.id = ci.methodology_id
  WHERE ci.standing = 'counts' AND me.source <> 'placebo' GROUP BY ci.case_id)
SELECT coalesce(d.record_key, d.uid), c.asset_key, c.direction, c.decided_at, cited.hours,
  cited.methods, o.entry_at, o.exit_at, o.window_verdict, o.base_ppb, o.move_ppb, o.sigma_ppb,
  o.costs_ppb
FROM cited JOIN methodology_cases AS c ON c.id = cited.case_id
  JOIN role_memory AS d ON d.id = c.decision_id
  LEFT JOIN outcomes AS o ON o.subject_kind = 'decision' AND o.subject_id = c.decision_id
    AND o.window_hours = cited.hours AND o.rule_version = ?
ORDER BY c.id
"""
_GRADUATED: Final = """
SELECT methodology_id FROM methodology_lifecycle_events
WHERE kind = 'graduated' AND coalesce(numbers ->> 'in_force', 1)
"""
_CHANGES: Final = f"""
SELECT methodology_id, known_at FROM methodology_lifecycle_events
  WHERE methodology_id IN ({_GRADUATED})
UNION SELECT id, merged_at FROM methodologies WHERE merged_at IS NOT NULL AND id IN ({_GRADUATED})
UNION SELECT id, deleted_at FROM methodologies WHERE deleted_at IS NOT NULL AND id IN ({_GRADUATED})
ORDER BY 1, 2
"""


class MeasuredWindow(NamedTuple):
    """What became of a decision; see `MeasuredOutcome`."""

    entry_at: int
    exit_at: int
    verdict: str
    base_ppb: int | None
    move_ppb: int
    sigma_ppb: int
    costs_ppb: int


class ApplyingDecision(NamedTuple):
    """A decision that applies methodologies.

    Args:
        key: its name, the same one in another replay of it.
        decided_at: microseconds.
        hours: the longest horizon of the methodologies.
        methods: their row ids.
        window: over that horizon; None while nothing measured it.
    """

    key: str
    asset: str
    stance: Stance
    decided_at: int
    hours: int
    methods: tuple[int, ...]
    window: MeasuredWindow | None


class GraduationChange(NamedTuple):
    """From when on a methodology may be shown, or may not; microseconds."""

    at: int
    is_graduated: bool


def applying(conn: Connection) -> Iterator[ApplyingDecision]:
    """Yield the decisions that apply methodologies, in the order in which they were recorded."""
    for row in driver_cursor(conn).execute(_APPLYING, (RULE_VERSION,)) or ():
        window = None if row[6] is None else MeasuredWindow(*row[6:])
        yield ApplyingDecision(
            *(row[0], row[1], row[2], row[3], row[4]), tuple(json.loads(row[5])), window
        )


def standings(conn: Connection) -> Mapping[int, tuple[GraduationChange, ...]]:
    """Return the changes of each methodology that the gate in force ever graduated, by row id.

    A flagged, merged or deleted one may not be shown, nor one that was demoted.
    """
    changes = list(driver_cursor(conn).execute(_CHANGES) or ())
    return {
        method: tuple(GraduationChange(at, _is_graduated(conn, method, at)) for _, at in of)
        for method, of in groupby(changes, key=lambda row: int(row[0]))
    }


def _is_graduated(conn: Connection, method: int, at: int) -> bool:
    methodology = find(conn, method, at)
    return methodology is not None and methodology.state == "graduated"
