"""The trading profile: what all trips came to, and what those of the last days did."""

from datetime import tzinfo

from afterword.pipeline.domain.trades.profile import TradingProfile
from afterword.pipeline.views.blocks import Block, Fields, Paragraph, Section, View
from afterword.pipeline.views.numbers import NONE, count, percent, usd
from afterword.pipeline.views.trades.statistics import statistics_fields, total_words
from afterword.pipeline.views.words import moment


def trading_profile_view(one: TradingProfile, zone: tzinfo) -> View:
    """Return what all trips came to, and what the fills and trips of the last days did.

    Args:
        zone: that dates are told in.
    """
    last = Section(f"The last {one.days} days", [_last_days(one)])
    return View([*_all(one, zone), last], is_prose=True)


def _all(one: TradingProfile, zone: tzinfo) -> list[Block]:
    if one.first_closed_at is None or one.last_closed_at is None:
        return [Paragraph("No complete round trip is kept.")]
    first, last = (at.astimezone(zone) for at in (one.first_closed_at, one.last_closed_at))
    said = f"All trades that are kept, closed from {first:%Y-%m-%d} to {last:%Y-%m-%d} ({zone})"
    sums = [
        Section("", [Paragraph(total_words(sums)), Fields(statistics_fields(sums, numbers, zone))])
        for sums, numbers in zip(one.sums, one.statistics, strict=True)
    ]
    return [Paragraph(said), *sums]


def _last_days(one: TradingProfile) -> Block:
    if not one.trade_count and not one.trips:
        what = "No round trip closed, and no fill of a perpetual or future is known"
        return Paragraph(f"{what}; older trades: `afterword trades ls`")
    top = ", ".join(
        f"{each.symbol} ({count(each.count, 'fill')}, {usd(each.volume_micro_usd)})"
        for each in one.top_symbols
    )
    won = percent(one.trips_won / one.trips) if one.trips else NONE
    return Fields(
        {
            "round trips": f"{one.trips:,}, {one.trips_won:,} won ({won}), net "
            f"{usd(one.trips_net_micro_usd)} of those in dollars",
            "incomplete": f"{one.trips_incomplete:,} more, not counted",
            "not in the net": ", ".join(each.replace("_", " ") for each in one.not_in_net) or NONE,
            "fills": f"{one.trade_count:,}, of perpetuals and futures; so are the lines below",
            "most traded": top or NONE,
            "longs, shorts": f"{count(one.long_count, 'fill')}, {count(one.short_count, 'fill')}",
            "profit": f"{usd(one.realized_pnl_micro_usd)} as the venue states it, before fees",
            "fills that won": f"{percent(one.win_rate_fills)} of {one.closing_fills:,} that closed",
            "average size": f"{usd(one.average_trade_size_micro_usd)} a fill",
            "last fill": NONE if one.last_traded_at is None else moment(one.last_traded_at),
        }
    )
