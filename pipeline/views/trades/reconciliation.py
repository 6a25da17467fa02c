"""How the value of accounts changed: what explains it, and what is left."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from afterword.pipeline.clock import from_millis
from afterword.pipeline.domain.balances.model import AccountValue
from afterword.pipeline.domain.fills.model import EXACT
from afterword.pipeline.domain.reconciliation.explain import CENT
from afterword.pipeline.domain.reconciliation.model import (
    AccountStatement,
    TransferSum,
    ValueStatement,
)
from afterword.pipeline.domain.transfers.model import DOLLAR
from afterword.pipeline.rules.market.decimals import plain
from afterword.pipeline.views.blocks import Block, Items, Paragraph, Section, Table, View
from afterword.pipeline.views.numbers import count, money
from afterword.pipeline.views.trades.reconciliation_words import (
    TRANSFER_WORDS,
    reason_words,
)
from afterword.pipeline.views.words import moment

MOST_SPANS: Final = 10
"""Spans that are shown, those with the largest rest; all of them are in JSON."""

_NOTE: Final = (
    "Values are the venue's; everything else is from mirrored and imported rows. Other tokens than "
    f"{DOLLAR} are no part of the value: what they cost or brought is."
)


def reconciliation(statements: Sequence[AccountStatement], *, is_past: bool = False) -> View:
    """Return how the value of each account changed.

    Args:
        is_past: the time that was asked for is over, so that no run of a mirror adds a value to it.
    """
    if not statements:
        words = "No account of yours is mirrored: afterword account add."
        return View([Paragraph(words)], title="Reconciliation")
    sections = [Section(each.account, _blocks(each, is_past=is_past)) for each in statements]
    return View([*sections, Paragraph(_NOTE, "quiet")], title="Reconciliation", is_prose=True)


def _blocks(account: AccountStatement, *, is_past: bool) -> list[Block]:
    statement = account.statement
    if statement is None:
        known = count(account.values, "value") if account.values else "no value"
        how = f"Each run of the mirror keeps one: `afterword sync now {account.account}`."
        if is_past:
            how = "None can be had for the past: ask without --to, or up to a later moment."
        words = f"Two values are needed, and {known} of this span is known. {how}"
        return [Paragraph(words, "lead")]
    blocks: list[Block] = [Table(("what", DOLLAR), _rows(statement)), _verdict(statement)]
    if statement.spans:
        blocks.append(Table(("from", "to", "not explained"), _span_rows(statement)))
    more = len(statement.spans) - MOST_SPANS
    if more > 0:
        blocks.append(Paragraph(f"{count(more, 'more span')} with smaller rests: --json."))
    if statement.reasons:
        blocks.append(Paragraph("What the data show:" if statement.spans else "Told as well:"))
        blocks.append(Items([reason_words(reason) for reason in statement.reasons]))
    tokens = _tokens(statement.first, statement.last)
    return [*blocks, Paragraph(tokens)] if tokens else blocks


def _rows(statement: ValueStatement) -> list[list[str]]:
    begins = "before the first row" if statement.from_beginning else "value"
    changes = [
        *((_transfer_words(transfers), transfers.amount) for transfers in statement.transfers),
        ("realised, before fees", statement.realised),
        ("fees of trades", -statement.fees),
        ("funding", statement.funding),
        ("change in what is unrealised", statement.unrealised),
        ("tokens bought and sold", statement.spot),
    ]
    return [
        [f"{begins}, {_at(statement.first)}", _dollars(statement.first.dollars, is_signed=False)],
        *([words, _dollars(amount)] for words, amount in changes if amount),
        ["not explained", _dollars(statement.rest)],
        [f"value, {_at(statement.last)}", _dollars(statement.last.dollars, is_signed=False)],
    ]


def _transfer_words(transfers: TransferSum) -> str:
    words = f"{TRANSFER_WORDS.get(transfers.kind, transfers.kind)} ({transfers.count:,})"
    if not transfers.fees:
        return words
    return f"{words}, with {_dollars(transfers.fees, is_signed=False)} of fees"


def _dollars(amount: Decimal, *, is_signed: bool = True) -> str:
    return money(amount, DOLLAR, is_signed=is_signed, is_named=False)


def _at(value: AccountValue) -> str:
    return moment(from_millis(value.time_ms))


def _verdict(statement: ValueStatement) -> Paragraph:
    if abs(statement.rest) < CENT and not statement.spans:
        return Paragraph("It adds up to the cent.", "lead")
    rest = money(statement.rest, DOLLAR)
    if not statement.spans:
        return Paragraph(f"{rest} are roundings of less than a cent each.", "lead")
    spans = count(len(statement.spans), "span")
    if abs(statement.rest) < CENT:
        words = f"It adds up to the cent, but not in {spans}: their rests are undone by each other."
        return Paragraph(words, "warning")
    return Paragraph(f"{rest} are not explained. They arose in {spans}:", "warning")


def _span_rows(statement: ValueStatement) -> list[list[str]]:
    largest = sorted(statement.spans, key=lambda span: -abs(span.rest))[:MOST_SPANS]
    return [
        [moment(span.first_at), moment(span.last_at), _dollars(span.rest)]
        for span in sorted(largest, key=lambda span: span.first_at)
    ]


def _tokens(first: AccountValue, last: AccountValue) -> str:
    """Return which other tokens are held, and what changed; empty without any."""
    parts = []
    for name in sorted({*first.tokens, *last.tokens}):
        now = Decimal(last.tokens.get(name, "0"))
        change = EXACT.subtract(now, Decimal(first.tokens.get(name, "0")))
        sign = "+" if change > 0 else ""
        parts.append(f"{plain(now)} {name}" + (f" ({sign}{plain(change)})" if change else ""))
    return f"Beside it the account holds {', '.join(parts)}." if parts else ""
