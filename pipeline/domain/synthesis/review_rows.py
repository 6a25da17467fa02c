"""SQL of what a judge sees of a methodology beside its record: its text, and others like it."""

from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.core.store import driver_cursor
from afterword.pipeline.domain.synthesis.judge import AlikeMethod, ReviewedMethod
from afterword.pipeline.domain.synthesis.model import WeighedMethod

MOST_ALIKE: Final = 5
"""Methodologies that a judge may merge one into; count."""

_TEXT: Final = "SELECT name, methodology FROM methodologies WHERE id = ?"
# One in which a payload stands can take no place in prompts, and no judge is to read it.
_ALIKE: Final = """
SELECT other.uid, other.name, other.methodology
FROM methodologies AS one JOIN methodologies AS other
  ON other.asset_class = one.asset_class AND other.direction = one.direction
    AND other.timeframe = one.timeframe AND other.primary_signal = one.primary_signal
WHERE one.id = ? AND other.id < one.id AND other.merged_into IS NULL
  AND other.deleted_at IS NULL AND other.source <> 'placebo'
  AND (other.injection = '[]' OR other.injection_cleared_at IS NOT NULL)
ORDER BY other.id DESC LIMIT ? + 0
"""


def reviewed(conn: Connection, weighed: WeighedMethod) -> ReviewedMethod:
    """Return a methodology as its judge sees it; only older ones can take its place."""
    row_id = weighed.standing.id
    cursor = driver_cursor(conn)
    cursor.execute(_TEXT, (row_id,))
    name, words = cursor.fetchall()[0]
    alike = cursor.execute(_ALIKE, (row_id, MOST_ALIKE)) or ()
    return ReviewedMethod(weighed, name, words, tuple(AlikeMethod(*row) for row in alike))
