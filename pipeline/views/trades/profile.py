"""What all trips came to, the trading profile of the last days, and the trades of one asset."""

from collections.abc import Sequence
from datetime import tzinfo
from typing import Final

from afterword.pipeline.domain.trades.profile import TradingActivity, TradingProfile
from afterword.pipeline.domain.trades.totals import TradeTotals
from afterword.pipeline.domain.trades.user_trades import UserTrade
from afterword.pipeline.rules.market.decimals import plain
from afterword.pipeline.views.blocks import Block, Fields, Paragraph, Section, Table, View
from afterword.pipeline.views.cells import Cell
from afterword.pipeline.views.numbers import NONE, count, percent, usd
from afterword.pipeline.views.trades.statistics import kind_words, statistics_fields, total_words
from afterword.pipeline.views.words import moment

_COLUMNS: Final = (
    *("time", "account", "market", "side", "what", "size", "price", "profit", "source", "id"),
)
_SPARE: Final = ("source", "id", "account")


def trade_totals_view(totals: TradeTotals, zone: tzinfo) -> View:
    """Return what all trips came to.

    Args:
        zone: that dates are told in.
    """
    if totals.first_closed_at is None or totals.last_closed_at is None:
        return View([Paragraph("No complete round trip is kept.")], is_prose=True)
    first, last = (at.astimezone(zone) for at in (totals.first_closed_at, totals.last_closed_at))
    lead = f"All trades that are kept, closed from {first:%Y-%m-%d} to {last:%Y-%m-%d} ({zone})"
    sums = [
        Section("", [Paragraph(total_words(sums)), Fields(statistics_fields(sums, numbers, zone))])
        for sums, numbers in zip(totals.sums, totals.statistics, strict=True)
    ]
    kinds = map(Paragraph, kind_words(totals.kinds))
    return View([Paragraph(lead), *sums, *kinds], is_prose=True)


def trading_profile_view(profile: TradingProfile) -> View:
    """Return what was traded in the last days, by group of markets; nothing of an empty one."""
    titles = {
        "Perpetuals and futures": profile.perps,
        "Spot": profile.spot,
        "Other markets": profile.other,
    }
    groups: list[Block] = [
        Section(title, [_fields(activity)])
        for title, activity in titles.items()
        if activity.trade_count or activity.trips or activity.trips_incomplete
    ]
    days = "the last day" if profile.days == 1 else f"the last {profile.days:,} days"
    if not groups:
        older = "Older trades: `afterword trades ls`"
        return View([Paragraph(f"No trade of {days} is known. {older}")], is_prose=True)
    return View([Paragraph(f"Your trades of {days}"), *groups], is_prose=True)


def user_trade_list(trades: Sequence[UserTrade], limit: int) -> View:
    """Return trades of one asset, and how to see older ones.

    Args:
        limit: how many were asked for at most.
    """
    table = Table(_COLUMNS, list(map(_row, trades)), "no trade of it is known", _SPARE)
    if len(trades) < limit:
        return View([table])
    return View([table, Paragraph(f"Older ones: --after {trades[-1].id}")])


def _fields(activity: TradingActivity) -> Fields:
    top = ", ".join(
        f"{each.symbol} ({count(each.count, 'trade')}, {usd(each.volume_micro_usd)})"
        for each in activity.top_symbols
    )
    won = percent(activity.trips_won / activity.trips) if activity.trips else NONE
    trips = f"{activity.trips:,}, {activity.trips_won:,} won ({won}), net "
    trips += f"{usd(activity.trips_net_micro_usd)} after fees and funding, of those in dollars"
    last = activity.last_traded_at
    fields = {
        "round trips": trips,
        "only recorded": f"{activity.trips_recorded:,} of them, as an agent says what they brought",
        "incomplete": f"{activity.trips_incomplete:,} more, not counted",
        "not in the net": ", ".join(each.replace("_", " ") for each in activity.not_in_net),
        "trades": f"{activity.trade_count:,}, {activity.recorded_count:,} of them recorded by an "
        "agent, without a known fill",
        "most traded": top,
        "longs, shorts": f"{count(activity.long_count, 'trade')}, "
        f"{count(activity.short_count, 'trade')}",
        "profit": f"{usd(activity.realized_pnl_micro_usd)} as the venue states it, before fees",
        "fills that won": f"{percent(activity.win_rate_fills)} of {activity.closing_fills:,} "
        "that closed; fees are not in it",
        "average size": f"{usd(activity.average_trade_size_micro_usd)} a trade",
        "last trade": "" if last is None else moment(last),
    }
    if not activity.trips_recorded:
        del fields["only recorded"]
    if not activity.trips_incomplete:
        del fields["incomplete"]
    if not activity.recorded_count:
        fields["trades"] = f"{activity.trade_count:,}"
    return Fields({name: words or NONE for name, words in fields.items()})


def _row(trade: UserTrade) -> list[Cell]:
    what = " ".join(filter(None, (trade.effect, trade.direction))) or NONE
    profit = trade.realized_pnl
    return [
        moment(trade.at),
        trade.account,
        trade.symbol,
        trade.side,
        what,
        usd(trade.size_micro_usd),
        f"{plain(trade.price)} {trade.quote}",
        NONE if profit is None else f"{plain(profit)} {trade.quote}",
        trade.source,
        trade.id,
    ]
