"""The turns in which the user said what a memory says."""

from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.domain.lineage.model import Cause, LineageStep
from afterword.pipeline.domain.statements import rows

_HOW: Final = {"written": "said by the user in", "said_again": "said again in"}


def statement_lineage(conn: Connection, key: str | int, at: int | None) -> LineageStep | None:
    """Return the turns of a memory as its causes; None for one that was found in no chat."""
    del at
    turns = rows.turns_of(conn, key)
    if not turns:
        return None
    return LineageStep(
        causes=tuple(Cause(_HOW.get(outcome, "said in"), "turn", uid) for uid, outcome in turns)
    )
