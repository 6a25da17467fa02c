"""The sections of a page that memories and trade history fill; areas declare all sections."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros
from afterword.pipeline.core.area import Area, in_order, load
from afterword.pipeline.recall.page import rows as page_rows
from afterword.pipeline.recall.page.model import PageAsset, PageLine, PageSection
from afterword.pipeline.recall.page.roles import ReflectionSection
from afterword.pipeline.recall.page.rows import AssetMemory
from afterword.pipeline.recall.prompts.prompt_lessons import LessonChoice
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
        found = page_rows.latest(conn, asset.key, self.categories, as_of, self.most)
        return [_line(row) for row in found]


@dataclass(frozen=True, slots=True)
class Timeline:
    """The trades that ended last, from memories and from the round trips of imported fills.

    A trip is also found by its symbol: its memory may not have its edges yet.

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
        found = page_rows.latest(conn, asset.key, ("trade_outcome",), as_of, self.most)
        for symbol in page_rows.traded_symbols(conn):
            if normalise_symbol(symbol) == asset.key:
                found += page_rows.latest_trips(conn, symbol, as_of, self.most)
        once = {row.id: row for row in found}.values()
        newest = sorted(once, key=lambda row: (row.at, row.id), reverse=True)
        return [_line(row) for row in newest[: self.most]]


def _line(row: AssetMemory) -> PageLine:
    return PageLine(row.category, row.content, from_micros(row.at))


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
    declared = (load(one.section) for one in in_order(areas, lambda area: area.sections))
    return tuple(_choosing(section, choice) for section in declared)


def _choosing(section: Any, choice: LessonChoice) -> PageSection:
    chosen: PageSection = replace(section, choice=choice) if hasattr(section, "choice") else section
    return chosen
