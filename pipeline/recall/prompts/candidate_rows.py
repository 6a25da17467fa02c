"""Read the memories that may get a place in a prompt, by the statements of that prompt."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from sqlalchemy import Connection, TextClause

from afterword.pipeline.domain.memory.flag_rows import not_flagged
from afterword.pipeline.domain.memory.visibility import VISIBLE, VISIBLE_AT
from afterword.pipeline.recall.prompts.places import Candidate, Candidates

SHOWABLE: Final = {
    True: f"{VISIBLE} AND {not_flagged('memories')}",
    False: f"updated_at <= :as_of AND {VISIBLE_AT} AND {not_flagged('memories', is_now=False)}",
}
"""Condition: a prompt may show the row; by whether it is asked as of now, else as of `:as_of`."""


class CandidateStatements(NamedTuple):
    """The statements of one prompt; each by whether it is asked as of now.

    Args:
        best: the newest `:most` rows of each sort, with `is_standing`.
        standing: counts what stands, up to one more than `MOST_COUNTED`.
        total: counts the rows that the prompt may show.
    """

    best: Mapping[bool, TextClause]
    standing: Mapping[bool, TextClause]
    total: Mapping[bool, TextClause]


def read_candidates(
    conn: Connection, statements: CandidateStatements, as_of: int | None, most: int
) -> Candidates:
    """Return the memories that a prompt may show, now or at `as_of` (microseconds).

    Args:
        most: rows of each sort, newest first.
    """
    is_now = as_of is None
    values = {"most": most} if as_of is None else {"most": most, "as_of": as_of}
    best = [Candidate(*row) for row in conn.execute(statements.best[is_now], values).all()]
    total = conn.execute(statements.total[is_now], values).scalar_one()
    standing = sum(row.is_standing for row in best)
    if standing >= most:  # there may be more
        standing = int(conn.execute(statements.standing[is_now], values).scalar_one())
    return Candidates(best, int(total), standing)
