"""SQL over the tags of the user."""

from typing import Final

from sqlalchemy import Connection, text

from afterword.pipeline.core.store.codec import Codec
from afterword.pipeline.domain.profile.model import UserTag

_TAG: Final = Codec(UserTag, moments=("since", "superseded_at"))
_CURRENT = text(f"SELECT {_TAG.columns} FROM user_tags WHERE superseded_at IS NULL ORDER BY id")
_CURRENT_AT = text(f"""
SELECT {_TAG.columns} FROM user_tags
WHERE since <= :as_of AND (superseded_at IS NULL OR superseded_at > :as_of) ORDER BY id
""")
_END = text("""
UPDATE user_tags SET superseded_at = max(:now, since)
WHERE dimension = :dimension AND source = :source AND superseded_at IS NULL RETURNING id
""")
_ADD = text("""
INSERT INTO user_tags (dimension, value, source, since)
VALUES (:dimension, :value, :source, :now) RETURNING id
""")


def current(conn: Connection, as_of: int | None = None) -> list[UserTag]:
    """Return the tags that are current, or were at a moment (microseconds)."""
    if as_of is None:
        return [_TAG.read(row) for row in conn.execute(_CURRENT)]
    tags = [_TAG.read(row) for row in conn.execute(_CURRENT_AT, {"as_of": as_of})]
    # What came later is not known yet.
    return [UserTag(tag.dimension, tag.value, tag.source, tag.since) for tag in tags]


def end(conn: Connection, dimension: str, source: str, now: int) -> int | None:
    """End the current tag of a source (microseconds); return its row id, None without one."""
    values = {"dimension": dimension, "source": source, "now": now}
    row_id: int | None = conn.execute(_END, values).scalar_one_or_none()
    return row_id


def add(conn: Connection, tag: UserTag, now: int) -> int:
    """Add the tag that is current from now on (microseconds); return its row id."""
    values = {
        "dimension": tag.dimension,
        "value": tag.value,
        "source": tag.source,
        "now": now,
    }
    row_id: int = conn.execute(_ADD, values).scalar_one()
    return row_id
