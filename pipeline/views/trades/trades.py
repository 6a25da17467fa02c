"""Trades as lines of a table, one trade with everything that is known of it, and what was done."""

from collections.abc import Mapping, Sequence
from typing import Final

from afterword.pipeline.clock import from_millis
from afterword.pipeline.domain.fills.model import OWNED, Fill
from afterword.pipeline.domain.trades.model import TripOutcome
from afterword.pipeline.domain.trades.note_rows import TripNote
from afterword.pipeline.domain.trades.sums import sums_by_quote
from afterword.pipeline.domain.trips.trip import Trip
from afterword.pipeline.operations.learn.kept_trades import MOST_LISTED, KeptTrade, KeptTrades
from afterword.pipeline.views.blocks import (
    Block,
    Fields,
    Paragraph,
    Section,
    Table,
    Verbatim,
    View,
)
from afterword.pipeline.views.cells import Cell, Ref
from afterword.pipeline.views.numbers import (
    NONE,
    count,
    held_words,
    money,
    percent,
    signed_percent,
)
from afterword.pipeline.views.pictures import Curves, LineKind, Panel, Picture
from afterword.pipeline.views.trades.statistics import total_words
from afterword.pipeline.views.trades.words import price, share, short_uid
from afterword.pipeline.views.words import SHOWN_CHARS, duration, moment, printable, shorten

_COLUMNS = (
    *("trade", "market", "side", "opened", "closed", "held", "entry", "exit", "size"),
    *("result", "net", "notes"),
)
_NO_TRADE: Final = "no trade: `afterword learn my-export.csv --keep` stores those of a file"
_SPARE: Final = ("opened", "size", "exit", "entry", "held")
"""Columns that a narrow terminal leaves out; `trades show` has them."""


def trade_list(trades: KeptTrades, *, is_narrowed: bool = True) -> View:
    """Return trades below each other, and what the complete ones came to, by currency.

    Args:
        is_narrowed: whether only trades that fit were asked for.
    """
    outcomes = trades.outcomes
    rows = [_row(one, trades.tags) for one in outcomes]
    complete = [one.trip for one in outcomes if not one.trip.is_incomplete]
    rest = len(outcomes) - len(complete)
    totals = list(map(total_words, sums_by_quote(complete)))
    if rest:
        totals.append(
            f"{count(rest, 'incomplete one')} {'is' if rest == 1 else 'are'} not counted."
        )
    lines = [" ".join(totals)] if totals else []
    if older := trades.fitting - len(outcomes):
        limit = min(trades.fitting, MOST_LISTED)
        lines.append(f"{older:,} older ones are not shown: --limit {limit}")
    table = Table(_COLUMNS, rows, "no trade fits" if is_narrowed else _NO_TRADE, _SPARE)
    return View([table, *map(Paragraph, lines)])


def trade_details(trade: KeptTrade) -> View:
    """Return what is known of one trade, with its fills."""
    facts = _facts(trade.outcome, trade.tags)
    blocks: list[Block] = [Fields({name: said for name, said in facts.items() if said != NONE})]
    if trade.note is not None:
        blocks.append(Section("Note", note_blocks(trade.note)))
    blocks += _path(trade)
    blocks += _belongings(trade)
    if trade.fills:
        blocks.append(Section("", [_fills(trade.fills)]))
    if _is_turned(trade.outcome.trip, trade.fills):
        words = "A fill that turned the position belongs to two trades; both list it whole."
        blocks.append(Paragraph(words))
    return View(blocks)


def _path(trade: KeptTrade) -> list[Block]:
    """Return the path of the price while a trade was open, in percent of that at its entry."""
    if trade.path is None:
        return []
    closes = [(at, 100 * move) for at, move in trade.path.closes]
    last = closes[-1][1] / 100
    lowest, highest = (pick(move for _, move in closes) / 100 for pick in (min, max))
    words = (
        f"The price moved {signed_percent(last, 2)} while the trade was open, between "
        f"{signed_percent(lowest, 2)} and {signed_percent(highest, 2)}"
    )
    bars = f"bars of {duration(trade.path.interval_s)} from {trade.path.source}"
    panel = Panel([("own", closes)], words, f"{words}; {bars}.")
    legend: dict[LineKind, str] = {"own": "price since the entry, whatever the side"}
    return [Picture(Curves([panel], closes[0][0], closes[-1][0], "%", legend))]


def _belongings(trade: KeptTrade) -> list[Block]:
    """Return the decisions of a trade, and the memory that tells of it."""
    blocks: list[Block] = []
    if trade.decisions:
        rows: list[list[Cell]] = [
            [
                Ref(str(decision.id), "decision", str(decision.id)),
                decision.role_id,
                moment(decision.decided_at),
                shorten(decision.decision, SHOWN_CHARS),
            ]
            for decision in trade.decisions
        ]
        blocks.append(Section("Decisions", [Table(("id", "role", "decided", "text"), rows)]))
    if trade.memory_id is not None:
        number = str(trade.memory_id)
        blocks.append(Fields({"remembered as": Ref(f"memory {number}", "memory", number)}))
    return blocks


