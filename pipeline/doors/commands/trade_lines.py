"""Trades as lines of a table, and one trade with everything that is known of it."""

from collections.abc import Mapping, Sequence
from datetime import tzinfo
from typing import Final

from afterword.pipeline.clock import from_millis
from afterword.pipeline.domain.history.fill import Fill
from afterword.pipeline.domain.trades.model import TripOutcome
from afterword.pipeline.domain.trades.profile import TradingProfile
from afterword.pipeline.domain.trades.sums import sums_by_quote
from afterword.pipeline.doors.cli.output import Cell, print_fields, print_line, print_table
from afterword.pipeline.doors.cli.sentences import print_named_sentences
from afterword.pipeline.views.numbers import (
    NONE,
    count,
    held_words,
    money,
    percent,
    signed_percent,
    usd,
)
from afterword.pipeline.views.trades_statistics import statistics_fields, total_words
from afterword.pipeline.views.trades_words import price, share, short_uid
from afterword.pipeline.views.words import moment

_COLUMNS = (
    *("trade", "market", "side", "opened", "closed", "held", "entry", "exit", "size"),
    *("result", "net", "notes"),
)
_SPARE: Final = ("opened", "size", "exit", "entry", "held")
"""Columns that a narrow terminal leaves out; `trades show` has them."""


def print_trips(
    outcomes: Sequence[TripOutcome],
    tags: Mapping[str, Sequence[str]] | None = None,
    empty: str = "no trade",
) -> None:
    """Print trades below each other, and what the complete ones came to, by currency."""
    print_table(_COLUMNS, [_row(one, tags or {}) for one in outcomes], empty, _SPARE)
    complete = [one.trip for one in outcomes if not one.trip.is_incomplete]
    rest = len(outcomes) - len(complete)
    said = list(map(total_words, sums_by_quote(complete)))
    if rest:
        said.append(f"{count(rest, 'incomplete one')} {'is' if rest == 1 else 'are'} not counted.")
    if said:
        print_line(" ".join(said))


def print_trip(one: TripOutcome, tags: Sequence[str]) -> None:
    """Print what is known of one trade."""
    print_fields({name: value for name, value in _facts(one, tags).items() if value != NONE})


def _row(one: TripOutcome, tags: Mapping[str, Sequence[str]]) -> list[Cell]:
    trip = one.trip
    return [
        short_uid(trip.trip_uid),
        trip.symbol,
        trip.direction,
        NONE if trip.opened_at is None else moment(trip.opened_at),
        moment(trip.closed_at),
        held_words(one.held_us),
        price(trip.entry_px),
        price(trip.exit_px),
        price(trip.size),
        signed_percent(share(one.result_ppb), 2),
        money(trip.net, trip.quote),
        ", ".join(notes(one, tags.get(trip.trip_uid, ()))),
    ]


def notes(one: TripOutcome, tags: Sequence[str]) -> list[str]:
    """Return what is odd about a trade, and its tags."""
    trip = one.trip
    odd = [
        *(("incomplete",) if trip.is_incomplete else ()),
        *(("liquidated",) if trip.is_liquidated else ()),
        *(flag.replace("_", " ") for flag in trip.flags),
    ]
    return list(dict.fromkeys([*odd, *tags]))


def _facts(one: TripOutcome, tags: Sequence[str]) -> dict[str, Cell]:
    trip = one.trip
    other = ", ".join(money(amount, token, is_signed=False) for token, amount in trip.other_fees)
    return {
        "trade": trip.trip_uid,
        "market": f"{trip.symbol} ({trip.kind}) at {trip.venue}, account {trip.account}",
        "side": trip.direction,
        "opened": NONE if trip.opened_at is None else moment(trip.opened_at),
        "closed": moment(trip.closed_at),
        "held": held_words(one.held_us),
        "entry": price(trip.entry_px),
        "exit": price(trip.exit_px),
        "size": price(trip.size),
        "first order": money(one.put_in, trip.quote, is_signed=False),
        "all entries": money(trip.notional, trip.quote, is_signed=False),
        "gross": money(trip.gross, trip.quote),
        "fees": money(trip.fees, trip.quote, is_signed=False),
        "other fees": other or NONE,
        "funding": money(trip.funding, trip.quote),
        "net": money(trip.net, trip.quote),
        "result": f"{signed_percent(share(one.result_ppb), 2)} of the first order"
        if one.result_ppb is not None
        else NONE,
        "went against": _reach(one.mae_sure_ppb, one.mae_possible_ppb),
        "in favour": _reach(one.mfe_sure_ppb, one.mfe_possible_ppb),
        "exit took": _taken(one),
        "trend before": NONE if one.trend is None else f"{one.trend} ({_move(one.trend_ppb)})",
        "market moved": NONE
        if one.market_symbol is None
        else f"{_move(one.market_ppb)} ({one.market_symbol})",
        "beyond market": _move(one.residual_ppb),
        "notes": ", ".join(notes(one, tags)) or NONE,
        "unknown": "; ".join(dict.fromkeys(each.why for each in one.unknown)) or NONE,
    }


def _move(ppb: int | None) -> str:
    return signed_percent(share(ppb), 2)


def _reach(sure: int | None, possible: int | None) -> str:
    """Return how far the price went: surely, and possibly by the bars at the ends."""
    if sure is None:
        return NONE
    if possible is None or possible == sure:
        return _move(sure)
    return f"{_move(sure)}, possibly {_move(possible)}"


def _taken(one: TripOutcome) -> str:
    if one.efficiency is None or one.efficiency < 0:
        return NONE
    return f"{percent(one.efficiency)} of the best move"


def print_fills(fills: Sequence[Fill]) -> None:
    """Print the fills of a trade, oldest first."""
    columns = ("time", "side", "size", "price", "fee", "profit", "order")
    rows: list[list[Cell]] = [
        [
            moment(from_millis(one.time_ms)),
            "buy" if one.side == "B" else "sell",
            price(one.sz),
            price(one.px),
            money(one.fee, one.fee_token or one.quote, is_signed=False),
            money(one.closed_pnl, one.quote),
            one.oid or NONE,
        ]
        for one in fills
    ]
    print_table(columns, rows)


def print_profile(one: TradingProfile, zone: tzinfo) -> None:
    """Print what all trips came to, and what the fills and trips of the last days did."""
    _print_all(one, zone)
    print_line("")
    print_line(f"The last {one.days} days")
    if not one.trade_count and not one.trips:
        what = "No round trip closed, and no fill of a perpetual or future is known"
        print_line(f"  {what}; older trades: `afterword trades ls`")
        return
    top = ", ".join(
        f"{each.symbol} ({count(each.count, 'fill')}, {usd(each.volume_micro_usd)})"
        for each in one.top_symbols
    )
    won = percent(one.trips_won / one.trips) if one.trips else NONE
    print_named_sentences(
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


def _print_all(one: TradingProfile, zone: tzinfo) -> None:
    if one.first_closed_at is None or one.last_closed_at is None:
        print_line("No complete round trip is kept.")
        return
    first, last = (at.astimezone(zone) for at in (one.first_closed_at, one.last_closed_at))
    print_line(
        f"All trades that are kept, closed from {first:%Y-%m-%d} to {last:%Y-%m-%d} ({zone})"
    )
    for sums, statistics in zip(one.sums, one.statistics, strict=True):
        print_line("")
        print_line(total_words(sums))
        print_named_sentences(statistics_fields(sums, statistics, zone))
