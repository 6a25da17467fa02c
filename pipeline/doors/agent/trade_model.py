"""The values that the tools of trades return; amounts are exact text; see `model`."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from afterword.pipeline.clock import iso
from afterword.pipeline.domain.fills.money import exact_usd
from afterword.pipeline.domain.recorded_trades.model import TradeRecord
from afterword.pipeline.recall.prompts.provenance import Provenance
from afterword.pipeline.recall.prompts.sanitize import shown_name
from afterword.pipeline.rules.market.decimals import plain

if TYPE_CHECKING:  # loaded by who searches
    from afterword.pipeline.domain.trades.profile import UserTrade


@dataclass(frozen=True, slots=True)
class AgentTrade:
    """A recorded trade; sizes and prices are exact text.

    Args:
        id: its uid.
        decision: uid of the decision that it carries out; `closes` is that of the trade it closes.
        realised_usd: what it brought after fees; None where nobody said yet.
        is_new: False where it was recorded before; all fields are those of that recording.
    """

    id: str
    venue: str
    account: str
    asset: str
    side: str
    size: str
    price: str
    realised_usd: str | None
    decision: str | None
    closes: str | None
    occurred_at: str
    is_new: bool
    provenance: Provenance


@dataclass(frozen=True, slots=True)
class UserFill:
    """A fill of the user's own trading (R3); amounts are exact text.

    Args:
        side: `buy` or `sell`.
        effect: `open` or `close`; None where nothing says it. `direction` is that of the position.
        size_usd: its value; None if it was not paid in dollars.
        realized_pnl: profit of the closed part before fees, in `quote`; None where unknown.
    """

    at: str
    account: str
    venue: str
    symbol: str
    side: str
    effect: str | None
    direction: str | None
    size_usd: str | None
    price: str
    quote: str
    realized_pnl: str | None


def traded(trade: TradeRecord, group: str, *, is_new: bool) -> AgentTrade:
    """Return a recorded trade as an agent sees it."""
    realised = trade.realised_micro_usd
    return AgentTrade(
        id=trade.uid,
        venue=shown_name(trade.venue),
        account=shown_name(trade.account),
        asset=shown_name(trade.asset),
        side=trade.side,
        size=plain(trade.size),
        price=plain(trade.price),
        realised_usd=None if realised is None else exact_usd(realised),
        decision=trade.decision_uid,
        closes=trade.closes_uid,
        occurred_at=iso(trade.occurred_at),
        is_new=is_new,
        provenance=Provenance(trade.session_id, group, "agent", iso(trade.known_at)),
    )


def filled(fill: "UserTrade") -> UserFill:
    """Return a fill of the user as an agent sees it."""
    size, profit = fill.size_micro_usd, fill.realized_pnl
    return UserFill(
        at=iso(fill.at),
        account=shown_name(fill.account),
        venue=shown_name(fill.venue),
        symbol=shown_name(fill.symbol),
        side=fill.side,
        effect=fill.effect,
        direction=fill.direction,
        size_usd=None if size is None else exact_usd(size),
        price=plain(fill.price),
        quote=shown_name(fill.quote),
        realized_pnl=None if profit is None else plain(profit),
    )
