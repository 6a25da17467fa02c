"""A rule for the agent that is written again: of rows with the same words one stands.

Only what influences how the agent acts is compared: facts have a layer of their own, and the rest
may repeat.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.domain.memory import same_words_rows
from afterword.pipeline.domain.memory.model import SameWords
from afterword.pipeline.domain.memory.same_words_rows import RuleRow
from afterword.pipeline.domain.memory.supersede import supersede
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.rules.text.same_words import words_key

_STANDS: Final = {
    "this": "this one replaces it",
    "other": "that one is more trusted and stays; this one is kept as superseded",
    "both": "both stand, since each is more trusted in some respect",
}


def join_same_words(
    conn: Connection, by: Writer, ids: Sequence[int], now: datetime
) -> dict[int, SameWords]:
    """Supersede earlier rules that say the same as new ones, or the new ones by them.

    The new row stands unless the earlier one is more trusted; see `may_replace`. The caller has
    opened the transaction in which the rows were written.

    Args:
        ids: of rows that are new, or visible again.

    Returns:
        By id, the row with the same words that it was compared with; without those that have none.
    """
    rows = same_words_rows.visible_rules(conn, ids)
    standing: dict[tuple[str, str], list[RuleRow]] = {}
    for row in same_words_rows.others(conn, rows):
        standing.setdefault((row.category, words_key(row.content)), []).append(row)
    joined = {}
    for row in rows:
        alike = standing.setdefault((row.category, words_key(row.content)), [])
        for other in list(alike):
            if may_replace(row, other):
                supersede(conn, by, other.id, row.id, now)
                alike.remove(other)
                joined[row.id] = SameWords(other.id, other.uid, "this")
            elif may_replace(other, row):
                supersede(conn, by, row.id, other.id, now)
                joined[row.id] = SameWords(other.id, other.uid, "other")
                break
            else:
                joined[row.id] = SameWords(other.id, other.uid, "both")
        else:
            alike.append(row)
    return joined


def same_words_hint(category: str, same: SameWords) -> str:
    """Return what became of a rule whose words stood before, for who wrote it."""
    return f"the same {category} stood already, as {same.uid}; {_STANDS[same.stands]}"


def may_replace(new: RuleRow, old: RuleRow) -> bool:
    """Say whether a row is as much trusted as another one in every respect.

    A row of the owner is replaced by the owner only, one that prompts show not by one that they
    leave out, a typed one, which a brief shows, not by another, and none by words of the web.
    """
    return all(mine >= theirs for mine, theirs in zip(new.trust, old.trust, strict=True))
