"""Learn preferences from what the user did and said.

gather and decide (in a read) → settle (in a short write, unless another run settled meanwhile)
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Literal

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import Finisher, reading, writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.preferences import observation_rows, rows, source_rows
from afterword.pipeline.domain.preferences.change import change_state, propose_new
from afterword.pipeline.domain.preferences.decide import Change, decide
from afterword.pipeline.domain.preferences.habits import habits
from afterword.pipeline.domain.preferences.model import PreferenceObservation, StoredObservation
from afterword.pipeline.domain.preferences.plans import plans
from afterword.pipeline.domain.preferences.statements import statements
from afterword.pipeline.domain.prices.class_rows import classes_at
from afterword.pipeline.errors import ConflictError
from afterword.pipeline.rules.market.windows import DAY_US

MINE_TASK: Final = "mine_preferences"
"""The task whose switch says how preferences are learned."""

MiningMode = Literal["on", "shadow"]


@dataclass(frozen=True, slots=True)
class PreferenceMining:
    """What a run did, or in shadow mode would have done.

    Args:
        observed: observations that are new, or look otherwise now; count.
        is_effective: whether it was done.
    """

    observed: int
    changes: Sequence[Change]
    is_effective: bool


@dataclass(frozen=True, slots=True)
class _Differences:
    """What is observed now beside what was stored."""

    ended: Sequence[int]
    new: Sequence[PreferenceObservation]


def mine_preferences(
    by: Writer,
    mode: MiningMode = "on",
    finishing: Finisher | None = None,
    *,
    since: timedelta | None = None,
    has_effects: bool = True,
) -> PreferenceMining:
    """Observe what the user did and said until now, and let preferences follow it.

    What was mined before is not mined again: a second run changes nothing.

    Args:
        by: the system.
        mode: in `shadow` only what would change is kept, and nothing observed.
        finishing: the jobs that asked for it.
        since: look at this span only; what was observed before it stays. None looks at all.
        has_effects: whether active preferences write tags and memories; a replay keeps none.

    Raises:
        ConflictError: another run settled meanwhile; try again.
    """
    now = by.clock()
    with reading(by.store) as conn:
        before, _, _ = rows.last_mining(conn)
        observed = _observed(conn, to_micros(now), since)
    first = _first(to_micros(now), since)
    if mode == "shadow":
        return _shadow(by, first, observed, finishing)
    with writing(by.store, finishing=finishing) as conn:
        if rows.last_mining(conn)[0] != before:
            raise ConflictError("other preferences were learned meanwhile; read again")
        # Read when the write has its turn: a decision is of all that is known then.
        now = by.clock()
        differences = _differences(observation_rows.current(conn), observed, first)
        observation_rows.end(conn, differences.ended, to_micros(now))
        observation_rows.add(conn, differences.new, to_micros(now))
        changes = decide(rows.current(conn), observation_rows.current(conn))
        for change in changes:
            _apply(conn, by, change, has_effects)
        observed_count = len(differences.new) + len(differences.ended)
        if observed_count or changes:
            rows.add_mining(conn, mode, observed_count, map(_told, changes), to_micros(now))
    for change in changes:
        emit("preference.changed", kind=change.kind, change=change.becomes)
    return PreferenceMining(observed_count, changes, is_effective=True)


def _first(now: int, since: timedelta | None) -> int:
    """Return the first day whose stretches are looked at whole: a week begins two weeks later, so
    that it and the week before it lie in the span."""
    return 0 if since is None else now // DAY_US - since.days + 14


def _observed(conn: Connection, now: int, since: timedelta | None) -> list[PreferenceObservation]:
    today = now // DAY_US
    span = source_rows.MiningSpan(
        0 if since is None else now - since // timedelta(microseconds=1), now
    )
    classes = classes_at(conn, now)
    traded = habits(source_rows.positions(conn, span), classes, today)
    planned = plans(source_rows.decisions(conn, span), today)
    return [*traded, *planned, *statements(source_rows.said(conn, span))]


def _differences(
    stored: Sequence[StoredObservation], observed: Sequence[PreferenceObservation], first: int
) -> _Differences:
    standing = {row.seen.place: row for row in stored if row.seen.stretch >= first}
    seen = {one.place: one for one in observed if one.stretch >= first}
    same = {place for place, row in standing.items() if seen.get(place) == row.seen}
    ended = [row.id for place, row in standing.items() if place not in same]
    new = [one for place, one in seen.items() if place not in same]
    return _Differences(ended, new)


def _apply(conn: Connection, by: Writer, change: Change, has_effects: bool) -> None:
    if change.becomes == "propose":
        propose_new(conn, by, change.dimension, change.kind, change.value, change.record)
        return
    current = rows.current(conn)
    preference = next(
        one
        for one in current
        if (one.dimension, one.kind, one.value) == (change.dimension, change.kind, change.value)
    )
    state: Literal["active", "proposed"] = "active" if change.becomes == "activate" else "proposed"
    change_state(conn, by, preference, state, change.record, has_effects=has_effects)


def _shadow(
    by: Writer, first: int, observed: Sequence[PreferenceObservation], finishing: Finisher | None
) -> PreferenceMining:
    """Keep what would change, once: an equal run after it keeps nothing."""
    with writing(by.store, finishing=finishing) as conn:
        now = by.clock()
        stored = observation_rows.current(conn)
        differences = _differences(stored, observed, first)
        ended = frozenset(differences.ended)
        together = [row for row in stored if row.id not in ended]
        together += [StoredObservation(0, one, now) for one in differences.new]
        changes = decide(rows.current(conn), together)
        count = len(differences.new) + len(differences.ended)
        told = [_told(change) for change in changes]
        _, last_mode, last = rows.last_mining(conn)
        if told and (last_mode, last) != ("shadow", told):
            rows.add_mining(conn, "shadow", count, told, to_micros(now))
    emit("preference.shadowed", changes=len(changes))
    return PreferenceMining(count, changes, is_effective=False)


def _told(change: Change) -> list[object]:
    record = change.record
    return [
        *(change.becomes, change.dimension, change.kind, change.value),
        *(record.followed, record.contradicted),
    ]
