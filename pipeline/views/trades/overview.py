"""The overview of a trader: what trades came to, what is named, what is open, and what is new."""

from collections.abc import Iterator
from typing import Final

from afterword.pipeline.domain.trips.model import OpenPosition
from afterword.pipeline.operations.learn.overview import TradeOverview
from afterword.pipeline.rules.market.decimals import plain
from afterword.pipeline.views.blocks import Block, Fields, Items, Paragraph, Section, Table, View
from afterword.pipeline.views.cells import Cell, Ref
from afterword.pipeline.views.numbers import NONE, count, money
from afterword.pipeline.views.trades.journal import sums_blocks
from afterword.pipeline.views.words import moment, one_line

_NO_TRADE: Final = (
    "No trade is kept yet: `afterword learn my-export.csv --keep` stores those of a file."
)
_NOTHING_NAMED: Final = (
    "Nothing is told apart from chance yet: no habit of your trades, no pattern of decisions, no "
    "method."
)


def overview_view(overview: TradeOverview) -> View:
    """Return the overview."""
    return View(
        [
            Section("Result", list(_result(overview))),
            Section("Named", list(_named(overview))),
            Section("Open", list(_open(overview))),
            Section("New", list(_news(overview)), f"since {moment(overview.since)}"),
        ]
    )


def _result(overview: TradeOverview) -> Iterator[Block]:
    if not overview.journal.fitting:
        yield Paragraph(_NO_TRADE, "lead")
        return
    yield from sums_blocks(overview.journal)
    yield Fields({"all of them": Ref("Trades", "trades")})


def _named(overview: TradeOverview) -> Iterator[Block]:
    """Yield what differs from chance: of trades, of decisions and of methods."""
    sentences = [
        *(habit.text for habit in overview.habits),
        *(f"{pattern.role_id}: {pattern.text}" for pattern in overview.patterns),
    ]
    yield from (Paragraph(one_line(sentence), "named") for sentence in sentences)
    if overview.methods:
        rows: list[list[Cell]] = [
            [Ref(one_line(method.name), "method", method.uid), method.direction, method.uid]
            for method in overview.methods
        ]
        yield Table(("graduated method", "direction", "id"), rows)
    if not sentences and not overview.methods:
        yield Paragraph(_NOTHING_NAMED)


def _open(overview: TradeOverview) -> Iterator[Block]:
    """Yield positions, and what waits for the owner."""
    columns = ("market", "side", "size", "cost", "opened", "account")
    yield Table(columns, list(map(_position, overview.positions)), "no position is open")
    if not overview.is_onboarded:
        yield Fields({"who you are": Ref("Nobody said yet: see Profile", "page", "/profile")})
    if overview.flagged:
        texts = count(overview.flagged, "text reads", "texts read")
        yield Paragraph(f"{texts} like orders to the agent: `afterword memory flagged`")
    if overview.proposed:
        rows: list[list[Cell]] = [
            [
                Ref(one_line(known.preference.statement), "preference", known.preference.uid),
                known.preference.kind.replace("_", " "),
                known.preference.uid,
            ]
            for known in overview.proposed
        ]
        yield Table(("proposed preference", "kind", "id"), rows)


def _position(position: OpenPosition) -> list[Cell]:
    cost = NONE if position.cost is None else money(position.cost, position.quote, is_signed=False)
    return [
        position.market.symbol,
        position.direction,
        plain(abs(position.position)),
        cost,
        moment(position.opened_at),
        position.market.account,
    ]


def _news(overview: TradeOverview) -> Iterator[Block]:
    if not overview.news:
        yield Paragraph("nothing")
        return
    plural = {"memory": "memories", "look at the trades": "looks at the trades"}
    yield Items(
        [count(number, noun, plural.get(noun, "")) for noun, number in overview.news.items()]
    )
