"""How the observations of a preference add up."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

from afterword.pipeline.domain.preferences.dimensions import PREFERENCE_DIMENSIONS
from afterword.pipeline.domain.preferences.model import (
    Preference,
    PreferenceRecord,
    StoredObservation,
)
from afterword.pipeline.rules.evidence.rates import wilson_interval

NEWEST_STRETCHES: Final = 30
"""Stretches that count, the newest that say something: a habit is what somebody does lately. With
30 a habit that ended is contradicted more often than followed after at most 16 stretches."""

_Unit = tuple[str, str, int]
"""What is one observation: under which dimension, in what, and when."""


def spoken(
    dimension: str, value: str, observations: Iterable[StoredObservation]
) -> list[tuple[StoredObservation, bool]]:
    """Return the newest observations that say something of a value, each with what it says.

    Several observations of one stretch are one unit; all of its rows are returned with what it says
    as a whole. A stretch in which the value was both said and taken back says nothing.

    Returns:
        The newest stretch first.
    """
    known = PREFERENCE_DIMENSIONS[dimension]
    units: defaultdict[_Unit, list[StoredObservation]] = defaultdict(list)
    for one in observations:
        if one.seen.dimension in known.observed_as:
            units[one.seen.dimension, one.seen.seen_in, one.seen.stretch].append(one)
    told = []
    for (seen, _, _), rows in units.items():
        verdict = _verdict(dimension, seen, value, rows)
        if verdict is not None:
            told.append((rows, verdict))
    told.sort(key=lambda unit: (unit[0][0].seen.stretch, unit[0][0].id), reverse=True)
    return [(row, verdict) for rows, verdict in told[:NEWEST_STRETCHES] for row in rows]


def record_of(
    preference: Preference, observations: Iterable[StoredObservation]
) -> PreferenceRecord:
    """Return how often a preference was followed and contradicted.

    What the owner approved is measured by what was seen since.
    """
    if preference.state == "active" and preference.decided_by == "owner":
        observations = [one for one in observations if one.known_at > preference.known_at]
    return record_of_value(preference.dimension, preference.value, observations)


def record_of_value(
    dimension: str, value: str, observations: Iterable[StoredObservation]
) -> PreferenceRecord:
    """Return how often a value was followed and contradicted."""
    units = {_unit(row): verdict for row, verdict in spoken(dimension, value, observations)}
    followed = sum(units.values())
    low, _ = wilson_interval(followed, len(units))
    return PreferenceRecord(followed, len(units) - followed, low)


def last_observed(rows: Sequence[tuple[StoredObservation, bool]]) -> datetime | None:
    """Return when the last of some observations became known."""
    return max((row.known_at for row, _ in rows), default=None)


def _unit(row: StoredObservation) -> _Unit:
    return row.seen.dimension, row.seen.seen_in, row.seen.stretch


def _verdict(
    dimension: str, seen: str, value: str, rows: Sequence[StoredObservation]
) -> bool | None:
    shown = [row.seen.value for row in rows if not row.seen.is_against]
    withdrawn = [row.seen.value for row in rows if row.seen.is_against]
    if value in withdrawn:
        return None if value in shown else False
    return PREFERENCE_DIMENSIONS[dimension].speaks(seen, value, shown) if shown else None
