"""Sentences about positions that are still open: they are in no result."""

from afterword.pipeline.domain.trades.model import OpenSums, QuoteSums, TradesReport
from afterword.pipeline.domain.trades.text import units_text
from afterword.pipeline.operations.learn.report import LearnReport
from afterword.pipeline.views.numbers import count, money


def open_words(report: LearnReport) -> list[str]:
    """Return what is still open, what it cost, and what it is worth as far as prices tell it."""
    return [
        line
        for one in report.trades.open_sums
        for line in (_cost(one), _worth(one, report), _dark(one))
        if line
    ]


def unpraised_words(trades: TradesReport) -> list[str]:
    """Return why the book is not named, although it earned more than chance explains."""
    if trades.book is None or not trades.unpraised_for:
        return []
    nets = {one.quote: one for one in trades.sums}
    why = "; ".join(
        _reason(one, nets.get(one.quote))
        for one in trades.open_sums
        if one.quote in trades.unpraised_for
    )
    book = trades.book
    score = units_text(book.score, book.low, book.high, book.unit)
    return [
        f"Not named: all your trades together. Their {score} each differs from zero by more than "
        f"chance, but positions are still open: {why}. Who closes winners and keeps losers open "
        "looks the same."
    ]


def _cost(one: OpenSums) -> str:
    many = one.positions > 1
    of = count(one.positions, f"position in {one.quote}", f"positions in {one.quote}")
    are, they = ("are", "They") if many else ("is", "It")
    cost = money(one.cost, one.quote, is_signed=False)
    if not one.entry_unknown:
        return f"{of} {are} still open. {they} cost {cost} and {are} in no result."
    said = f"{of} {are} still open and in no result."
    if one.entry_unknown == one.positions:
        return f"{said} What {they.lower()} cost is not known: the files lack the first fills."
    return (
        f"{said} Of {one.entry_unknown:,} the files lack the first fills; the others cost {cost}."
    )


def _worth(one: OpenSums, report: LearnReport) -> str:
    """Return what those with a price are worth, and the net of the account with them."""
    if one.result is None or one.priced_at is None:
        return ""
    priced = one.positions - one.unpriced
    if one.unpriced:
        who, are = f"{priced:,} of them", "are" if priced > 1 else "is"
    else:
        who, are = ("they", "are") if priced > 1 else ("it", "is")
    then = f"{one.priced_at.astimezone(report.told_in):%Y-%m-%d %H:%M} {report.zone}"
    at = f"prices (the oldest of {then})" if priced > 1 else f"price ({then})"
    beside = ""
    if one.net_with is not None:
        beside = f" The net with that would be {money(one.net_with, one.quote)}."
    return (
        f"At the last known {at} {who} {are} worth {money(one.worth, one.quote, is_signed=False)}, "
        f"and would come to {money(one.result, one.quote)} if closed there.{beside}"
    )


def _dark(one: OpenSums) -> str:
    """Return that the worth is not known of all, or of those without a price."""
    if not one.unpriced_cost:
        return ""
    if one.unpriced_cost == one.cost:
        who = "they are" if one.positions > 1 else "it is"
    else:
        cost = money(one.unpriced_cost, one.quote, is_signed=False)
        who = f"the others, which cost {cost}, are"
    return (
        f"What {who} worth is not known: no price of the market is near enough to the end. Name a "
        "file of its prices behind the export."
    )


def _reason(one: OpenSums, closed: QuoteSums | None) -> str:
    if one.entry_unknown:
        return f"what {one.entry_unknown:,} in {one.quote} cost is not known"
    lost = money(one.result, one.quote) if one.result is not None and one.result < 0 else ""
    dark = money(one.unpriced_cost, one.quote, is_signed=False) if one.unpriced_cost else ""
    said = [f"they stand at {lost}"] if lost else []
    said += [f"what became of {dark} is not known"] if dark else []
    net = "there is no net" if closed is None else f"the net is {money(closed.net, one.quote)}"
    return f"{' and '.join(said)}, which is more than a quarter of what was earned ({net})"
