"""Sentences about positions that are still open: they are in no result."""

from afterword.pipeline.domain.trades.model import TradesReport
from afterword.pipeline.domain.trades.sums_model import OpenSums, QuoteSums
from afterword.pipeline.domain.trades.text import units_text
from afterword.pipeline.operations.learn.report import LearnReport
from afterword.pipeline.views.numbers import count, money


def open_words(report: LearnReport) -> list[str]:
    """Return what is still open, what it cost, and what it is worth as far as prices tell it."""
    return [
        line
        for sums in report.trades.open_sums
        for line in (_cost(sums), _realised(sums), _worth(sums, report), _dark(sums))
        if line
    ]


def unpraised_words(trades: TradesReport) -> list[str]:
    """Return why the book is not named, although it earned more than chance explains."""
    if trades.book is None or not trades.unpraised_for:
        return []
    nets = {one.quote: one for one in trades.sums}
    why = "; ".join(
        _reason(sums, nets.get(sums.quote))
        for sums in trades.open_sums
        if sums.quote in trades.unpraised_for
    )
    book = trades.book
    score = units_text(book.score, book.low, book.high, book.unit)
    return [
        f"Not named: all your trades together. Their {score} each differs from zero by more than "
        f"chance, but positions are still open: {why}. Who closes winners and keeps losers open "
        "looks the same."
    ]


def _cost(sums: OpenSums) -> str:
    many = sums.positions > 1
    of = count(sums.positions, f"position in {sums.quote}", f"positions in {sums.quote}")
    are, they = ("are", "They") if many else ("is", "It")
    cost = money(sums.cost, sums.quote, is_signed=False)
    if not sums.entry_unknown:
        return f"{of} {are} still open. {they} cost {cost} and {are} in no result."
    words = f"{of} {are} still open and in no result."
    if sums.entry_unknown == sums.positions:
        return f"{words} What {they.lower()} cost is not known: the files lack the first fills."
    return (
        f"{words} Of {sums.entry_unknown:,} the files lack the first fills; the others cost {cost}."
    )


def _realised(sums: OpenSums) -> str:
    """Return what was closed of positions that are still open; empty if nothing was."""
    if not sums.realised:
        return ""
    them = "them" if sums.positions > 1 else "it"
    amount = money(sums.realised, sums.quote)
    return f"Parts of {them} that were closed brought {amount} before fees; in no result either."


def _worth(sums: OpenSums, report: LearnReport) -> str:
    """Return what those with a price are worth, and the net of the account with them."""
    if sums.result is None or sums.priced_at is None:
        return ""
    priced = sums.positions - sums.unpriced
    if sums.unpriced:
        who, are = f"{priced:,} of them", "are" if priced > 1 else "is"
    else:
        who, are = ("they", "are") if priced > 1 else ("it", "is")
    then = f"{sums.priced_at.astimezone(report.told_in):%Y-%m-%d %H:%M} {report.zone}"
    at = f"prices (the oldest of {then})" if priced > 1 else f"price ({then})"
    beside = ""
    if sums.net_with is not None:
        beside = f" The net with that would be {money(sums.net_with, sums.quote)}."
    return (
        f"At the last known {at} {who} {are} worth "
        f"{money(sums.worth, sums.quote, is_signed=False)}, and would come to "
        f"{money(sums.result, sums.quote)} if closed there.{beside}"
    )


def _dark(sums: OpenSums) -> str:
    """Return that the worth is not known of all, or of those without a price."""
    if not sums.unpriced_cost:
        return ""
    if sums.unpriced_cost == sums.cost:
        who = "they are" if sums.positions > 1 else "it is"
    else:
        cost = money(sums.unpriced_cost, sums.quote, is_signed=False)
        who = f"the others, which cost {cost}, are"
    return (
        f"What {who} worth is not known: no price of the market is near enough to the end. Name a "
        "file of its prices behind the export."
    )


def _reason(sums: OpenSums, closed: QuoteSums | None) -> str:
    if sums.entry_unknown:
        return f"what {sums.entry_unknown:,} in {sums.quote} cost is not known"
    lost = money(sums.result, sums.quote) if sums.result is not None and sums.result < 0 else ""
    dark = money(sums.unpriced_cost, sums.quote, is_signed=False) if sums.unpriced_cost else ""
    reasons = [f"they stand at {lost}"] if lost else []
    reasons += [f"what became of {dark} is not known"] if dark else []
    net = "there is no net" if closed is None else f"the net is {money(closed.net, sums.quote)}"
    return f"{' and '.join(reasons)}, which is more than a quarter of what was earned ({net})"
