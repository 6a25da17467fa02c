"""What becomes of preferences: proposed, active, and proposed again where behaviour turned."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal, NamedTuple

from afterword.pipeline.domain.preferences.dimensions import MIXED, PREFERENCE_DIMENSIONS, kinds_of
from afterword.pipeline.domain.preferences.model import (
    Preference,
    PreferenceKind,
    PreferenceRecord,
    StoredObservation,
)
from afterword.pipeline.domain.preferences.record import record_of, record_of_value

FEWEST_OBSERVED: Final = 5
"""Stretches before a preference may become active (DESIGN §6). All of them must agree: of six that
do, the Wilson bound is 0.61; of five it is 0.57."""

LOWEST_SHARE: Final = 0.6
"""Wilson bound of the share that followed, from which on it becomes active (DESIGN §6)."""

FEWEST_PROPOSED: Final = 3
"""Stretches that follow before behaviour is proposed: one day is no habit, and two are chance."""

Becomes = Literal["propose", "activate", "fall_back"]


class Change(NamedTuple):
    """What becomes of a preference.

    Args:
        uid: None of one that is new.
    """

    becomes: Becomes
    dimension: str
    kind: PreferenceKind
    value: str
    record: PreferenceRecord
    uid: str | None = None


def decide(
    preferences: Sequence[Preference], observations: Sequence[StoredObservation]
) -> list[Change]:
    """Return what becomes of preferences; what falls back first.

    A hard constraint is only ever proposed, and nothing but its owner ends one.

    Args:
        preferences: the current row of each.
        observations: the current ones.
    """
    by_dimension: defaultdict[str, list[StoredObservation]] = defaultdict(list)
    for one in observations:
        by_dimension[one.seen.dimension].append(one)
    falls, rises = [], []
    for preference in preferences:
        record = record_of(preference, _of(preference.dimension, by_dimension))
        if preference.is_hard or preference.state == "rejected":
            continue
        if preference.state == "active" and record.contradicted > record.followed:
            falls.append(_change("fall_back", preference, record))
        elif preference.state == "proposed" and is_proved(record):
            rises.append(_change("activate", preference, record))
    return [*falls, *rises, *_new(preferences, by_dimension)]


def is_proved(record: PreferenceRecord) -> bool:
    """Return whether a preference may become active by itself."""
    return record.observed >= FEWEST_OBSERVED and record.low >= LOWEST_SHARE


def _new(
    preferences: Iterable[Preference],
    by_dimension: dict[str, list[StoredObservation]],
) -> Iterator[Change]:
    known = {(one.dimension, one.value, one.is_hard) for one in preferences}
    for name, dimension in PREFERENCE_DIMENSIONS.items():
        observations = _of(name, by_dimension)
        for (value, is_hard), kind in _values(name, observations).items():
            if (name, value, is_hard) in known or kind not in kinds_of(dimension):
                continue
            record = record_of_value(name, value, observations)
            if kind != "habit" or (
                record.followed >= FEWEST_PROPOSED and record.followed > record.contradicted
            ):
                yield Change("propose", name, kind, value, record)
                if kind != "hard_constraint" and is_proved(record):
                    yield Change("activate", name, kind, value, record)


def _values(
    name: str, observations: Iterable[StoredObservation]
) -> dict[tuple[str, bool], PreferenceKind]:
    """Return the values of a dimension that were seen, limits apart; the kind of a value that was
    said and done is what was said."""
    values: dict[tuple[str, bool], PreferenceKind] = {}
    for row in observations:
        seen = row.seen
        if seen.dimension != name or seen.value == MIXED or seen.is_against:
            continue
        place = (seen.value, seen.kind == "hard_constraint")
        if seen.kind != "habit" or place not in values:
            values[place] = seen.kind
    return values


def _of(
    dimension: str, by_dimension: dict[str, list[StoredObservation]]
) -> list[StoredObservation]:
    return [
        row
        for name in PREFERENCE_DIMENSIONS[dimension].observed_as
        for row in by_dimension.get(name, ())
    ]


def _change(becomes: Becomes, preference: Preference, record: PreferenceRecord) -> Change:
    return Change(
        becomes,
        preference.dimension,
        preference.kind,
        preference.value,
        record,
        preference.uid,
    )
