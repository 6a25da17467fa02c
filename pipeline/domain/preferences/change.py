"""Propose, approve and reject a preference: only its owner lets a hard constraint act."""

from dataclasses import replace
from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.memory.audit_log import ChangedRow, record
from afterword.pipeline.domain.memory.flag_rows import families
from afterword.pipeline.domain.memory.flags import flag_texts, scan_ahead
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.preferences import observation_rows, rows
from afterword.pipeline.domain.preferences.dimensions import checked_value, statement_of
from afterword.pipeline.domain.preferences.effects import begin_effect, end_effect
from afterword.pipeline.domain.preferences.model import (
    Preference,
    PreferenceKind,
    PreferenceRecord,
    PreferenceState,
)
from afterword.pipeline.domain.preferences.record import record_of
from afterword.pipeline.errors import InvalidInputError, NotFoundError
from afterword.pipeline.rules.masking import mask

_TABLE: Final = "learned_preferences"


def propose_preference(by: Writer, dimension: str, kind: PreferenceKind, value: str) -> Preference:
    """Propose a preference; the same one again changes nothing.

    Nothing that is proposed acts: a soft one becomes active by what is observed or by its owner, a
    hard constraint by its owner alone.

    Args:
        value: of the list of its dimension; of `other` a sentence, whose secrets are masked and
            whose words are scanned.

    Returns:
        The preference, which may stand already in any state.

    Raises:
        InvalidInputError: no such dimension, kind or value, or they do not fit each other.
    """
    stored = mask(checked_value(dimension, kind, value))
    scan_ahead(statement_of(dimension, kind, stored))
    with writing(by.store) as conn:
        is_hard = kind == "hard_constraint"
        for standing in rows.current(conn):
            place = (standing.dimension, standing.value, standing.is_hard)
            if place == (dimension, stored, is_hard):
                return standing
        return propose_new(conn, by, dimension, kind, stored, PreferenceRecord(0, 0, 0.0))


def approve_preference(by: Writer, name: str) -> Preference:
    """Let a preference act because its owner says so, also one that was rejected.

    Args:
        by: the owner; who stands for the owner is decided by the door.
        name: see `find_preference`.

    Raises:
        InvalidInputError: the writer is not the owner, or its words read like an order to the
            agent.
        NotFoundError: there is none of this name.
    """
    _check_owner(by)
    with writing(by.store) as conn:
        preference = find_preference(conn, name)
        flagged = families(conn, _TABLE, preference.text_id)
        if flagged:
            problem = f"reads like an order to the agent ({', '.join(flagged)})"
            accepted = f"`afterword memory unflag preference:{preference.text_id}` first, if not"
            raise InvalidInputError("preference", problem, accepted)
        if preference.state == "active" and preference.decided_by == "owner":
            return preference
        return _decided(conn, by, preference, "active")


def reject_preference(by: Writer, name: str) -> Preference:
    """End a preference: it does not act, and is not proposed again.

    Raises:
        InvalidInputError: the writer is not the owner.
        NotFoundError: there is none of this name.
    """
    _check_owner(by)
    with writing(by.store) as conn:
        preference = find_preference(conn, name)
        if preference.state == "rejected":
            return preference
        return _decided(conn, by, preference, "rejected")


def check_approvable(by: Writer, name: str) -> Preference:
    """Return a preference that its owner is about to approve, before it is asked.

    Raises:
        NotFoundError: there is none of this name.
    """
    with reading(by.store) as conn:
        return find_preference(conn, name)


def check_interactive(preference: Preference, *, is_interactive: bool) -> None:
    """Refuse to approve a hard constraint where nobody can be asked.

    Args:
        is_interactive: whether the settings say that an owner may be there.

    Raises:
        InvalidInputError: `AFTERWORD_NON_INTERACTIVE` is set.
    """
    if preference.is_hard and not is_interactive:
        problem = "needs its owner, and AFTERWORD_NON_INTERACTIVE is set"
        raise InvalidInputError("preference", problem, "a server without that setting")


def find_preference(conn: Connection, name: str, as_of: int | None = None) -> Preference:
    """Return a preference by its uid, by the first characters of it, or by its dimension.

    Raises:
        NotFoundError: there is none, or there are several.
    """
    every = rows.current(conn, as_of)
    exact = [one for one in every if one.uid == name]
    begins = [one for one in every if name and one.uid.startswith(name)]
    fitting = exact or begins or [one for one in every if one.dimension == name]
    if len(fitting) != 1:
        problem = "several preferences are named" if fitting else "no preference is named"
        raise NotFoundError(f"{problem} {name[:40]!a}; see `afterword preference ls`")
    return fitting[0]


def propose_new(
    conn: Connection,
    by: Writer,
    dimension: str,
    kind: PreferenceKind,
    value: str,
    seen: PreferenceRecord,
) -> Preference:
    """Add a preference in a transaction the caller has open; `value` is checked and masked."""
    now = by.clock()
    new = Preference(
        by.ids(),
        dimension,
        kind,
        value,
        statement_of(dimension, kind, value),
        "proposed",
        by.actor,
        seen.followed,
        seen.contradicted,
        memory_id=None,
        text_id=0,
        proposed_at=now,
        known_at=now,
    )
    kept = rows.renew(conn, new)
    flag_texts(conn, _TABLE, [(kept.text_id, kept.statement)], now)
    _audit(conn, by, kept, "preference.propose", now)
    return kept


def change_state(
    conn: Connection,
    by: Writer,
    preference: Preference,
    state: PreferenceState,
    seen: PreferenceRecord,
    *,
    has_effects: bool = True,
) -> Preference:
    """Bring a preference into another state, with what that writes or takes back.

    The caller has the transaction open. The schema refuses a hard constraint that becomes active by
    anybody but its owner.

    Args:
        seen: what it is decided on.
        has_effects: whether an active one writes its tag or memory.
    """
    now = by.clock()
    memory_id = preference.memory_id
    if preference.state == "active" and has_effects:
        end_effect(conn, by, preference, now)
        memory_id = None
    after = replace(
        preference,
        state=state,
        decided_by=by.actor,
        observed_for=seen.followed,
        observed_against=seen.contradicted,
        memory_id=memory_id,
        known_at=now,
    )
    if state == "active" and has_effects:
        after = replace(after, memory_id=begin_effect(conn, by, after, now))
    kept = rows.renew(conn, after)
    if state == "active":
        _audit(conn, by, kept, "preference.activate", now)
    elif state == "rejected":
        _audit(conn, by, kept, "preference.reject", now)
    else:
        _audit(conn, by, kept, "preference.fall_back", now)
    return kept


def _decided(
    conn: Connection, by: Writer, preference: Preference, state: PreferenceState
) -> Preference:
    seen = record_of(preference, observation_rows.current(conn))
    return change_state(conn, by, preference, state, seen)


def _audit(
    conn: Connection, by: Writer, preference: Preference, action: str, now: datetime
) -> None:
    detail = {
        "uid": preference.uid,
        "dimension": preference.dimension,
        "kind": preference.kind,
        "for": preference.observed_for,
        "against": preference.observed_against,
    }
    touched = ChangedRow(preference.text_id, by.session, detail)
    record(conn, now, by.actor, action, _TABLE, [touched])


def _check_owner(by: Writer) -> None:
    if by.actor != "owner":
        raise InvalidInputError("preference", f"may not be decided by the {by.actor}", "the owner")
