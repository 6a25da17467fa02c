"""Read the memories that may get a place in a prompt, by the statements of that prompt."""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple

from sqlalchemy import Connection, TextClause, text

from afterword.pipeline.domain.memory.flag_rows import not_flagged
from afterword.pipeline.domain.memory.visibility import CHANGED_SINCE, VISIBLE, VISIBLE_AT
from afterword.pipeline.recall.prompts.places import Candidate, Candidates

When = Literal["now", "still", "then"]
"""The moment that a prompt is asked as of: the present; one since which no memory has changed; or
an earlier one. A session that begins asks as of its present, so `still` is the rule."""

WHENS: Final[tuple[When, ...]] = ("now", "still", "then")

_THEN: Final = f"updated_at <= :as_of AND {not_flagged('memories', is_now=False)}"

SHOWABLE: Final[Mapping[When, str]] = {
    "now": f"{VISIBLE} AND {not_flagged('memories')}",
    "still": f"{VISIBLE} AND {_THEN}",
    "then": f"{VISIBLE_AT} AND {_THEN}",
}
"""Condition: a prompt may show the row."""

IN_INDEX: Final = "deleted_at IS NULL AND superseded_at IS NULL"
"""Condition: a row of the index over categories."""

# The index leaves out what was deleted or superseded since a moment of the past.
GONE_SINCE: Final = """id IN (
      SELECT id FROM memories WHERE deleted_at > :as_of
      UNION ALL SELECT id FROM memories WHERE superseded_at > :as_of)"""
"""Condition: such a row, at a moment of the past."""

_CHANGED: Final = text(f"SELECT {CHANGED_SINCE}")


class CandidateStatements(NamedTuple):
    """The statements of one prompt, each by the moment it is asked as of.

    Args:
        best: the newest `:most` rows of each sort, with `is_standing`.
        standing: counts what stands, up to one more than `MOST_COUNTED`.
        total: counts the rows that the prompt may show.
    """

    best: Mapping[When, TextClause]
    standing: Mapping[When, TextClause]
    total: Mapping[When, TextClause]


def read_candidates(
    conn: Connection, statements: CandidateStatements, as_of: int | None, most: int
) -> Candidates:
    """Return the memories that a prompt may show, now or at `as_of` (microseconds).

    Args:
        most: rows of each sort, newest first.
    """
    when = when_of(conn, as_of)
    values = {"most": most} if as_of is None else {"most": most, "as_of": as_of}
    best = [Candidate(*row) for row in conn.execute(statements.best[when], values).all()]
    total = conn.execute(statements.total[when], values).scalar_one()
    standing = sum(row.is_standing for row in best)
    if standing >= most:  # there may be more
        standing = int(conn.execute(statements.standing[when], values).scalar_one())
    return Candidates(best, int(total), standing)


def when_of(conn: Connection, as_of: int | None) -> When:
    """Return what the moment of a read (microseconds) is; None is the present."""
    if as_of is None:
        return "now"
    return "then" if conn.execute(_CHANGED, {"as_of": as_of}).scalar_one() else "still"
