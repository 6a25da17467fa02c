"""Sentences about trades; only what can be told apart from chance gets strong words."""

import shlex
from collections.abc import Iterable, Sequence
from datetime import tzinfo
from decimal import Decimal
from typing import Final

from afterword.pipeline.domain.exports.mapped import MAPPED_VENUE as UNNAMED
from afterword.pipeline.domain.trades.local import local_time
from afterword.pipeline.domain.trades.model import Cell, Mistake, MistakeRule, TradesReport, Unit
from afterword.pipeline.domain.trades.sums import sums_by_kind
from afterword.pipeline.domain.trades.sums_model import QuoteSums
from afterword.pipeline.domain.trades.text import before_text, cell_name, units_text
from afterword.pipeline.domain.trips.trip import Trip
from afterword.pipeline.operations.learn.report import FileLine, LearnReport, PriceGap, UnreadLine
from afterword.pipeline.rules.evidence.habits import FEWEST_TRIPS
from afterword.pipeline.rules.text.numbers import signed_dollars
from afterword.pipeline.views.numbers import NONE, count, money, percent
from afterword.pipeline.views.trades.statistics import kind_words, statistics_fields, total_words

_MOST_GAPS: Final = 8
"""Markets that a sentence names."""

FEW_STRETCHES: Final = 200
"""Stretches below which little is found: a difference of half a usual move in 23 % of accounts."""

_RULES: Final[dict[MistakeRule, str]] = {
    "larger_re_entry": "{} entered within 15 minutes of a loss took more money than the losing "
    "trip",
    "added_to_loser": "In {} you made the position larger while it was losing",
    "fees_took_profit": "{} that paid fees had a profit before them and none after them",
}
"""What broke a rule, about `2 of 9 trips`."""

_REASONS: Final = {
    "too_few_results": "without prices, 10 results at least are needed to know their usual size",
    "no_entry": "no price at its entry, or what was put in is not known",
    "no_entry_time": "no file says when it was opened",
    "no_exit": "prices are missing while it was open",
    "no_series": "no prices of its market",
    "no_volatility": "too few prices before it to know the usual move of its market",
}
"""Reasons of `Coverage.reasons`."""

_HEADINGS: Final = {
    "asset": "by asset",
    "class": "by class of assets",
    "direction": "longs and shorts",
    "hour": "by hour of the entry",
    "weekday": "by weekday of the entry",
    "trend": "by the price move before the entry",
    "setup": "by direction and the price move before",
    "volatility": "by how much the market usually moved then",
    "account": "by account",
    "venue": "by venue",
    "size": "by size",
    "re-entry": "trades after a loss: quick and slow ones",
    "after": "by the result before",
    "losses before": "by losses in a row before",
    "held": "by how long they were held",
}

