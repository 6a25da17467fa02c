"""SQL over the memories about the user that a prompt may show."""

from typing import Final, NamedTuple

from sqlalchemy import Connection, text

from afterword.pipeline.domain.profile.portrait import PERSONALIZATION
from afterword.pipeline.recall.prompts.candidate_rows import (
    GONE_SINCE,
    IN_INDEX,
    SHOWABLE,
    WHENS,
    When,
    when_of,
)


def _about_user(when: When) -> str:
    of = f"category = '{PERSONALIZATION}' AND {SHOWABLE[when]}"
    streams = [f"memories INDEXED BY memories_category WHERE {IN_INDEX} AND {of}"]
    if when == "then":
        streams.append(f"memories WHERE {GONE_SINCE} AND {of}")
    return " UNION ALL ".join(f"SELECT id, content, updated_at FROM {stream}" for stream in streams)


_NEWEST: Final = {
    when: text(f"{_about_user(when)} ORDER BY updated_at DESC, id DESC LIMIT :most")
    for when in WHENS
}
_COUNT: Final = {when: text(f"SELECT count(*) FROM ({_about_user(when)})") for when in WHENS}


class MemoryAboutUser(NamedTuple):
    """A memory about the user, as it is stored."""

    id: int
    content: str


def about_user(
    conn: Connection, as_of: int | None, most: int, but: frozenset[int] = frozenset()
) -> tuple[list[MemoryAboutUser], int]:
    """Return the newest memories about the user, and how many there are in all.

    Args:
        as_of: as of this moment (microseconds); now if None.
        but: ids of memories that another text of the same moment shows; they are left out.
    """
    when = when_of(conn, as_of)
    values = {"most": most + len(but)} | ({} if as_of is None else {"as_of": as_of})
    rows = conn.execute(_NEWEST[when], values).all()
    total = int(conn.execute(_COUNT[when], values).scalar_one())
    memories = [MemoryAboutUser(row.id, row.content) for row in rows]
    left = [memory for memory in memories if memory.id not in but]
    return left[:most], total - (len(memories) - len(left))
