"""SQL of the passes that were: the heartbeat of the learning loop."""

import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, text

from afterword.pipeline.core.store import driver_cursor
from afterword.pipeline.core.store.codec import Codec
from afterword.pipeline.domain.synthesis.model import PassTrigger


class PassRow(NamedTuple):
    """One pass; moments in microseconds.

    Args:
        numbers: what it found and did; see `SynthesisReport`.
    """

    id: int
    trigger: PassTrigger
    judge: str
    is_frozen: bool
    numbers: Mapping[str, Any]
    started_at: int
    finished_at: int


_KEEP: Final = """
INSERT INTO methodology_cron_runs (trigger, judge, is_frozen, numbers, started_at, finished_at)
VALUES (?, ?, ?, ?, ?, ?) RETURNING id
"""
_PASS: Final = Codec(PassRow, flags=("is_frozen",), json=("numbers",))
_LAST: Final = text(f"""
SELECT {_PASS.columns}
FROM methodology_cron_runs WHERE finished_at <= :as_of ORDER BY finished_at DESC, id DESC LIMIT 1
""")


def keep_pass(
    conn: Connection,
    trigger: PassTrigger,
    judge: str,
    is_frozen: bool,
    numbers: Mapping[str, Any],
    span: tuple[int, int],
) -> int:
    """Write the heartbeat of a pass; return its row id.

    Args:
        span: when it began and ended; microseconds.
    """
    cursor = driver_cursor(conn)
    written = json.dumps(numbers, sort_keys=True)
    cursor.execute(_KEEP, (trigger, judge, is_frozen, written, *span))
    (row_id,) = cursor.fetchall()[0]
    return int(row_id)


def last_pass(conn: Connection, as_of: int = (1 << 62) - 1) -> PassRow | None:
    """Return the last pass that had ended by a moment (microseconds)."""
    row = conn.execute(_LAST, {"as_of": as_of}).one_or_none()
    return None if row is None else _PASS.read(row)
