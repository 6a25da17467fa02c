"""Read preferences as they are, or were at a moment."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.memory.checks import check_word
from afterword.pipeline.domain.memory.flag_rows import families, families_at
from afterword.pipeline.domain.memory.visibility import read_moment
from afterword.pipeline.domain.preferences import observation_rows, rows
from afterword.pipeline.domain.preferences.change import find_preference
from afterword.pipeline.domain.preferences.dimensions import dimension_of
from afterword.pipeline.domain.preferences.model import (
    PREFERENCE_STATES,
    KnownPreference,
    Preference,
    PreferenceStory,
)
from afterword.pipeline.domain.preferences.record import record_of, spoken

_TABLE: Final = "learned_preferences"
_STATE_ORDER: Final = ("active", "proposed", "rejected")

PreferencePlace = tuple[int, int, int]
"""Where a preference stands in the list: its state, whether it is hard, its text's first row."""


def list_preferences(
    store: Store,
    *,
    state: str | None = None,
    dimension: str | None = None,
    as_of: datetime | None = None,
    after: PreferencePlace | None = None,
) -> list[KnownPreference]:
    """Return the preferences with their records: active ones first, hard constraints before others.

    Args:
        state: only those in it.
        dimension: only those of it.
        after: the place of the last one of the page before, from `place_of`.

    Raises:
        InvalidInputError: no such state or dimension, or a moment that cannot be read.
    """
    if state is not None:
        check_word(state, PREFERENCE_STATES, "state")
    if dimension is not None:
        dimension_of(dimension)
    with reading(store) as conn:
        at = read_moment(conn, as_of)
        known = known_preferences(conn, at)
    return [
        one
        for one in known
        if state in (None, one.preference.state)
        and dimension in (None, one.preference.dimension)
        and (after is None or place_of(one.preference) > after)
    ]


def place_of(preference: Preference) -> PreferencePlace:
    """Return where a preference stands in the list, the smallest first."""
    return _STATE_ORDER.index(preference.state), int(not preference.is_hard), preference.text_id


def known_preferences(conn: Connection, as_of: int | None) -> list[KnownPreference]:
    """Return all preferences of a moment (microseconds), in the order of `list_preferences`."""
    observations = observation_rows.current(conn, as_of)
    known = [
        KnownPreference(
            preference, record_of(preference, observations), _families(conn, preference, as_of)
        )
        for preference in rows.current(conn, as_of)
    ]
    return sorted(known, key=lambda one: place_of(one.preference))


def active_preferences(conn: Connection, as_of: int | None) -> Sequence[Preference]:
    """Return the active preferences that prompts may show, hard constraints first.

    Args:
        as_of: as of this moment (microseconds); now if None.
    """
    active = [one for one in rows.current(conn, as_of) if one.state == "active"]
    shown = [one for one in active if not _families(conn, one, as_of)]
    return sorted(shown, key=lambda one: not one.is_hard)


def preference_story(store: Store, name: str, as_of: datetime | None = None) -> PreferenceStory:
    """Return all that is known of one preference.

    Raises:
        InvalidInputError: a moment that cannot be read.
        NotFoundError: there is none of this name.
    """
    with reading(store) as conn:
        at = read_moment(conn, as_of)
        preference = find_preference(conn, name, at)
        observations = observation_rows.current(conn, at)
        known = KnownPreference(
            preference, record_of(preference, observations), _families(conn, preference, at)
        )
        past = _known(rows.past(conn, preference.uid), at)
        told = spoken(preference.dimension, preference.value, observations)
    return PreferenceStory(known, past, told)


def _families(conn: Connection, preference: Preference, as_of: int | None) -> tuple[str, ...]:
    if as_of is None:
        return families(conn, _TABLE, preference.text_id)
    return families_at(conn, _TABLE, [preference.text_id], as_of).get(preference.text_id, ())


def _known(past: Sequence[Preference], as_of: int | None) -> list[Preference]:
    """Return the rows that were known at a moment, without what ended them later."""
    if as_of is None:
        return list(past)
    return [
        replace(row, superseded_at=None)
        if row.superseded_at is not None and to_micros(row.superseded_at) > as_of
        else row
        for row in past
        if to_micros(row.known_at) <= as_of
    ]
