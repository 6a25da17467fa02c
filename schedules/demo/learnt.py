"""What the demo's own trades show, as `afterword learn` tells it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from afterword.pipeline.clock import Clock
from afterword.pipeline.core.store import Store, Stores
from afterword.pipeline.domain.layouts.layout import Origin
from afterword.pipeline.doors.render.html import page
from afterword.pipeline.ids import IdSource
from afterword.pipeline.operations.learn.files import ReadingOptions
from afterword.pipeline.operations.learn.learn import learn_from
from afterword.pipeline.operations.learn.place import LearnPlace
from afterword.pipeline.settings import Settings
from afterword.pipeline.views.trades.learn_report import learn_report
from afterword.pipeline.views.trades.words import (
    enough_words,
    headline_words,
    named_words,
    tried_words,
)

LEARNT_PAGE_FILE: Final = "trades.html"
"""Name of the report in the demo's home."""


@dataclass(frozen=True, slots=True)
class TradesStory:
    """What the trades came to, and what can be told apart from chance.

    Args:
        headline: the result by round trip, and how many fills won.
        tried: how many comparisons were made.
        named: what differs by more than chance, or that nothing does.
        looked_at: cuts with numbers and nothing more; count.
    """

    headline: tuple[str, ...]
    tried: str
    named: tuple[str, ...]
    looked_at: int


def learn_demo(
    home: Path, store: Store, stores: Stores, settings: Settings, clock: Clock, ids: IdSource
) -> TradesStory:
    """Look once at the trades of the demo, and write the report as a page."""
    place = LearnPlace(store, stores, None, settings, clock, ids, None, is_kept=False)
    report = learn_from(
        place, [], [], ReadingOptions(Origin("", "")), told=lambda _name, _done, _total: None
    )
    view = learn_report(report, "afterword trades ls")
    (home / LEARNT_PAGE_FILE).write_text(page(view), encoding="utf-8")
    trades = report.trades
    few = enough_words(trades)
    return TradesStory(
        headline=tuple(headline_words(report)),
        tried=f"{few} {tried_words(trades, report.told_in)}".strip(),
        named=tuple(named_words(trades)),
        looked_at=len(trades.looked_at),
    )
