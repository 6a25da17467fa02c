"""Round trips that only an agent's records tell of: opened, closed as a whole, with an outcome."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from afterword.pipeline.domain.recorded_trades.model import LinkedTrade
from afterword.pipeline.domain.trades.user_trades import MarketGroup, group_of_recorded


class RecordedResult(NamedTuple):
    """What a recorded position brought.

    Args:
        closed_at: when its last part closed; where the outcome was told without a trade that
            closes, when that was.
        net_micro_usd: after fees, as its agent says it.
    """

    account: str
    group: MarketGroup
    closed_at: datetime
    net_micro_usd: int


def recorded_results(linked: Sequence[LinkedTrade]) -> list[RecordedResult]:
    """Return the recorded positions that are closed and have their outcome.

    One with a fill among its trades is left out: the fills make its trip, and count.
    """
    closers: dict[str, list[LinkedTrade]] = defaultdict(list)
    for link in linked:
        if link.trade.closes_uid is not None:
            closers[link.trade.closes_uid].append(link)
    results = [
        _result(link, closers[link.trade.uid]) for link in linked if link.trade.closes_uid is None
    ]
    return [result for result in results if result is not None]


def _result(opened: LinkedTrade, closers: Sequence[LinkedTrade]) -> RecordedResult | None:
    first, closing = opened.trade, [link.trade for link in closers]
    if any(link.is_mirrored for link in (opened, *closers)):
        return None
    outcomes = [trade.realised_micro_usd for trade in closing or [first]]
    known = [outcome for outcome in outcomes if outcome is not None]
    is_open = bool(closing) and sum(trade.size for trade in closing) < first.size
    if is_open or len(known) < len(outcomes):
        return None
    closed_at = max((trade.occurred_at for trade in closing), default=first.known_at)
    return RecordedResult(first.account, group_of_recorded(first), closed_at, sum(known))
