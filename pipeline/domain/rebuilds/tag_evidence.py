"""What tags are concluded from: figures of trades, and memories about the user, each with its n."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from afterword.pipeline.domain.memory import rows as memory_rows
from afterword.pipeline.domain.memory.flags import families_of
from afterword.pipeline.domain.profile.observed import trades_of_month
from afterword.pipeline.domain.profile.portrait import PERSONALIZATION, RECENT_MEMORIES
from afterword.pipeline.errors import UnavailableError
from afterword.pipeline.rules.masking import mask
from afterword.pipeline.rules.text.line import one_line
from afterword.pipeline.rules.user_tags.observed import (
    OBSERVED_DAYS,
    ObservedTag,
    TradesOfMonth,
    observed_tags,
)

MAX_SIGN_CHARS: Final = 300
"""Characters of one piece of evidence, as of a memory in a prompt."""

# An answer of the owner declared a tag already: to conclude it again would be an echo.
_ANSWERS = text("""
SELECT memory_id FROM onboarding_answers WHERE memory_id IS NOT NULL AND superseded_at IS NULL
""")
_HAS_ANY: Final = (
    "SELECT 1 FROM perps_fills LIMIT 1",
    "SELECT 1 FROM closed_trades LIMIT 1",
    f"SELECT 1 FROM memories WHERE category = '{PERSONALIZATION}' AND deleted_at IS NULL"
    " AND superseded_at IS NULL LIMIT 1",
)


class TagSign(NamedTuple):
    """One thing that is known of the user.

    Args:
        id: what a model cites it by: `T1` for trades, `M12` for a memory.
        says: one line.
        n: how many observations it sums up; count.
    """

    id: str
    says: str
    n: int

    @property
    def is_of_trades(self) -> bool:
        """Whether it is a figure of trades."""
        return self.id.startswith("T")


class TagEvidence(NamedTuple):
    """All that is known for tags.

    Args:
        observed: what rules say of trades.
        evidence: what a model may conclude from.
    """

    observed: tuple[ObservedTag, ...]
    evidence: tuple[TagSign, ...]


def has_evidence(conn: Connection) -> bool:
    """Return whether anything is known to conclude tags from; a cheap read that raises nothing."""
    return any(_has_row(conn, statement) for statement in _HAS_ANY)


def tag_evidence(conn: Connection, now: datetime) -> TagEvidence:
    """Return what is known of the user: trades of the last days, the newest memories.

    Raises:
        UnavailableError: the trades cannot be read.
    """
    try:
        month = trades_of_month(conn, now, None)
    except (DBAPIError, ArithmeticError) as error:
        raise UnavailableError(f"the trades cannot be read: {error}") from error
    return TagEvidence(observed_tags(month), (*_of_trades(month), *_memories(conn)))


def _has_row(conn: Connection, statement: str) -> bool:
    try:
        return conn.execute(text(statement)).first() is not None
    except DBAPIError:
        return True  # the run then says what is wrong


def _of_trades(month: TradesOfMonth) -> Sequence[TagSign]:
    told = []
    if month.traded_days:
        says = (
            f"traded on {month.traded_days} of the {month.days} days that are known of the last "
            f"{OBSERVED_DAYS}, and closed {month.trades} positions"
        )
        told.append(TagSign("T1", says, month.trades))
    if month.leveraged:
        says = (
            f"of {month.leveraged} closed positions of perpetuals, futures and CFDs, "
            f"{month.added_to_loser} were raised while they lost, {month.liquidated} liquidated"
        )
        told.append(TagSign("T2", says, month.leveraged))
    if month.by_market:
        markets = ", ".join(f"{name} {n}" for name, n in sorted(month.by_market.items()))
        fills = sum(month.by_market.values())
        told.append(TagSign("T3", f"fills by market: {markets}", fills))
    return told


def _memories(conn: Connection) -> Sequence[TagSign]:
    answers = set(conn.execute(_ANSWERS).scalars())
    lines = (
        (memory.id, one_line(mask(memory.content), MAX_SIGN_CHARS))
        for memory in memory_rows.recent(conn, PERSONALIZATION, RECENT_MEMORIES)
        if memory.id not in answers
    )
    return [
        TagSign(f"M{row_id}", line, 1) for row_id, line in lines if line and not families_of(line)
    ]
