"""What the gates count: the votes of every methodology, and the uses of the literal rule."""

from datetime import datetime
from itertools import groupby
from operator import attrgetter
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.cases import vote_rows as rows
from afterword.pipeline.domain.cases.model import LiteralCount
from afterword.pipeline.rules.evidence.method_record import MethodVote
from afterword.pipeline.rules.evidence.rates import base_rate
from afterword.pipeline.rules.market.exact import PPB

_ALWAYS: Final = (1 << 62) - 1
_UNKNOWN_BASE: Final = base_rate(0, 0)
IS_HIT: Final[dict[str | None, bool | None]] = {
    "right": True,
    "wrong": False,
    "noise": None,
    None: None,
}
"""What the verdict of an outcome votes; None while there is none."""


def method_votes(conn: Connection, as_of: datetime | None = None) -> dict[int, list[MethodVote]]:
    """Return the votes of every methodology that a decision applied, by its row id.

    Decisions that wait for their outcome are among them: they take their stretch.

    Args:
        as_of: as they were known at this moment.
    """
    moment = _ALWAYS if as_of is None else to_micros(as_of)
    return {
        method: [vote_of(row) for row in own]
        for method, own in groupby(rows.votes(conn, moment), key=attrgetter("methodology_id"))
    }


def literal_counts(conn: Connection, as_of: datetime | None = None) -> dict[int, LiteralCount]:
    """Return what the literal gate counts of every methodology, by its row id."""
    moment = _ALWAYS if as_of is None else to_micros(as_of)
    return {
        method: LiteralCount(used, correct)
        for method, used, correct in rows.literal_counts(conn, moment)
    }


def vote_of(row: rows.VoteRow | rows.CitedRow) -> MethodVote:
    """Return what a citation that counts votes."""
    return method_vote(row.entry_at, row.exit_at, row.asset_key, row.verdict, row.base_ppb)


def method_vote(
    entry_at: int, exit_at: int, asset_key: str, verdict: str | None, base_ppb: int | None
) -> MethodVote:
    """Return what an outcome votes: moments in microseconds, the base in parts per billion."""
    base = _UNKNOWN_BASE if base_ppb is None else base_ppb / PPB
    return MethodVote(entry_at, exit_at, asset_key, IS_HIT[verdict], base)
