"""SQL that reads methodologies: as they are now, and as they were at a moment."""

import json
from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import Connection, Row, text

from afterword.pipeline.core.store.codec import Codec
from afterword.pipeline.domain.methodologies.checks import PHASES
from afterword.pipeline.domain.methodologies.model import (
    FORGOTTEN,
    LifecycleEvent,
    MethodNumbers,
    Methodology,
    MethodSighting,
    MethodState,
)

_RECORDED = text("SELECT id FROM methodologies WHERE record_key = :key")
# An event of a gate that is not in force is told, and decides no state.
_DECIDES: Final = "e.methodology_id = m.id AND coalesce(e.numbers ->> 'in_force', 1)"
_LOST: Final = "'demoted', 'requantized_by_judge', 'synthesis_auto_demote'"
_STATE: Final = f"""
CASE WHEN m.deleted_at IS NOT NULL THEN 'deleted' WHEN m.merged_into IS NOT NULL THEN 'merged'
  WHEN m.flagged_at IS NOT NULL THEN 'flagged' WHEN m.quarantine = 0 THEN 'graduated'
  WHEN m.promising_since IS NOT NULL THEN 'promising'
  WHEN EXISTS (SELECT 1 FROM methodology_lifecycle_events AS e
    WHERE {_DECIDES} AND e.kind IN ({_LOST})) THEN 'demoted'
  WHEN EXISTS (SELECT 1 FROM methodology_citations AS c
    WHERE c.methodology_id = m.id AND c.standing = 'counts'
      AND c.outcome_state IN ('right', 'wrong', 'noise')) THEN 'trying' ELSE 'new' END
"""


def _last(kinds: str) -> str:
    """Return SQL for the kind of a methodology's last event of some kinds by the moment."""
    return f"""(SELECT e.kind FROM methodology_lifecycle_events AS e
    WHERE e.methodology_id = m.id AND e.kind IN ({kinds}) AND e.known_at <= :as_of
      AND (e.gate = 'strict' AND e.kind LIKE '%promising' OR coalesce(e.numbers ->> 'in_force', 1))
    ORDER BY e.known_at DESC, e.id DESC LIMIT 1)"""


