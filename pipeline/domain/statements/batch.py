"""Take the next turns of chats: as many as a run may read, without what no person typed."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.domain.sessions import ended_rows
from afterword.pipeline.domain.sessions.ended_rows import EndedTurn
from afterword.pipeline.domain.statements.model import TurnBatch
from afterword.pipeline.expression import expression
from afterword.pipeline.rules.statements.junk import own_text

MOST_TURNS: Final = 200
MOST_CHARS_READ: Final = 60_000
"""Turns, and characters of their messages, of one run (plans/trades-and-profile, D21): some 15,000
tokens, a cent of a small model. The next run reads on."""

_HOSTS_OWN: Final = expression(
    r"(?i)\b(?:cron|heartbeat|sub-?agent|scheduler|webhook|automation)\b"
)
"""Labels of sessions that a host holds with itself."""


def next_batch(conn: Connection, place: int) -> TurnBatch:
    """Return the turns that ended after a place, up to the limits of a run."""
    waiting = ended_rows.ended_after(conn, place, MOST_TURNS)
    turns = waiting[: _fitting(waiting)]
    texts, refused = {}, Counter[str]()
    for turn in turns:
        text = None if _HOSTS_OWN.search(turn.label or "") else own_text(turn.message)
        if text is None:
            refused["machine"] += 1
        elif text.strip():
            texts[turn.id] = text
    read_to = turns[-1].place if turns else place
    return TurnBatch(tuple(turns), read_to, texts, dict(refused))


def _fitting(turns: Sequence[EndedTurn]) -> int:
    """Return how many of the turns fit; at least one, however long it is."""
    chars = 0
    for count, turn in enumerate(turns):
        chars += len(turn.message)
        if chars > MOST_CHARS_READ and count:
            return count
    return len(turns)
