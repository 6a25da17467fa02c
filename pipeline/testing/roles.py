"""Helpers for tests of decisions: a scripted judge, and prices with chosen moves."""

import threading
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Final

from sqlalchemy import text

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import Store, writing
from afterword.pipeline.domain.decisions.model import Classification, DecisionVerdict
from afterword.pipeline.domain.outcomes.probes import ProbeSpec
from afterword.pipeline.domain.prices.book import PriceBook
from afterword.pipeline.domain.prices.feed import Series
from afterword.pipeline.domain.reflection.case import Case
from afterword.pipeline.domain.reflection.judge import JudgeOpinion
from afterword.pipeline.domain.skills import PriceDelta, ReflectionPolicy, Role, Skill
from afterword.pipeline.domain.skills.model import Trigger
from afterword.pipeline.rules.market.bars import Bar

HOUR: Final = timedelta(hours=1)

_DAY: Final = PriceDelta(24)


_LEARNED = text("""
UPDATE role_memory SET state = 'reflected', outcome = 'wrong', measured = '{}',
  classification = 'logic_error', narrative = 'A story.', classified_by = 'x',
  classified_at = :now, lesson = :lesson, lesson_by = 'x', reflected_at = :now, state_at = :now
WHERE id = :id
""")


class ScriptedDecisionJudge:
    """A `Judge` of decisions that answers by a script and records its questions.

    Args:
        classify: returns the verdict of a case; it may do other work or raise.
        draft: returns the draft of a lesson.
        at_once: 0 for a judge that is free.
    """

    name = "scripted"

    def __init__(
        self,
        classify: Callable[[Case], JudgeOpinion],
        draft: Callable[[Case], str] = lambda case: f"learn from {case.decision.id}",
        at_once: int = 2,
    ) -> None:
        self._classify, self._draft, self.at_once = classify, draft, at_once
        self._lock = threading.Lock()
        self.classified: list[Case] = []
        self.drafted: list[Case] = []

    def classify(self, case: Case, group: str) -> JudgeOpinion:  # noqa: ARG002 - the protocol's
        """Return the script's verdict."""
        with self._lock:
            self.classified.append(case)
        return self._classify(case)

    def draft(self, case: Case, verdict: DecisionVerdict, group: str) -> str:  # noqa: ARG002
        """Return the script's draft."""
        with self._lock:
            self.drafted.append(case)
        return self._draft(case)


def saying(word: Classification, at_once: int = 2) -> ScriptedDecisionJudge:
    """Return a judge with the same verdict for every case."""
    return ScriptedDecisionJudge(
        lambda _: JudgeOpinion(word, f"because of {word}"), at_once=at_once
    )


def role_of(
    role_id: str = "desk.calls",
    probe: ProbeSpec = _DAY,
    min_age_hours: int = 24,
    max_age_hours: int = 720,
    triggers: tuple[Trigger, ...] = ("cron",),
) -> Role:
    """Return a role that waits one day for its price."""
    policy = ReflectionPolicy(probe, min_age_hours, max_age_hours, triggers)
    prompt = "{asset} {decision} {window} {pnl} {evidence} {type}"
    return Role(role_id, "Desk call", ("stood against the trend", "chased"), prompt, policy)


def skill_of(*roles: Role) -> Skill:
    """Return the skill of some roles: the part of their ids before the first dot."""
    return Skill(roles[0].id.partition(".")[0], roles)


def learned(store: Store, decision_id: int, lesson: str, now: datetime) -> None:
    """Make a decision wrong and give it a lesson, without a judge."""
    with writing(store) as conn:
        conn.execute(_LEARNED, {"id": decision_id, "lesson": lesson, "now": to_micros(now)})


def book(symbol: str, start: datetime, closes: Iterable[float]) -> PriceBook:
    """Return hourly prices of one market.

    Args:
        start: when the first bar opens; aware UTC.
        closes: the closes, one per bar.
    """
    prices = [Decimal(f"{close:.6f}") for close in closes]
    bars = [
        Bar(start + number * HOUR, HOUR, price, price, price, price, Decimal(0))
        for number, price in enumerate(prices)
    ]
    return PriceBook({Series("test", symbol, HOUR): bars})


def jagged(before: int, moves: Iterable[float], base: float = 100.0) -> list[float]:
    """Return closes that move up and down by 1 % for some hours, then make the given moves.

    Args:
        before: hours of the flat part, with a deviation of some 5 % per day; count.
        moves: one move per hour; 0.1 is 10 % up.
    """
    closes = [base * (1.01 if number % 2 else 1.0) for number in range(before)]
    for move in moves:
        closes.append(closes[-1] * (1 + move))
    return closes
