"""For the program around a model: what the user's accounts hold together."""

from dataclasses import dataclass
from datetime import datetime

from afterword.pipeline.clock import iso
from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.capital.model import CapitalTier
from afterword.pipeline.domain.capital.read import read_capital
from afterword.pipeline.domain.fills.money import exact_usd
from afterword.pipeline.domain.memory.visibility import read_moment
from afterword.pipeline.doors.agent.door import Door


@dataclass(frozen=True, slots=True)
class AgentCapital:
    """R3's capital metrics: objective, and for reasoning only; amounts are exact text, in USD.

    Args:
        capital_total_usd: the sum of the other two.
        kept_since: since when the oldest part that could not be asked keeps its value; None if
            all are of `computed_at`.
        unpriced_tokens: tokens that are not counted, because no price of them is known; count.
    """

    spot_holdings_usd: str
    perp_value_usd: str
    capital_total_usd: str
    tier: CapitalTier
    computed_at: str
    kept_since: str | None
    unpriced_tokens: int


def capital(door: Door, *, as_of: datetime | None = None) -> AgentCapital | None:
    """Return what the user's own accounts hold together; None if it is not known.

    It is measured, never told by the user, and belongs in no text that the user is shown.

    Args:
        as_of: as it was known at this moment.
    """
    with reading(door.store) as conn:
        read_moment(conn, as_of)  # refuses a moment that was purged
        known = read_capital(conn, as_of)
    if known is None:
        return None
    return AgentCapital(
        exact_usd(known.spot_holdings_micro_usd),
        exact_usd(known.perp_value_micro_usd),
        exact_usd(known.capital_total_micro_usd),
        known.tier,
        iso(known.computed_at),
        None if known.kept_since is None else iso(known.kept_since),
        len(known.unpriced),
    )
