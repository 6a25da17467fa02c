"""The trading profile: what all trips came to, and what those of the last days did."""

from datetime import tzinfo

from afterword.pipeline.domain.trades.profile import TradingProfile
from afterword.pipeline.views.blocks import Block, Fields, Paragraph, Section, View
from afterword.pipeline.views.numbers import NONE, count, percent, usd
from afterword.pipeline.views.trades.statistics import kind_words, statistics_fields, total_words
from afterword.pipeline.views.words import moment


def trading_profile_view(profile: TradingProfile, zone: tzinfo) -> View:
    """Return what all trips came to, and what the fills and trips of the last days did.

    Args:
        zone: that dates are told in.
    """
    last = Section(f"The last {profile.days} days", [_last_days(profile)])
    return View([*_all(profile, zone), last], is_prose=True)


def _all(profile: TradingProfile, zone: tzinfo) -> list[Block]:
    if profile.first_closed_at is None or profile.last_closed_at is None:
        return [Paragraph("No complete round trip is kept.")]
    first, last = (at.astimezone(zone) for at in (profile.first_closed_at, profile.last_closed_at))
    lead = f"All trades that are kept, closed from {first:%Y-%m-%d} to {last:%Y-%m-%d} ({zone})"
    sums = [
        Section("", [Paragraph(total_words(sums)), Fields(statistics_fields(sums, numbers, zone))])
        for sums, numbers in zip(profile.sums, profile.statistics, strict=True)
    ]
    return [Paragraph(lead), *sums, *map(Paragraph, kind_words(profile.kinds))]


def _last_days(profile: TradingProfile) -> Block:
    if not profile.trade_count and not profile.trips:
        what = "No round trip closed, and no fill of a perpetual or future is known"
        return Paragraph(f"{what}; older trades: `afterword trades ls`")
    top = ", ".join(
        f"{each.symbol} ({count(each.count, 'fill')}, {usd(each.volume_micro_usd)})"
        for each in profile.top_symbols
    )
    won = percent(profile.trips_won / profile.trips) if profile.trips else NONE
    return Fields(
        {
            "round trips": f"{profile.trips:,}, {profile.trips_won:,} won ({won}), net "
            f"{usd(profile.trips_net_micro_usd)} of those in dollars",
            "incomplete": f"{profile.trips_incomplete:,} more, not counted",
            "not in the net": ", ".join(each.replace("_", " ") for each in profile.not_in_net)
            or NONE,
            "fills": f"{profile.trade_count:,}, of perpetuals and futures; so are the lines below",
            "most traded": top or NONE,
            "longs, shorts": f"{count(profile.long_count, 'fill')}, "
            f"{count(profile.short_count, 'fill')}",
            "profit": f"{usd(profile.realized_pnl_micro_usd)} as the venue states it, before fees",
            "fills that won": f"{percent(profile.win_rate_fills)} of {profile.closing_fills:,} "
            "that closed",
            "average size": f"{usd(profile.average_trade_size_micro_usd)} a fill",
            "last fill": NONE if profile.last_traded_at is None else moment(profile.last_traded_at),
        }
    )
