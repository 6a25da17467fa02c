"""A small replay: the whole loop over one year of the demo's prices, by a rule and by placebos."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from afterword.pipeline.core.store import Stores, reading
from afterword.pipeline.domain.prices.csv_file import PriceFile
from afterword.pipeline.domain.reflection.heuristic import HeuristicJudge
from afterword.pipeline.doors.cli.progress import Told
from afterword.pipeline.doors.render.html import page
from afterword.pipeline.operations.replay.model import ReplayInput
from afterword.pipeline.operations.replay.plan import ReplayPlan
from afterword.pipeline.operations.replay.prepare import prepare_replay
from afterword.pipeline.operations.replay.read_inputs import read_inputs
from afterword.pipeline.operations.replay.run import roles_for, run_replay
from afterword.pipeline.operations.replay_report.report import replay_report
from afterword.pipeline.views.replay.equity import equity_words
from afterword.pipeline.views.replay.report import replay_findings
from afterword.pipeline.views.replay.words import verdict_words
from afterword.schedules.demo.decided import as_bar, series_of
from afterword.schedules.demo.prices import demo_bars

_NAME: Final = "demo"
RULE: Final = "momentum"
FROM: Final = datetime(2008, 1, 1, tzinfo=UTC)
_UNTIL: Final = datetime(2009, 1, 1, tzinfo=UTC)

REPLAY_PAGE_FILE: Final = "replay.html"
"""Name of its report in the demo's home."""


@dataclass(frozen=True, slots=True)
class ReplayStory:
    """What a replay of the demo's prices came to.

    Args:
        decisions: of the rule and of the placebos; count.
        placebos: makers without skill; count.
        result: the rule at equal risk, beside the same markets held and a coin.
        verdict: what is told apart from luck.
        state_hash: digest of all that became known in it.
    """

    name: str
    from_day: str
    to_day: str
    rule: str
    every_days: int
    decisions: int
    placebos: int
    result: str
    verdict: str
    state_hash: str


def replay_year(stores: Stores, now: datetime, on_progress: Told) -> ReplayStory:
    """Run the replay to its end, and write its report as a page."""
    plan = ReplayPlan(
        series=tuple(_series()),
        rules=((RULE, "{}"),),
        known=(ReplayInput("prices", "prices of the demo"),),
        since=FROM,
        until=_UNTIL,
    )
    registry = roles_for(stores.home, plan.horizon_hours)
    store = stores.replay(_NAME, create=True)
    settings = prepare_replay(
        store, registry, plan, read_inputs(plan, now, on_progress), on_progress
    )
    span = settings.ends_at - settings.begins_at
    status = run_replay(
        store,
        registry,
        HeuristicJudge(),
        lambda done: on_progress("replay", done.until - settings.begins_at, span),
    )
    with reading(store) as conn:
        report = replay_report(conn, status)
    (stores.home / REPLAY_PAGE_FILE).write_text(page(replay_findings(report)), encoding="utf-8")
    return ReplayStory(
        name=_NAME,
        from_day=f"{FROM:%Y-%m-%d}",
        to_day=f"{_UNTIL:%Y-%m-%d}",
        rule=RULE,
        every_days=settings.every_hours // 24,
        decisions=status.recorded,
        placebos=len(report.equity.placebos),
        result=equity_words(report)[0],
        verdict=" ".join(verdict_words(report)),
        state_hash=status.state_hash,
    )


def _series() -> list[PriceFile]:
    """Return the prices of the year, and of a year before, by which a move is usual or not."""
    first = FROM.replace(year=FROM.year - 1).date()
    return [
        PriceFile(
            series_of(asset),
            tuple(as_bar(day) for day in days if first <= day.day <= _UNTIL.date()),
        )
        for asset, days in demo_bars().items()
    ]
