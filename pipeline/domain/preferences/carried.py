"""Preferences on their way from one file to another."""

from dataclasses import replace
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.domain.memory.audit_log import ChangedRow, record
from afterword.pipeline.domain.memory.flags import flag_texts
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.preferences import rows
from afterword.pipeline.domain.preferences.change import propose_new
from afterword.pipeline.domain.preferences.dimensions import checked_value
from afterword.pipeline.domain.preferences.effects import begin_effect
from afterword.pipeline.domain.preferences.model import (
    Preference,
    PreferenceKind,
    PreferenceRecord,
)
from afterword.pipeline.rules.masking import mask

_TABLE: Final = "learned_preferences"


def standing_preference(conn: Connection, carried: Preference) -> Preference | None:
    """Return the preference that says the same here, or has the same id; None without one."""
    place = (carried.dimension, carried.value, carried.is_hard)
    for one in rows.current(conn):
        if one.uid == carried.uid or (one.dimension, one.value, one.is_hard) == place:
            return one
    return None


def checked_carried(dimension: str, kind: PreferenceKind, value: str) -> str:
    """Return the value of a preference as it is stored.

    Raises:
        InvalidInputError: no such dimension, kind or value, or they do not fit each other.
    """
    return mask(checked_value(dimension, kind, value))


def propose_carried(conn: Connection, by: Writer, carried: Preference) -> Preference:
    """Propose a preference that was learned elsewhere: nothing was observed of it here."""
    nothing = PreferenceRecord(0, 0, 0.0)
    return propose_new(conn, by, carried.dimension, carried.kind, carried.value, nothing)


def restore_preference(conn: Connection, by: Writer, carried: Preference) -> Preference:
    """Write a preference again that this group had; an active one acts again.

    A hard constraint is proposed: only its owner lets it act, with `preference approve`.
    """
    state = "proposed" if carried.is_hard else carried.state
    new = replace(carried, state=state, memory_id=None, text_id=0, superseded_at=None)
    if state == "active":
        new = replace(new, memory_id=begin_effect(conn, by, new, by.clock()))
    kept = rows.renew(conn, new)
    now = by.clock()
    flag_texts(conn, _TABLE, [(kept.text_id, kept.statement)], now)
    detail = {"uid": kept.uid, "dimension": kept.dimension, "kind": kept.kind}
    touched = ChangedRow(kept.text_id, by.session, detail)
    record(conn, now, by.actor, "preference.restore", _TABLE, [touched])
    return kept