# A graduate stays one, whatever it is called beside that.
_STATE_THEN: Final = f"""
CASE WHEN m.deleted_at <= :as_of THEN 'deleted' WHEN m.merged_at <= :as_of THEN 'merged'
  WHEN (SELECT coalesce(e.numbers ->> 'verdict', e.reason_text) LIKE 'flag%'
      AND e.kind = 'reflection_adjusted'
    FROM methodology_lifecycle_events AS e
    WHERE {_DECIDES} AND e.kind IN ('reflection_adjusted', {_LOST}) AND e.known_at <= :as_of
    ORDER BY e.known_at DESC, e.id DESC LIMIT 1) THEN 'flagged'
  WHEN {_last(f"'graduated', {_LOST}")} = 'graduated' THEN 'graduated'
  WHEN {_last(f"'promising', 'not_promising', {_LOST}")} = 'promising' THEN 'promising'
  WHEN {_last(_LOST)} IS NOT NULL THEN 'demoted'
  WHEN EXISTS (SELECT 1 FROM methodology_citations AS c
      JOIN methodology_cases AS opened ON opened.id = c.case_id AND opened.known_at <= :as_of
      JOIN outcomes AS o ON o.subject_kind = 'decision' AND o.subject_id = opened.decision_id
        AND o.window_hours = c.window_hours AND o.known_at <= :as_of
    WHERE c.methodology_id = m.id AND c.standing = 'counts') THEN 'trying'
  ELSE 'new' END
"""
_SEEN: Final = (
    "FROM methodology_sightings AS s WHERE s.methodology_id = m.id AND s.known_at <= :as_of"
)
_METHOD: Final = Codec(
    Methodology,
    names={"key": "record_key"},
    given=("is_suggested", "figures"),
    moments=(
        *("known_at", "injection_cleared_at", "last_sighted_at", "merged_at", "deleted_at"),
        "flagged_at",
    ),
    items=("seeded_from", "indicators", "injection"),
    codings={"phases": PHASES},
)
_NUMBERS: Final = Codec(
    MethodNumbers,
    moments=("literal_since", "promising_since", "strict_since", "verdict_at", "scored_at"),
)
_EVENT: Final = Codec(LifecycleEvent, moments=("known_at",), json=("numbers",))
_SIGHTING: Final = Codec(MethodSighting, moments=("known_at",))
_WITH_SURVIVOR: Final = """
FROM methodologies AS m LEFT JOIN methodologies AS survivor ON survivor.id = m.merged_into
"""
_NOW: Final = _METHOD.columns_of("m", state=_STATE, merged_into="survivor.uid")
_READ: Final = f"SELECT {_NOW}, {_NUMBERS.columns_of('m')} {_WITH_SURVIVOR}"
_PAST: Final = _METHOD.columns_of(
    "m",
    state=_STATE_THEN,
    sightings=f"1 + (SELECT count(*) {_SEEN})",
    last_sighted_at=f"coalesce((SELECT max(s.known_at) {_SEEN}), m.known_at)",
    injection_cleared_at="iif(m.injection_cleared_at <= :as_of, m.injection_cleared_at, NULL)",
    merged_into="iif(m.merged_at <= :as_of, survivor.uid, NULL)",
    merged_at="iif(m.merged_at <= :as_of, m.merged_at, NULL)",
    deleted_at="iif(m.deleted_at <= :as_of, m.deleted_at, NULL)",
    flagged_at="NULL",  # of the past a doubt is in the state
    flags_in_row="0",
)
_READ_THEN: Final = f"SELECT {_PAST} {_WITH_SURVIVOR}"
_THEN: Final = "m.known_at <= :as_of"
_FIND = {
    False: text(f"{_READ} WHERE m.uid = :name OR m.id = :id"),
    True: text(f"{_READ_THEN} WHERE (m.uid = :name OR m.id = :id) AND {_THEN}"),
}
_LISTED: Final = """
WHERE (:asset_class IS NULL OR asset_class = :asset_class) AND (:source IS NULL OR source = :source)
  AND (:state IS NULL OR state = :state)
  AND (:first IS NULL OR ({order}) > (:first, :second, :third))
ORDER BY {order} LIMIT :limit
"""
_LISTED_STATES: Final[tuple[MethodState, ...]] = (
    *("graduated", "promising", "trying", "new", "flagged", "demoted", "merged", "deleted"),
)
_RANK: Final = (
    "CASE state "
    + " ".join(f"WHEN '{state}' THEN {rank}" for rank, state in enumerate(_LISTED_STATES))
    + " END"
)
MethodPlace = tuple[int, float, int]
"""Where a methodology stands in the list, the smallest first: its state, its e-value, its row."""

# Of the past, whose e-values are not kept: the first one first.
_LISTED_NOW: Final = _LISTED.format(order=f"{_RANK}, -e_value, id")
_LISTED_THEN: Final = _LISTED.format(order=f"{_RANK}, 0.0, id")
_LIST = {
    False: text(f"SELECT * FROM ({_READ}) {_LISTED_NOW}"),
    True: text(f"SELECT * FROM ({_READ_THEN} WHERE {_THEN}) {_LISTED_THEN}"),
}
_COUNTS = {
    False: text(
        f"SELECT state, source = 'placebo', count(*) FROM (SELECT m.source, {_STATE} AS"
        " state FROM methodologies AS m) GROUP BY 1, 2"
    ),
    True: text(
        f"SELECT state, source = 'placebo', count(*) FROM (SELECT m.source, {_STATE_THEN} AS"
        f" state FROM methodologies AS m WHERE {_THEN}) GROUP BY 1, 2"
    ),
}
# Of the present by its index; of the past by the few that were ever graduated.
_SUGGESTED = text(f"""
{_READ} WHERE m.asset_class = :asset_class AND m.quarantine = 0 AND m.flagged_at IS NULL
  AND m.methodology <> '{FORGOTTEN}'
ORDER BY m.confidence DESC, m.id LIMIT :limit
""")
_SUGGESTED_THEN = text(f"""
SELECT * FROM ({_READ_THEN} WHERE {_THEN} AND m.asset_class = :asset_class AND m.id IN (
    SELECT methodology_id FROM methodology_lifecycle_events
    WHERE kind = 'graduated' AND known_at <= :as_of)
  AND m.source <> 'placebo' AND m.methodology <> '{FORGOTTEN}')
WHERE state = 'graduated' ORDER BY id LIMIT :limit
""")
_EVENTS = text(f"""
SELECT {_EVENT.columns} FROM methodology_lifecycle_events
WHERE methodology_id = :id AND known_at <= :as_of
ORDER BY known_at, id
""")
_SIGHTINGS = text(f"""
SELECT {_SIGHTING.columns} FROM methodology_sightings
WHERE methodology_id = :id AND known_at <= :as_of ORDER BY known_at, id
""")
_UNKNOWN = text("""
SELECT given.value FROM json_each(:uids) AS given
WHERE NOT EXISTS (SELECT 1 FROM methodologies WHERE uid = given.value)
ORDER BY given.key
""")
_ALWAYS: Final = (1 << 63) - 1


