"""SQL over the weight of requests to venues, in the file of the installation."""

from typing import Final

from sqlalchemy import Connection, text

# A request counts from its start until a minute after its end: when the venue counted it, between
# the two, only the venue knows.
_COUNTED: Final = """
FROM venue_requests
WHERE venue = :venue AND coalesce(ended_at, lost_at) > :now - :span AND started_at <= :now
"""
_DROP = text("DELETE FROM venue_requests WHERE coalesce(ended_at, lost_at) <= :now - :span")
# A clock that was set back leaves requests of the future, of which nothing is known.
_DROP_FUTURE = text("DELETE FROM venue_requests WHERE started_at > :now + :span")
_ENDS = text(f"SELECT weight, coalesce(ended_at, :now) + :span {_COUNTED} ORDER BY 2, id")
_START = text("""
INSERT INTO venue_requests (venue, weight, started_at, lost_at)
VALUES (:venue, :weight, :now, :lost_at) RETURNING id
""")
_END = text("UPDATE venue_requests SET weight = :weight, ended_at = :now WHERE id = :id")
_USED = text(f"SELECT coalesce(sum(weight), 0) {_COUNTED}")


def drop_old(conn: Connection, now: int, span: int) -> None:
    """Remove the requests that no minute from now on holds; microseconds."""
    for statement in (_DROP, _DROP_FUTURE):
        conn.execute(statement, {"now": now, "span": span})


def ends(conn: Connection, venue: str, now: int, span: int) -> list[tuple[int, int]]:
    """Return the weights that count now, and when each counts no more, the earliest first.

    A request that still runs is taken to end now.
    """
    values = {"venue": venue, "now": now, "span": span}
    return [(int(weight), int(until)) for weight, until in conn.execute(_ENDS, values)]


def start(conn: Connection, venue: str, weight: int, now: int, lost_at: int) -> int:
    """Add a request and return its id.

    Args:
        lost_at: when it counts as ended if nobody says so, since its process died; microseconds.
    """
    values = {"venue": venue, "weight": weight, "now": now, "lost_at": lost_at}
    request_id: int = conn.execute(_START, values).scalar_one()
    return request_id


def end(conn: Connection, request_id: int, weight: int, now: int) -> None:
    """Say what a request weighed, and that it ended; microseconds."""
    conn.execute(_END, {"id": request_id, "weight": weight, "now": now})


def used(conn: Connection, venue: str, now: int, span: int) -> int:
    """Return the weight that counts now; microseconds."""
    values = {"venue": venue, "now": now, "span": span}
    weight: int = conn.execute(_USED, values).scalar_one()
    return weight
