"""The sections of a page that memories and trade history fill; areas declare all sections."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from typing import Any, Final

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.core.area import Area, in_order, load
from afterword.pipeline.domain.recorded_trades.model import LinkedTrade
from afterword.pipeline.domain.recorded_trades.read import recorded_trades
from afterword.pipeline.recall.page import rows as page_rows
from afterword.pipeline.recall.page.model import PageAsset, PageLine, PageSection
from afterword.pipeline.recall.page.roles import ReflectionSection
from afterword.pipeline.recall.page.rows import AssetMemory
from afterword.pipeline.recall.prompts.prompt_lessons import LessonChoice
from afterword.pipeline.recall.prompts.sanitize import prompt_line
from afterword.pipeline.rules.market.decimals import plain
from afterword.pipeline.rules.market.symbols import normalise_symbol


@dataclass(frozen=True, slots=True)
class MemorySection:
    """The latest memories about the asset, of some categories.

    Args:
        most: lines at most.
    """

    title: str
    categories: tuple[str, ...]
    most: int
    has_hard_constraints: bool = False

    def lines(
        self, conn: Connection, asset: PageAsset, as_of: int | None, _now: datetime, /
    ) -> Sequence[PageLine]:
        """Return them, newest first."""
        rows = page_rows.latest(conn, asset.key, self.categories, as_of, self.most)
        return [_line(row) for row in rows]


@dataclass(frozen=True, slots=True)
class Timeline:
    """The trades that ended last, from memories and from the round trips of imported fills, and
    those that agents recorded (R1).

    A trip is also found by its symbol: its memory may not have its edges yet. The result of a
    recorded trade is told only where no mirrored fill tells it.

    Args:
        most: lines at most.
    """

    most: int
    title: str = "Timeline"
    has_hard_constraints: bool = False

    def lines(
        self, conn: Connection, asset: PageAsset, as_of: int | None, _now: datetime, /
    ) -> Sequence[PageLine]:
        """Return them, newest first, each once."""
        rows = page_rows.latest(conn, asset.key, ("trade_outcome",), as_of, self.most)
        for symbol in page_rows.traded_symbols(conn):
            if normalise_symbol(symbol) == asset.key:
                rows += page_rows.latest_trips(conn, symbol, as_of, self.most)
        once = {row.id: row for row in rows}.values()
        lines = [(row.at, row.id, _line(row)) for row in once]
        moment = None if as_of is None else from_micros(as_of)
        for linked in recorded_trades(conn, moment, asset_key=asset.key, most=self.most):
            at = to_micros(linked.trade.occurred_at)
            lines.append((at, -linked.trade.id, _trade_line(linked)))  # below what ended then
        newest = sorted(lines, key=lambda line: line[:2], reverse=True)
        return [line for _at, _id, line in newest[: self.most]]


def _line(row: AssetMemory) -> PageLine:
    return PageLine(row.category, row.content, from_micros(row.at))


def _trade_line(linked: LinkedTrade) -> PageLine:
    trade = linked.trade
    did = "bought" if trade.side == "buy" else "sold"
    text = f"{did} {plain(trade.size)} {trade.asset} at {plain(trade.price)}"
    text += f" on {trade.venue}, account {trade.account}"
    if trade.closes_uid is not None:
        text += ", to close"
    if trade.realised_micro_usd is not None and not linked.is_mirrored:
        brought = f"{Decimal(trade.realised_micro_usd).scaleb(-6):+,.2f}"
        text += f", brought {brought[0]}${brought[1:]} after fees"
    return PageLine("trade", prompt_line(text), trade.occurred_at)


PREFERENCES: Final = MemorySection("Preferences", ("preference", "instruction", "correction"), 20)
KNOWLEDGE: Final = MemorySection(
    "What is known",
    ("fact", "lesson", "observation", "context", "personalization", "reference"),
    30,
)
ALERTS: Final = MemorySection("Alerts", ("alert",), 10)
REFLECTIONS: Final = ReflectionSection(10)
TIMELINE: Final = Timeline(20)


def sections_of(
    areas: Iterable[Area], choice: LessonChoice = "confirmed"
) -> tuple[PageSection, ...]:
    """Return the sections that areas declare, in the order of a page.

    Args:
        choice: what of past decisions they show; sections about lessons have a field for it.
    """
    declared = (load(entry.section) for entry in in_order(areas, lambda area: area.sections))
    return tuple(_choosing(section, choice) for section in declared)


def _choosing(section: Any, choice: LessonChoice) -> PageSection:
    chosen: PageSection = replace(section, choice=choice) if hasattr(section, "choice") else section
    return chosen
