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
    from afterword.pipeline.domain.trades.profile import TradingActivity, TradingProfile
    from afterword.pipeline.domain.trades.user_trades import UserTrade


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
    """A trade of the user's own (R3); amounts are exact text.

    Args:
        id: give the last one as `after` to read on.
        source: `fill` of the venue, or `recorded` by an agent, without a known fill.
        group: `perps` (futures too), `spot` or `other`.
        side: `buy` or `sell`.
        effect: `open` or `close`; None where nothing says it. `direction` is that of the position.
        size_usd: its value; None if it was not paid in dollars.
        realized_pnl: profit of the closed part, in `quote`: of a fill before fees, of a recorded
            trade after them; None where unknown.
    """

    id: str
    source: str
    at: str
    account: str
    venue: str
    symbol: str
    group: str
    side: str
    effect: str | None
    direction: str | None
    size_usd: str | None
    price: str
    quote: str
    realized_pnl: str | None


@dataclass(frozen=True, slots=True)
class UserSymbol:
    """A market of a trading profile: how many trades, and what they were worth."""

    symbol: str
    count: int
    volume_usd: str


@dataclass(frozen=True, slots=True)
class UserActivity:
    """What the user traded in one group of markets (R3); amounts are exact text in USD.

    Args:
        round_trips: complete ones, net of fees and funding: judge by these, and by their number.
        incomplete: others, in no figure.
        trades: fills, and trades that agents recorded and whose fills are not known.
        realized_pnl_usd: before fees, as venues state it; None where nothing says one.
        win_rate_fills: R3's share of winning fills, of `closing_fills`; it leaves fees out and
            flatters who closes winners in parts.
    """

    round_trips: int
    won: int
    net_usd: str
    incomplete: int
    not_in_net: list[str]
    trades: int
    recorded: int
    top_symbols: list[UserSymbol]
    long_trades: int
    short_trades: int
    realized_pnl_usd: str | None
    win_rate_fills: float | None
    closing_fills: int
    average_trade_size_usd: str | None
    last_traded_at: str | None


@dataclass(frozen=True, slots=True)
class UserTradingProfile:
    """What the user traded in the last days: perpetuals and futures, spot, and the rest (R3)."""

    days: int
    until: str
    perps: UserActivity
    spot: UserActivity
    other: UserActivity


def traded(trade: TradeRecord, group: str, *, is_new: bool) -> AgentTrade:
    """Return a recorded trade as an agent sees it."""
    return AgentTrade(
        id=trade.uid,
        venue=shown_name(trade.venue),
        account=shown_name(trade.account),
        asset=shown_name(trade.asset),
        side=trade.side,
        size=plain(trade.size),
        price=plain(trade.price),
        realised_usd=_usd(trade.realised_micro_usd),
        decision=trade.decision_uid,
        closes=trade.closes_uid,
        occurred_at=iso(trade.occurred_at),
        is_new=is_new,
        provenance=Provenance(trade.session_id, group, "agent", iso(trade.known_at)),
    )


def filled(trade: "UserTrade") -> UserFill:
    """Return a trade of the user as an agent sees it."""
    profit = trade.realized_pnl
    return UserFill(
        id=trade.id,
        source=trade.source,
        at=iso(trade.at),
        account=shown_name(trade.account),
        venue=shown_name(trade.venue),
        symbol=shown_name(trade.symbol),
        group=trade.group,
        side=trade.side,
        effect=trade.effect,
        direction=trade.direction,
        size_usd=_usd(trade.size_micro_usd),
        price=plain(trade.price),
        quote=shown_name(trade.quote),
        realized_pnl=None if profit is None else plain(profit),
    )


def profiled(profile: "TradingProfile") -> UserTradingProfile:
    """Return the trading profile as an agent sees it."""
    return UserTradingProfile(
        days=profile.days,
        until=iso(profile.until),
        perps=_activity(profile.perps),
        spot=_activity(profile.spot),
        other=_activity(profile.other),
    )


def _activity(activity: "TradingActivity") -> UserActivity:
    last = activity.last_traded_at
    return UserActivity(
        round_trips=activity.trips,
        won=activity.trips_won,
        net_usd=exact_usd(activity.trips_net_micro_usd),
        incomplete=activity.trips_incomplete,
        not_in_net=list(activity.not_in_net),
        trades=activity.trade_count,
        recorded=activity.recorded_count,
        top_symbols=[
            UserSymbol(shown_name(top.symbol), top.count, exact_usd(top.volume_micro_usd))
            for top in activity.top_symbols
        ],
        long_trades=activity.long_count,
        short_trades=activity.short_count,
        realized_pnl_usd=_usd(activity.realized_pnl_micro_usd),
        win_rate_fills=activity.win_rate_fills,
        closing_fills=activity.closing_fills,
        average_trade_size_usd=_usd(activity.average_trade_size_micro_usd),
        last_traded_at=None if last is None else iso(last),
    )


def _usd(micro_usd: int | None) -> str | None:
    return None if micro_usd is None else exact_usd(micro_usd)
