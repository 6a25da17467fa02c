"""Tags: words that the owner or an agent gives a trip, such as the setup it was."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final, Literal

from sqlalchemy import Connection

from afterword.pipeline.clock import Clock, from_micros, to_micros
from afterword.pipeline.core.store import Store, writing
from afterword.pipeline.domain.memory.audit_log import ChangedRow
from afterword.pipeline.domain.memory.audit_log import record as audit
from afterword.pipeline.domain.memory.checks import is_name
from afterword.pipeline.domain.trades import rows
from afterword.pipeline.domain.trades.model import TripTag
from afterword.pipeline.domain.trades.rows import TagRow
from afterword.pipeline.domain.trips.name_rows import NamedPosition, holders, names_from
from afterword.pipeline.domain.trips.read import trips as read_trips
from afterword.pipeline.domain.trips.read import trips_named
from afterword.pipeline.domain.trips.trip import Trip
from afterword.pipeline.errors import ConflictError, InvalidInputError, NotFoundError
from afterword.pipeline.rules.masking import mask

Origin = Literal["owner", "agent"]

MAX_TRIP_TAG: Final = 40
"""Characters of a tag."""

FEWEST_SIGNS: Final = 6
"""Characters by which a trip may be named, if no other trip begins so."""

_TAG: Final = re.compile(rf"\w[\w .+-]{{0,{MAX_TRIP_TAG - 1}}}")


def tag_trip(store: Store, trip: str, tag: str, clock: Clock, *, origin: Origin = "owner") -> Trip:
    """Give a trip a tag.

    A tag that is given after the entry describes the trip; it is never one of the cuts that are
    tested, since it may be made of the result.

    Args:
        trip: its name, or the beginning of it.

    Raises:
        NotFoundError: no such trip.
        InvalidInputError: not a tag, or a beginning that several trips have.
        ConflictError: it has the tag already.
    """
    word = checked_tag(tag)
    with writing(store) as conn:
        tagged = named_trip(conn, trip)
        has = {tag.tag for tag in tags_of(conn, [tagged]).get(tagged.trip_uid, ())}
        now = clock()
        row_id = None if word in has else rows.add_tag(conn, tagged, word, origin, to_micros(now))
        if row_id is None:
            raise ConflictError(f"trip {tagged.trip_uid[:12]} has the tag {word!r} already")
        touched = ChangedRow(row_id, detail={"trip": tagged.trip_uid})
        audit(conn, now, origin, "trade.tag", "trip_tags", [touched])
    return tagged


def untag_trip(
    store: Store, trip: str, tag: str, clock: Clock, *, origin: Origin = "owner"
) -> Trip:
    """Take a tag from a trip; what stood at an earlier moment stays readable.

    Raises:
        NotFoundError: no such trip, or it has no such tag.
        InvalidInputError: not a tag, or a beginning that several trips have.
    """
    word = checked_tag(tag)
    with writing(store) as conn:
        tagged = named_trip(conn, trip)
        ids = [row.id for row, _ in rows.tags_of(conn, [tagged]) if row.tag == word]
        now = clock()
        done = rows.remove_tags(conn, ids, to_micros(now))
        if not done:
            raise NotFoundError(f"trip {tagged.trip_uid[:12]} has no tag {word!r}")
        touched = [ChangedRow(row_id, detail={"trip": tagged.trip_uid}) for row_id in done]
        audit(conn, now, origin, "trade.untag", "trip_tags", touched)
    return tagged


def list_tags(
    conn: Connection, as_of: datetime | None = None, account: str | None = None
) -> list[TripTag]:
    """Return the tags of trips, by the trip that has each now, in the order they were given."""
    at = None if as_of is None else to_micros(as_of)
    holders = _holders(read_trips(conn, as_of, account), rows.tags(conn, at, account))
    return [_trip_tag(row, uid) for row, uid in holders]


def checked_tag(tag: str) -> str:
    """Return a tag in small letters.

    Raises:
        InvalidInputError: not a tag.
    """
    word = " ".join(mask(tag).casefold().split())
    if not _TAG.fullmatch(word):
        accepted = (
            f"1 to {MAX_TRIP_TAG} letters, digits, blanks and . _ + -, the first a letter or digit"
        )
        raise InvalidInputError("tag", f"is {tag!a:.60}", accepted)
    return word


def tags_of(conn: Connection, trips: Sequence[Trip]) -> Mapping[str, list[TripTag]]:
    """Return the tags of some trips by their names, in the order they were given."""
    by_trip: dict[str, list[TripTag]] = defaultdict(list)
    for row, uid in rows.tags_of(conn, trips):
        by_trip[uid].append(_trip_tag(row, uid))
    return by_trip


def tagged_trips(conn: Connection, tag: str) -> set[str]:
    """Return the names of the trips that have a tag."""
    tagged = rows.tagged(conn, checked_tag(tag))
    positions = [
        NamedPosition(row.trip_uid, row.account, row.symbol, row.direction, _entry_at(row))
        for row in tagged
    ]
    return {name for name in holders(conn, positions) if name is not None}


def named_trip(conn: Connection, name: str, as_of: datetime | None = None) -> Trip:
    """Return the trip with a name, or with a name that begins so.

    Args:
        as_of: as known at that moment; now if None.

    Raises:
        NotFoundError: there is none.
        InvalidInputError: several begin so, or too few characters.
    """
    at = None if as_of is None else to_micros(as_of)
    names = names_from(conn, name, at, 2) if is_name(name) else []
    if name not in names:
        if len(name) < FEWEST_SIGNS:
            problem, accepted = f"is {name!a:.20}", f"{FEWEST_SIGNS} characters or more"
            raise InvalidInputError("trip", problem, accepted)
        if len(names) > 1:
            raise InvalidInputError("trip", f"{name} is the beginning of several trips", "more")
        if not names:
            raise NotFoundError(f"no trip {name!a:.40}; afterword trades ls")
    (known,) = trips_named(conn, names[:1], at)
    return known


def given_tags(trips: Sequence[Trip], tags: Iterable[TagRow]) -> Mapping[str, list[TripTag]]:
    """Return the tags by the trip that has them now."""
    by_trip: dict[str, list[TripTag]] = defaultdict(list)
    for row, uid in _holders(trips, tags):
        by_trip[uid].append(_trip_tag(row, uid))
    return by_trip


def _trip_tag(row: TagRow, trip_uid: str) -> TripTag:
    return TripTag(
        trip_uid=trip_uid,
        tag=row.tag,
        origin="owner" if row.origin == "owner" else "agent",
        known_at=from_micros(row.known_at),
    )


def _holders(trips: Sequence[Trip], tags: Iterable[TagRow]) -> list[tuple[TagRow, str]]:
    """Return each tag with the name of the trip that holds what it was given to.

    A late page can give a trip another name: then it is the trip of the same market and direction
    that was open when the tagged one was entered.
    """
    names = {trip.trip_uid for trip in trips}
    by_market: dict[tuple[str, str, str], list[Trip]] | None = None
    holders = []
    for row in tags:
        if row.trip_uid in names:
            holders.append((row, row.trip_uid))
            continue
        if by_market is None:
            by_market = defaultdict(list)
            for trip in trips:
                by_market[trip.account, trip.symbol, trip.direction].append(trip)
        at = from_micros(_entry_at(row))
        for trip in by_market.get((row.account, row.symbol, row.direction), ()):
            if (trip.opened_at or trip.closed_at) <= at <= trip.closed_at:
                holders.append((row, trip.trip_uid))
                break
    return holders


def _entry_at(row: TagRow) -> int:
    return row.closed_at if row.opened_at is None else row.opened_at
