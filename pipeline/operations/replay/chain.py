"""Complete the links of the chain of digests as the passes go on."""

from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.operations.replay import rows
from afterword.pipeline.operations.replay.digest import STANDING_VIEWS, chained, digest_of
from afterword.pipeline.operations.replay.model import ReplayLink
from afterword.pipeline.operations.replay.passes import LINK_US, link_of

_ALL_TIME: Final = (-(1 << 62), 1 << 62)


def complete_links(conn: Connection, at: int, *, is_last: bool) -> None:
    """Write the links whose span is over.

    Args:
        at: the pass that was just done; microseconds. Nothing known before it comes later.
        is_last: whether the replay ends with it: its last link is closed early, with the figures
            that change in place.
    """
    last = rows.last_link(conn)
    number = _first(conn) if last is None else last.number + 1
    if number is None:
        return
    chain = "" if last is None else last.chain
    while (number + 1) * LINK_US <= at or (is_last and number <= link_of(at)):
        from_at, to_at = number * LINK_US, min((number + 1) * LINK_US, at + 1)
        digest, events = digest_of(conn, from_at, to_at)
        if is_last and number == link_of(at):
            standing, _ = digest_of(conn, *_ALL_TIME, STANDING_VIEWS)
            digest = chained(digest, standing)
        chain = chained(chain, digest)
        rows.keep_link(conn, ReplayLink(number, from_at, to_at, events, digest, chain))
        number += 1


def _first(conn: Connection) -> int | None:
    """Return the link in which the replay begins; None of a file that is no replay."""
    run = rows.run(conn)
    return None if run is None else link_of(run.begins_at)