_VALUES: Final = (
    *("long", "short", "small", "usual", "large", "low", "middle", "high", "quick", "slow"),
    *("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    *("after a fall", "after no clear move", "after a rise"),
    *("to 15 min", "to 1 h", "to 4 h", "to 1 day", "to 1 week", "longer than 1 week"),
)
"""Parts of a cut in the order of their meaning; others stand by their words."""

_BY_MONEY: Final = frozenset({"asset", "class", "account", "venue", "setup", "direction"})
"""Cuts whose parts have no order of their own: the largest net, won or lost, stands first."""

_ZONED: Final = frozenset({"hour", "weekday"})
"""Cuts that depend on the zone they are told in."""

_UNIT_SHARES: Final[dict[Unit, str]] = {
    "hourly_move": "Their markets usually moved {} in an hour",
    "own_result": "Your results there were usually {} in size",
}
"""How much one unit of a difference was."""


def title_words(report: LearnReport) -> str:
    """Return whose trades these are and when they were closed."""
    zone = report.told_in
    then = ""
    if report.as_of is not None:
        at = report.as_of.astimezone(zone)
        then = f", as it was known at {at:%Y-%m-%d %H:%M} {report.zone}"
    if not report.outcomes:
        if report.files and all(one.holds == "prices" for one in report.files):
            return "The files hold prices only: name an export of trades beside them."
        fills = sum(one.fills for one in report.files)
        held = f": the files hold {count(fills, 'fill')}, but" if fills else ":"
        return (
            f"No round trip was found{held} no position was both opened and closed in them{then}."
            if report.files
            else f"No round trip is stored{then}."
        )
    first, last = (trip_day(report.outcomes[place].trip, zone) for place in (0, -1))
    days = f"on {first}" if first == last else f"from {first} to {last}"
    venues = ", ".join("an unnamed venue" if one == UNNAMED else one for one in report.venues)
    return f"Trades at {venues}, closed {days} (dates in {report.zone}){then}"


def headline_words(report: LearnReport) -> list[str]:
    """Return what the trades came to after all costs, by currency, and how many fills won."""
    sums = report.trades.sums
    if not report.outcomes:
        return []
    if not sums:
        return ["No complete round trip: nothing can be said about what these trades earned."]
    kinds = kind_words(sums_by_kind(outcome.trip for outcome in report.complete))
    return [*map(total_words, sums), *kinds, *_by_fill(report)]


def statistics_parts(report: LearnReport) -> dict[str, dict[str, str]]:
    """Return the statistics of each currency, by their heading."""
    trades, zone = report.trades, report.told_in
    return {
        f"In numbers, {sums.quote}": statistics_fields(sums, statistics, zone)
        for sums, statistics in zip(trades.sums, trades.statistics, strict=True)
    }


def headline_remarks(report: LearnReport) -> list[str]:
    """Return what the words of the headline mean, and what it leaves out."""
    if not report.outcomes:
        return []
    remarks = [
        "A round trip is one position from its first fill to its last, however many fills it took. "
        "The net is what is left after fees and funding, as far as the files know them."
    ]
    for sums in report.trades.sums:
        remarks += _unknown_costs(report, sums)
    if _is_funding_missing(report):
        rows = sum((one.left_out or {}).get("funding", 0) for one in report.files)
        left = f": {count(rows, 'row')} of it {_was_were(rows)} left out" if rows else ""
        remarks.append(f"The net is without funding{left}.")
    lacking = sum(one.trips for one in report.trades.incomplete_sums)
    if lacking:
        known = ", ".join(money(one.net, one.quote) for one in report.trades.incomplete_sums)
        more = "more " if report.trades.sums else ""
        they, them = ("It is", "it") if lacking == 1 else ("They are", "them")
        remarks.append(
            f"{count(lacking, f'{more}round trip')} {_is_are(lacking)} incomplete: the files lack "
            f"fills of {them}. {they} counted nowhere else in this report; what is known of "
            f"{them} comes to {known}."
        )
        if report.trades.sums and _by_fill(report):
            its = "Its" if lacking == 1 else "Their"
            remarks[-1] += f" {its} closing fills are in the count above."
    return remarks


def enough_words(trades: TradesReport) -> str:
    """Return whether there are enough trades to say anything; empty where there are."""
    if trades.stretches >= FEW_STRETCHES:
        return ""
    if trades.stretches == 0:
        return "Too few to say anything: no round trip can be compared with others."
    return (
        f"Too few to say about most things: {count(trades.stretches, 'separate trade')} (those of "
        f"one market and direction that overlap count once). Below {FEW_STRETCHES}, even a large "
        "difference usually cannot be told apart from chance."
    )


def tried_words(trades: TradesReport, zone: tzinfo) -> str:
    """Return how many comparisons were made, and how often chance alone would name one.

    Args:
        zone: that dates are told in.
    """
    if trades.next_at_stretches is not None and trades.judged_at is None:
        return (
            f"No verdict yet: a kept account is judged from {trades.next_at_stretches:,} separate "
            f"trades on; it has {trades.stretches:,}."
        )
    if not trades.tried:
        return (
            f"Nothing was compared: a part of your trades needs {FEWEST_TRIPS} separate ones, and "
            f"{FEWEST_TRIPS} others beside them."
        )
    one_in = round(1 / trades.level)
    tried = (
        f"{count(trades.tried, 'comparison')} {_was_were(trades.tried)} made, such as one market "
        "with the others."
    )
    if trades.judged_at is None or trades.next_at_stretches is None:
        return f"{tried} By luck alone 1 report in {one_in} shows any difference here."
    return (
        f"{tried} By luck alone 1 verdict in {one_in} shows any difference. This one was made on "
        f"{trades.judged_at.astimezone(zone):%Y-%m-%d} from {trades.judged_stretches:,} separate "
        f"trades; the next one comes at {trades.next_at_stretches:,}, when they have grown by half."
    )


def named_words(trades: TradesReport) -> list[str]:
    """Return a sentence for each cell that is named, or that none is."""
    names = [f"Named: {named_cell(one)}" for one in trades.named]
    book = trades.book
    if book is not None and book.is_named:
        score = units_text(book.score, book.low, book.high, book.unit)
        names.append(
            f"Named: all your trades together. After costs, {count(book.n_eff, 'separate trade')} "
            f"came out {score} each, which differs from zero by more than chance."
        )
    is_judged = trades.judged_at is not None or trades.next_at_stretches is None
    return names or ["Nothing differs by more than chance."] * (is_judged and trades.tried > 0)


def named_cell(cell: Cell) -> str:
    """Return a named cell as sentences: how much, how sure, and what it comes to in money.

    Only the difference that is tested is told. One in per cent could have the other sign: a few
    trades in wild markets can outweigh many in quiet ones.
    """
    difference = units_text(cell.difference or 0.0, cell.low, cell.high, cell.unit)
    words = (
        f"{cell_name(cell.attribute, cell.value)}. {_first_upper(before_text(cell))}, "
        f"{count(cell.trips, 'trip')} came out {difference} each against your others."
    )
    if cell.unit_share:
        words += f" {_UNIT_SHARES[cell.unit].format(percent(cell.unit_share, 2))}"
        if cell.difference_micro_usd is not None:
            words += f": for what was put in, about {signed_dollars(cell.difference_micro_usd)}"
        words += "."
    if cell.gross_micro_usd is not None and cell.net_micro_usd is not None:
        words += (
            f" In money {'it' if cell.trips == 1 else 'they'} made "
            f"{signed_dollars(cell.gross_micro_usd)} before costs, "
            f"{signed_dollars(cell.net_micro_usd)} after them."
        )
    return words


def is_cut(cell: Cell) -> bool:
    """Return whether a cell has trades on its other side, and is not said by another one."""
    return cell.others > 0 and (cell.attribute, cell.value) != ("losses before", "0")


def in_order(cells: Iterable[Cell]) -> list[Cell]:
    """Return cells by what they cut by, those that were tested first, each part in its order."""
    shown = list(cells)
    tested = {one.attribute for one in shown if one.is_tested}
    attributes = [*_HEADINGS]

    def place(cell: Cell) -> tuple[object, ...]:
        known = cell.attribute in attributes
        return (
            cell.attribute not in tested,
            attributes.index(cell.attribute) if known else len(attributes),
            cell.attribute,
            *_order(cell),
            cell.value,
        )

    return sorted(shown, key=place)


def mistakes_in_order(mistakes: Iterable[Mistake]) -> list[Mistake]:
    """Return the rules that trips could have broken: those whose trips came to the most first."""

    def reach(mistake: Mistake) -> Decimal:
        return max((abs(sums.net) for sums in mistake.sums), default=Decimal(-1))

    return sorted((one for one in mistakes if one.of), key=reach, reverse=True)


def zone_words(report: LearnReport, cells: Iterable[Cell]) -> list[str]:
    """Return the zone of hours and weekdays; nothing where none of the cells is about them."""
    if not any(one.attribute in _ZONED for one in cells):
        return []
    why = ": kept trades are always judged in it" if report.hours_zone != report.zone else ""
    return [f"Hours and weekdays are those of the entry, in {report.hours_zone}{why}."]


def attribute_words(attribute: str) -> str:
    """Return what trades are cut by, as a heading."""
    return _HEADINGS.get(attribute, attribute)


def mistake_words(mistake: Mistake) -> str:
    """Return how often a rule was broken and what these trips came to; a count, not a cause."""
    words = _RULES[mistake.rule].format(f"{mistake.trips:,} of {count(mistake.of, 'trip')}")
    if not mistake.trips:
        return f"{words}."
    sums = ", ".join(money(each.net, each.quote) for each in mistake.sums)
    return f"{words}: {'this trip' if mistake.trips == 1 else 'these trips'} made {sums}."


def trip_day(trip: Trip, zone: tzinfo) -> str:
    """Return the day on which a trip closed."""
    return f"{local_time(trip.closed_at, zone, is_day=trip.is_day):%Y-%m-%d}"


def coverage_words(trades: TradesReport) -> list[str]:
    """Return which trips were tested and why others were not."""
    coverage = trades.coverage
    complete = coverage.trips - coverage.incomplete
    words = []
    if complete:
        words.append(
            f"{coverage.tested:,} of {count(complete, 'complete round trip')} could be compared; "
            f"{coverage.with_prices:,} have prices."
        )
    if coverage.basis == "own_results":
        words.append(
            "Each result is compared with the usual size of your own results, because there are "
            "too few prices."
        )
    words += [
        f"{count(number, 'trip')} could not: {_REASONS.get(reason, reason.replace('_', ' '))}."
        for reason, number in coverage.reasons
        if reason != "incomplete"
    ]
    if coverage.untested:
        words.append(
            "Quick and slow trades after a loss were not compared: that needs the prices of the "
            "traded markets and of their leader, which is BTC for coins and SPY for shares."
        )
    return words


def gap_words(gaps: Sequence[PriceGap]) -> list[str]:
    """Return which markets had no prices, and what would bring them."""
    if not gaps:
        return []
    shown = ", ".join(f"{one.symbol} ({count(one.trips, 'trip')})" for one in gaps[:_MOST_GAPS])
    rest = len(gaps) - _MOST_GAPS
    more = f" and {count(rest, 'more market')}" if rest > 0 else ""
    words = [f"No prices, or not enough of them: {shown}{more}."]
    fetched = [one for one in gaps if one.fetched_as][:_MOST_GAPS]
    if fetched:
        names = shlex.join(dict.fromkeys(one.fetched_as for one in fetched))
        since = min(one.since for one in fetched)
        words.append(
            f"`afterword prices fetch {names} --since {since:%Y-%m-%dT%H:%M:%SZ}` asks Hyperliquid "
            "for them; then run this command again. A file of prices does as well."
        )
    else:
        words.append("Name files of prices behind the export: the report can then say more.")
    return words


def how_to_read() -> dict[str, str]:
    """Return what the columns of the list mean, by column."""
    return {
        "separate": "trips of one market and direction that overlap in time count once, because "
        "they share one result",
        "mean": "the result of a trip before costs as a share of what its first order put in, on "
        "average; the median is the middle one. What was added later is not counted, because it "
        "depends on how the trip went. Net is after costs",
        "than others": "how much better the trades of a line came out than all others, before "
        "costs, each measured by what its market usually moves in an hour (moves), or without "
        "prices by the usual size of your results in it (results). Re-entries are measured without "
        "the market's part",
        "95 %": "the differences that the trades of this line allow. Where many lines are "
        "shown, some leave out zero by luck, and the others of a named line differ because it does",
        "market aside": "the mean without what the whole market did in that time",
        "net": "what these trades came to, as in the headline; of trades in dollars",
    }


def file_words(file: FileLine) -> str:
    """Return what was found in a file: `fills.csv: Binance Spot, Trade History: 41 fills`."""
    numbers = {
        "fills": file.fills,
        "closed trades": file.closed_trades,
        "price bars": file.bars,
        "of them stored before": file.known,
    }
    rows = ", ".join(f"{number:,} {name}" for name, number in numbers.items() if number)
    left = ", ".join(f"{why} ({number:,})" for why, number in (file.left_out or {}).items())
    if file.accounts:
        rows += f", account{'s' * (len(file.accounts) > 1)} {', '.join(file.accounts[:3])}"
        rows += ", …" * (len(file.accounts) > 3)
    return f"{file.name}: {file.layout}: {rows or 'nothing'}" + (
        f"; left out: {left}." if left else "."
    )


def unread_words(line: UnreadLine) -> str:
    """Return what could not be used, with examples."""
    examples = f": {'; '.join(line.examples)}" if line.examples else ""
    words = f"{line.count:,} {line.words}{examples}"
    ended = words if words.endswith("?") else f"{words}."
    return f"{ended} {line.remedy}".rstrip()


def short_uid(uid: str) -> str:
    """Return the beginning of the name of a trip, which `afterword trades show` understands."""
    return uid[:12]


def price(number: Decimal | None) -> str:
    """Return a price or a size with eight digits at most: `64,250.5`, `0.00000812`."""
    if number is None:
        return NONE
    written = f"{Decimal(f'{number:.8g}'):,f}"
    return written.rstrip("0").removesuffix(".") if "." in written else written


def share(ppb: int | None) -> float | None:
    """Return parts per billion as a share."""
    return None if ppb is None else ppb / 1e9


def _by_fill(report: LearnReport) -> list[str]:
    fills = report.fill_wins
    if fills is None or fills.rate is None:
        return []
    return [
        f"By closing fill, as venues count: {fills.winning:,} of {fills.closing:,} won "
        f"({percent(fills.rate)}), before fees."
    ]


def _order(cell: Cell) -> tuple[int, int]:
    """Return where a part of a cut stands: by money, or by the order of its meaning."""
    if cell.attribute in _BY_MONEY:
        return -abs(cell.net_micro_usd or 0), -cell.trips
    return _VALUES.index(cell.value) if cell.value in _VALUES else len(_VALUES), 0


def _only_net(report: LearnReport, sums: QuoteSums) -> int:
    """Return how many trips of a currency have a net and nothing else."""
    own = (each.trip for each in report.complete if each.trip.quote == sums.quote)
    return sum(trip.gross is None for trip in own)


def _unknown_costs(report: LearnReport, sums: QuoteSums) -> list[str]:
    words = []
    lacking = _only_net(report, sums)
    if lacking:
        rest = money(sums.net - (sums.gross - sums.fees + sums.funding), sums.quote)
        trips = count(lacking, "round trip")
        words.append(
            f"Of {trips} in {sums.quote} the files say the net only, without gross and fees; "
            f"{'it makes' if lacking == 1 else 'together they make'} {rest}."
        )
    unknown = sums.fees_unknown - lacking
    if unknown > 0:
        trips = count(unknown, "round trip")
        words.append(f"No file says the fees of {trips} in {sums.quote}: the net is without them.")
    if sums.other_fees:
        paid = ", ".join(money(amount, token, is_signed=False) for token, amount in sums.other_fees)
        words.append(f"Fees paid in another currency are not in the net: {paid}.")
    return words


def _is_funding_missing(report: LearnReport) -> bool:
    perps = [one.trip for one in report.complete if one.trip.kind == "perp"]
    return bool(perps) and all(one.funding is None for one in perps)


def _first_upper(words: str) -> str:
    return words[:1].upper() + words[1:]


def _is_are(number: int) -> str:
    return "is" if number == 1 else "are"


def _was_were(number: int) -> str:
    return "was" if number == 1 else "were"
