"""The overview of a trader: what trades came to, what is named, what is open, and what is new."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.memory.audit_log import changes_since
from afterword.pipeline.domain.memory.flags import MAX_LISTED, list_flagged
from afterword.pipeline.domain.methodologies.model import Methodology
from afterword.pipeline.domain.methodologies.read import list_methodologies
from afterword.pipeline.domain.patterns.model import Pattern
from afterword.pipeline.domain.patterns.read import current
from afterword.pipeline.domain.preferences.model import KnownPreference
from afterword.pipeline.domain.preferences.read import list_preferences
from afterword.pipeline.domain.profile.onboarding import onboarding_status
from afterword.pipeline.domain.trades.journal import JournalQuery, TradeJournal, trade_journal
from afterword.pipeline.domain.trades.model import NamedHabit
from afterword.pipeline.domain.trades.read import named
from afterword.pipeline.domain.trips.model import OpenPosition
from afterword.pipeline.domain.trips.read import open_positions

NEWS_TIME: Final = timedelta(days=7)
"""How far back news go where nothing says when its reader was here last."""

_MOST_NAMED: Final = 20
"""Methods of an overview."""

_NEWS: Final[Mapping[str, str]] = {
    "memory.write": "memory",
    "role.record": "decision",
    "role.reflect": "judged decision",
    "pattern.write": "pattern",
    "trade.record": "recorded trade",
    "trade.judge": "look at the trades",
    "preference.propose": "proposed preference",
    "methodology.add": "method",
    "learning.keep": "learning",
}
"""What an action adds, as its reader calls it."""


@dataclass(frozen=True, slots=True)
class TradeOverview:
    """What a trader wants to know first.

    Args:
        journal: of all trades, with the newest of them.
        habits: of trades, `patterns` of decisions and `methods`: what is told apart from luck.
        positions: those that are open.
        proposed: preferences that wait for their owner.
        flagged: texts that read like orders to the agent; count, at most `MAX_LISTED`.
        is_onboarded: whether the owner said who they are.
        since: what is new became known after this moment.
        news: what it is, and how many of each.
    """

    journal: TradeJournal
    habits: Sequence[NamedHabit]
    patterns: Sequence[Pattern]
    methods: Sequence[Methodology]
    positions: Sequence[OpenPosition]
    proposed: Sequence[KnownPreference]
    flagged: int
    is_onboarded: bool
    since: datetime
    news: Mapping[str, int]


def read_overview(store: Store, now: datetime, since: datetime) -> TradeOverview:
    """Return the overview of a group.

    Args:
        since: see `TradeOverview`.
    """
    proposed = list_preferences(store, state="proposed")
    is_onboarded = onboarding_status(store).has_completed
    flagged = len(list_flagged(store, MAX_LISTED))
    with reading(store) as conn:
        return TradeOverview(
            journal=trade_journal(conn, JournalQuery(), most=5),
            habits=named(conn),
            patterns=current(conn, None),
            methods=list_methodologies(conn, state="graduated", limit=_MOST_NAMED),
            positions=open_positions(conn, now),
            proposed=proposed,
            flagged=flagged,
            is_onboarded=is_onboarded,
            since=since,
            news=_news(changes_since(conn, since)),
        )


def _news(changes: Mapping[str, int]) -> dict[str, int]:
    news: Counter[str] = Counter()
    for action, count in changes.items():
        if action in _NEWS:
            news[_NEWS[action]] += count
    return dict(news)