def note_blocks(note: TripNote) -> list[Block]:
    """Return what the owner wrote of a trade, and whether it reads like an order."""
    written = f"Written {moment(note.known_at)}, as note {note.id}."
    if note.families:
        written += f" It reads like an order to the agent ({', '.join(note.families)}); no prompt "
        written += "shows it."
    return [
        Verbatim("\n".join(map(printable, note.note.splitlines()))),
        Paragraph(written, "quiet"),
    ]


def trade_done(trip: Trip, done: str) -> View:
    """Return what was done to a trade, such as `tagged breakout`."""
    name = f"{short_uid(trip.trip_uid)} {trip.symbol} {trip.direction}"
    return View([Paragraph(f"{name}: {done}")])


def trade_recorded(uid: str, *, is_new: bool) -> View:
    """Return that a trade is recorded, which its owner or an agent told."""
    return View([Paragraph(f"trade {uid} is recorded{'' if is_new else ', as before'}")])


def trade_brought(uid: str, realised_usd: str | None) -> View:
    """Return what a recorded trade brought."""
    return View([Paragraph(f"trade {uid} brought {realised_usd} USD")])


def _row(outcome: TripOutcome, tags: Mapping[str, Sequence[str]]) -> list[Cell]:
    trip = outcome.trip
    return [
        trip_ref(trip),
        trip.symbol,
        trip.direction,
        NONE if trip.opened_at is None else moment(trip.opened_at),
        moment(trip.closed_at),
        held_words(outcome.held_us),
        price(trip.entry_px),
        price(trip.exit_px),
        price(trip.size),
        signed_percent(share(outcome.result_ppb), 2),
        money(trip.net, trip.quote),
        trip_remarks(trip, tags.get(trip.trip_uid, ())),
    ]


def trip_ref(trip: Trip) -> Ref:
    """Return the short name of a trade, which leads to its page."""
    return Ref(short_uid(trip.trip_uid), "trade", trip.trip_uid)


def trip_remarks(trip: Trip, tags: Sequence[str]) -> str:
    """Return what is odd about a trade, and its tags."""
    odd = [
        *(("incomplete",) if trip.is_incomplete else ()),
        *(("liquidated",) if trip.is_liquidated else ()),
        *(flag.replace("_", " ") for flag in trip.flags),
    ]
    return ", ".join(dict.fromkeys([*odd, *tags]))


def _facts(outcome: TripOutcome, tags: Sequence[str]) -> dict[str, str]:
    trip = outcome.trip
    other = ", ".join(money(amount, token, is_signed=False) for token, amount in trip.other_fees)
    return {
        "trade": trip.trip_uid,
        "market": f"{trip.symbol} ({trip.kind}) at {trip.venue}, account {trip.account}",
        "side": trip.direction,
        "opened": NONE if trip.opened_at is None else moment(trip.opened_at),
        "closed": moment(trip.closed_at),
        "held": held_words(outcome.held_us),
        "entry": price(trip.entry_px),
        "exit": price(trip.exit_px),
        "size": price(trip.size),
        "first order": money(outcome.put_in, trip.quote, is_signed=False),
        "all entries": money(trip.notional, trip.quote, is_signed=False),
        "gross": money(trip.gross, trip.quote),
        "fees": money(trip.fees, trip.quote, is_signed=False),
        "other fees": other or NONE,
        "funding": money(trip.funding, trip.quote),
        "net": money(trip.net, trip.quote),
        "result": f"{signed_percent(share(outcome.result_ppb), 2)} of the first order"
        if outcome.result_ppb is not None
        else NONE,
        "went against": _reach(outcome.mae_sure_ppb, outcome.mae_possible_ppb),
        "in favour": _reach(outcome.mfe_sure_ppb, outcome.mfe_possible_ppb),
        "exit took": _taken(outcome),
        "trend before": NONE
        if outcome.trend is None
        else f"{outcome.trend} ({_move(outcome.trend_ppb)})",
        "market moved": NONE
        if outcome.market_symbol is None
        else f"{_move(outcome.market_ppb)} ({outcome.market_symbol})",
        "beyond market": _move(outcome.residual_ppb),
        "notes": trip_remarks(trip, tags) or NONE,
        "unknown": "; ".join(dict.fromkeys(each.why for each in outcome.unknown)) or NONE,
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


def _taken(outcome: TripOutcome) -> str:
    if outcome.efficiency is None or outcome.efficiency < 0:
        return NONE
    return f"{percent(outcome.efficiency)} of the best move"


def _fills(fills: Sequence[Fill]) -> Table:
    columns = ("time", "side", "size", "price", "fee", "profit", "order")
    rows: list[list[Cell]] = [
        [
            moment(from_millis(fill.time_ms)),
            "buy" if fill.side == "B" else "sell",
            price(fill.sz),
            price(fill.px),
            money(fill.fee, fill.fee_token or fill.quote, is_signed=False),
            money(fill.closed_pnl, fill.quote),
            fill.oid or NONE,
        ]
        for fill in fills
    ]
    return Table(columns, rows)


def _is_turned(trip: Trip, fills: Sequence[Fill]) -> bool:
    """Return whether a fill of a trade closed it and opened the next one."""
    is_whole = not trip.is_incomplete and trip.kind not in OWNED
    return is_whole and sum(fill.move for fill in fills) != 0
