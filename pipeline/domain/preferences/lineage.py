"""What a preference comes from: the trips, fills, decisions, turns and memories that show it."""

from sqlalchemy import Connection

from afterword.pipeline.domain.lineage.model import Cause, LineageStep
from afterword.pipeline.domain.preferences import observation_rows, rows
from afterword.pipeline.domain.preferences.record import record_of, spoken

_HOW = {True: "learned from", False: "in spite of"}


def preference_lineage(conn: Connection, key: str | int, at: int | None) -> LineageStep | None:
    """Return a preference, and what speaks for and against it; see `ReadLineageStep`."""
    del at
    past = rows.past(conn, str(key))
    if not past:
        return None
    preference = past[0]
    observations = observation_rows.current(conn)
    record = record_of(preference, observations)
    causes = [
        Cause(_HOW[follows], thing, name)
        for row, follows in spoken(preference.dimension, preference.value, observations)
        for thing, name in row.seen.evidence
    ]
    says = (
        f"[{preference.kind}, {preference.state}] {preference.statement}:"
        f" followed {record.followed}, contradicted {record.contradicted}"
    )
    name = f"preference {preference.uid}"
    return LineageStep(name, says, preference.known_at, tuple(dict.fromkeys(causes)))


def told_preference(conn: Connection, key: str | int, at: int | None) -> LineageStep | None:
    """Return the preference that a memory tells, as its cause."""
    del at
    uid = rows.of_memory(conn, key)
    return None if uid is None else LineageStep(causes=(Cause("tells of", "preference", uid),))
