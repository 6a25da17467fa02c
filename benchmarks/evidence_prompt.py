"""What the default prompt shows of a role without skill, read from a real store every week.

Prices are kept, decisions recorded, outcomes measured and patterns weighed by the verbs behind
`prices import`, `role record` and `role reflect`; then the prompt of the skill is read.
"""

import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from typing import Final, NamedTuple

from afterword.pipeline.clock import from_millis
from afterword.pipeline.core.store import Store, StoreOptions, Stores, reading
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.record import record_decisions
from afterword.pipeline.domain.patterns.family import votes_of
from afterword.pipeline.domain.prices.feed import Series
from afterword.pipeline.domain.prices.keep import keep_bars
from afterword.pipeline.domain.prices.stored import StoredPrices
from afterword.pipeline.domain.reflection.heuristic import HeuristicJudge
from afterword.pipeline.domain.reflection.model import Reflector
from afterword.pipeline.domain.skills import PriceDelta, RoleRegistry
from afterword.pipeline.ids import seeded_uids
from afterword.pipeline.operations.loop.reflect_now import reflect_now
from afterword.pipeline.recall.lessons.fragment import parse_fragment, skill_fragment
from afterword.pipeline.recall.prompts.prompt_lessons import LessonChoice
from afterword.pipeline.rules.evidence.family import FamilyRecord
from afterword.pipeline.rules.evidence.model import HYPOTHESES, SETUPS, Hypothesis, Vote
from afterword.pipeline.rules.evidence.words import setup_name
from afterword.pipeline.rules.market.bars import Bar
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.roles import role_of, skill_of
from benchmarks.evidence_worlds import DAY_MS, Closes, Run

EVER: Final = 87_840
"""How long a decision may wait for its prices; hours."""

Told = set[tuple[str, str, str]]
"""Patterns by what a prompt says of them: label, direction, and the move before."""

_SETUPS: Final = {f": {setup_name(setup)}, ": setup for setup in SETUPS}


class PromptLooks(NamedTuple):
    """What the prompts of one role showed at its weekly looks.

    Args:
        is_told: whether the default prompt ever told a pattern.
        is_hinted: whether one that shows all ever told a pattern or a hint.
        looks: default prompts that were read; count.
        differing: of these, those that did not tell what the rules confirm of the same outcomes.
    """

    is_told: bool
    is_hinted: bool
    looks: int
    differing: int


def from_prompt(run: Run) -> PromptLooks:
    """Let a desk live through the bars of a run, and read its prompt every week."""
    looks = differing = 0
    is_told = is_hinted = False
    with _desk(run.together, run.window) as desk:
        for bar, votes in enumerate(run.votes, start=run.start):
            desk.calls += votes
            if bar % run.week:
                continue
            desk.live_until(bar)
            told = desk.told("confirmed")
            looks += 1
            differing += told != desk.confirmed()
            is_told = is_told or bool(told)
            is_hinted = is_hinted or bool(desk.told("all"))
    return PromptLooks(is_told, is_hinted, looks, differing)


@contextmanager
def _desk(together: Sequence[Closes], window: int) -> Iterator["_Desk"]:
    with tempfile.TemporaryDirectory(prefix="afterword-bench-") as folder:
        clock = ManualClock()
        stores = Stores(Path(folder), StoreOptions("OFF"), clock, seeded_uids(1))
        try:
            yield _Desk(stores.group("main", create=True), clock, together, window)
        finally:
            stores.close()


class _Desk:
    """One role in a store of its own.

    Attributes:
        calls: what it decided since it was last looked at.
    """

    def __init__(
        self, store: Store, clock: ManualClock, together: Sequence[Closes], window: int
    ) -> None:
        hours = window * 24 // together[0].per_day
        self._role = role_of(probe=PriceDelta(hours), min_age_hours=hours, max_age_hours=EVER)
        self._skill = skill_of(self._role)
        self._registry = RoleRegistry([self._skill])
        self._store, self._clock, self._ids = store, clock, seeded_uids(2)
        self._bars = {_series(one): _bars(one) for one in together}
        self._at = [from_millis(moment) for moment in together[0].at.tolist()]
        self._symbols = {one.name: one.symbol for one in together}
        self._reflector = Reflector(store, self._registry, HeuristicJudge(), StoredPrices, clock)
        self._kept = 0
        self._records: dict[str, FamilyRecord] = defaultdict(FamilyRecord)
        self._last_outcome = self._last_exit = 0
        self.calls: list[Vote] = []

    def live_until(self, bar: int) -> None:
        """Go to the close of a bar: import prices, record the decisions, reflect on what is due."""
        self._clock.set(self._at[bar])
        for series, bars in self._bars.items():
            keep_bars(self._store, series, bars[self._kept : bar + 1], self._clock)
        self._kept = bar + 1
        news = [
            NewDecision(
                self._role.id,
                "A call without skill.",
                asset=self._symbols[one.asset],
                direction=one.setup.direction,
                decided_at=self._at[one.subject],
            )
            for one in self.calls
        ]
        record_decisions(self._store, self._registry, news, self._clock, self._ids)
        self.calls = []
        reflect_now(self._reflector, [self._role], lambda *_: None)

    def told(self, choice: LessonChoice) -> Told:
        """Return the patterns that the prompt tells."""
        said = skill_fragment(self._store, self._registry, self._skill.id, 100, choice=choice)
        return {_read(line.label, line.text) for line in parse_fragment(said)}

    def confirmed(self) -> Told:
        """Return what the rules confirm of some asset, fed with the outcomes as they came."""
        with reading(self._store) as conn:
            cast = votes_of(conn, self._role, self._last_outcome)
        for one in cast:
            self._records[one.asset_class].add(one.vote)
            self._last_outcome = max(self._last_outcome, one.outcome_id)
            self._last_exit = max(self._last_exit, one.vote.exit_at)
        found: Told = set()
        for record in self._records.values():
            record.close(self._last_exit)
            for (setup, side), state in zip(HYPOTHESES, record.states(), strict=True):
                if state == "confirmed":
                    scope = record.pattern(Hypothesis(setup, side)).scope
                    if scope.is_class or scope.assets:
                        found.add((side, *setup))
        return found


def _read(label: str, text: str) -> tuple[str, str, str]:
    (setup,) = (setup for name, setup in _SETUPS.items() if name in text)
    return (label, *setup)


def _series(closes: Closes) -> Series:
    return Series("bench", closes.symbol, timedelta(milliseconds=DAY_MS // closes.per_day))


def _bars(closes: Closes) -> list[Bar]:
    """Return bars with the closes of a series, without its splits; each opens at the last close."""
    interval = timedelta(milliseconds=DAY_MS // closes.per_day)
    prices = [Decimal("100")]
    scaled = (100 * (1 + closes.moves).cumprod()).tolist()
    prices += [Decimal(f"{price:.6f}") for price in scaled]
    return [
        Bar(
            from_millis(at) - interval, interval, was, max(was, now), min(was, now), now, Decimal(0)
        )
        for at, was, now in zip(closes.at.tolist(), prices, prices[1:], strict=False)
    ]