def recorded(conn: Connection, key: str) -> Methodology | None:
    """Return the methodology that was added under a key."""
    row_id = conn.execute(_RECORDED, {"key": key}).scalar()
    return None if row_id is None else find(conn, int(row_id), None)


def find(conn: Connection, name: str | int, as_of: int | None) -> Methodology | None:
    """Return a methodology by its uid or its id, now or as of a moment (microseconds)."""
    is_id = isinstance(name, int) or (name.isascii() and name.isdecimal() and len(name) < 18)
    values: dict[str, Any] = {"name": str(name), "id": int(name) if is_id else None}
    if as_of is not None:
        values["as_of"] = as_of
    row = conn.execute(_FIND[as_of is not None], values).first()
    return None if row is None else _methodology(row, as_of)


def listing(
    conn: Connection,
    asset_class: str | None,
    state: str | None,
    source: str | None,
    limit: int,
    as_of: int | None,
    after: MethodPlace | None = None,
) -> list[Methodology]:
    """Return methodologies, the graduated ones first; of each state the best e-value first.

    Args:
        after: the place of the last one of the page before, from `place_of`.
    """
    values: dict[str, Any] = {
        "asset_class": asset_class,
        "state": state,
        "source": source,
        "limit": limit,
    }
    values |= zip(("first", "second", "third"), after or (None, None, None), strict=True)
    if as_of is not None:
        values["as_of"] = as_of
    rows = conn.execute(_LIST[as_of is not None], values)
    return [_methodology(row, as_of) for row in rows]


def place_of(method: Methodology) -> MethodPlace:
    """Return where a methodology stands in the list."""
    e_value = 0.0 if method.figures is None else method.figures.e_value
    return _LISTED_STATES.index(method.state), -e_value, method.id


def counts(conn: Connection, as_of: int | None) -> list[tuple[str, bool, int]]:
    """Return how many methodologies are in each state, placebos apart."""
    values = {} if as_of is None else {"as_of": as_of}
    rows = conn.execute(_COUNTS[as_of is not None], values)
    return [(state, bool(is_placebo), number) for state, is_placebo, number in rows]


def suggested(
    conn: Connection, asset_class: str, limit: int, as_of: int | None
) -> list[Methodology]:
    """Return the methodologies of a class that prompts may show, the most trusted first.

    Of the past, whose confidence is not kept: the first one first.
    """
    values: dict[str, Any] = {"asset_class": asset_class, "limit": limit}
    if as_of is None:
        return [_methodology(row, None) for row in conn.execute(_SUGGESTED, values)]
    rows = conn.execute(_SUGGESTED_THEN, values | {"as_of": as_of})
    return [_methodology(row, as_of) for row in rows]


def events(conn: Connection, methodology_id: int, as_of: int | None) -> list[LifecycleEvent]:
    """Return what happened to a methodology, the first event first."""
    values = {"id": methodology_id, "as_of": _ALWAYS if as_of is None else as_of}
    return [_EVENT.read(row) for row in conn.execute(_EVENTS, values)]


def sightings(conn: Connection, methodology_id: int, as_of: int | None) -> list[MethodSighting]:
    """Return each time that a methodology was written again, the first one first."""
    values = {"id": methodology_id, "as_of": _ALWAYS if as_of is None else as_of}
    return [_SIGHTING.read(row) for row in conn.execute(_SIGHTINGS, values)]


def unknown(conn: Connection, uids: Sequence[str]) -> list[str]:
    """Return the uids that name no methodology, in their order."""
    unknown_uids = conn.execute(_UNKNOWN, {"uids": json.dumps(list(uids), ensure_ascii=False)})
    return [str(uid) for uid in unknown_uids.scalars()]


def _methodology(row: Row[Any], as_of: int | None) -> Methodology:
    """Return a row as a value; of the past without figures, which only the present has."""
    figures = None if as_of is not None else _NUMBERS.read(row[len(_METHOD.names) :])
    is_suggested = row.state == "graduated" and row.methodology != FORGOTTEN
    return _METHOD.read(row, is_suggested=is_suggested, figures=figures)
