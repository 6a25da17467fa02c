"""Memories with the fields they had at an earlier moment."""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection, text

from afterword.pipeline.clock import from_micros
from afterword.pipeline.domain.memory.model import Memory

_AWAY = text("""
SELECT memory_id, cause, gone_at FROM memory_absences
WHERE memory_id IN (SELECT value FROM json_each(:ids))
  AND gone_at <= :as_of AND (back_at IS NULL OR back_at > :as_of)
""")


def as_known(conn: Connection, found: Sequence[Memory], as_of: int | None) -> list[Memory]:
    """Return memories with the fields they had at a moment.

    `deleted_at`, `superseded_at` and `stale_at` are those of the moment. Earlier values of
    `superseded_by` and of the embedding fields are not kept, so these are None.

    Args:
        found: memories known at the moment.
        as_of: microseconds; None is now, and changes nothing.
    """
    if as_of is None:
        return list(found)
    ids = json.dumps([memory.id for memory in found])
    away = {
        (memory_id, cause): from_micros(gone_at)
        for memory_id, cause, gone_at in conn.execute(_AWAY, {"ids": ids, "as_of": as_of})
    }
    moment = from_micros(as_of)
    return [
        replace(
            memory,
            deleted_at=away.get((memory.id, "deleted")),
            superseded_by=None,
            superseded_at=_until(memory.superseded_at, moment)
            or away.get((memory.id, "superseded")),
            stale_at=_until(memory.stale_at, moment),
            embedding_state=None,
            embedding_error=None,
        )
        for memory in found
    ]


def _until(at: datetime | None, moment: datetime) -> datetime | None:
    return None if at is None or at > moment else at
