"""The promise, checked on the prices at hand: roles of coin flips, by the rules of the real one.

A placebo decides at the moments and on the assets of a role's own longs and shorts, but a coin says
long or short. Every decision is measured once as a long and once as a short; the placebos then
differ only in their coins, so twenty cost little more than one.

read the decisions that count → measure both sides → flip → weigh
"""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Final, NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.domain.decisions.checks import claimed_inputs
from afterword.pipeline.domain.outcomes.measure import OutcomeMeasurer
from afterword.pipeline.domain.outcomes.model import MeasuredOutcome, Subject
from afterword.pipeline.domain.outcomes.probes import named_peers
from afterword.pipeline.domain.patterns import placebo_rows, rows
from afterword.pipeline.domain.patterns.family import families_by_class, window_of
from afterword.pipeline.domain.patterns.placebo_rows import PlaceboMoment
from afterword.pipeline.domain.patterns.rows import OutcomeRow
from afterword.pipeline.domain.prices.feed import PriceSource
from afterword.pipeline.domain.skills import PeerRelative, PriceDelta, Role
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.setup import Direction

MOST_PLACEBOS: Final = 256
"""Placebos of a role: the digest of a decision has a bit for each."""

OnStep = Callable[[int, int], object]
"""Told how many of how many steps are done; a step is a decision measured, or a coin of it."""

_SHARED: Final = tuple(name for name in OutcomeRow._fields if name in MeasuredOutcome._fields)
"""What a vote takes from its outcome."""

_TOLD_EVERY: Final = 1_000
"""Steps between two words about the progress."""


@dataclass(frozen=True, slots=True)
class PlaceboCount:
    """How many coin flips would have been told something of one class of assets.

    Args:
        placebos: roles of coin flips; count.
        told: of these, with any pattern of the class confirmed at any look.
        decisions: at whose moments they decided; count.
        level: the chance of each to be told something; what is expected at most.
    """

    asset_class: str
    placebos: int
    told: int
    decisions: int
    level: float


def checked_placebos(number: int) -> int:
    """Return how many placebos are asked for.

    Raises:
        InvalidInputError: below 0, or more than `MOST_PLACEBOS`.
    """
    if not 0 <= number <= MOST_PLACEBOS:
        raise InvalidInputError("placebos", f"is {number}", f"a number from 0 to {MOST_PLACEBOS}")
    return number


def placebo_counts(
    conn: Connection,
    role: Role,
    prices: PriceSource,
    number: int,
    group: str,
    now: datetime,
    *,
    level: float,
    as_of: datetime | None = None,
    on_step: OnStep = lambda _done, _of: None,
) -> list[PlaceboCount]:
    """Return how many of some roles of coin flips would have been confirmed, by class of assets.

    A pattern counts if it was confirmed at any look, also one that was retired since. The same
    group, role and decisions give the same answer; a new decision changes no earlier coin.

    Args:
        number: placebos; see `checked_placebos`.
        group: names the coins, with the role.
        now: the latest moment at which prices are read.
        level: as the role's own patterns are weighed with.
        as_of: only the decisions that counted at this moment.
    """
    window_hours = window_of(role)
    if window_hours is None:
        return []
    moment = None if as_of is None else to_micros(as_of)
    outcomes = rows.votes(conn, role.id, window_hours, moment)
    calls = [row for row in outcomes if row.direction != "neutral"]
    step = _Steps(on_step, len(calls) * (1 + number))
    moments = placebo_rows.moments(conn, role.id)
    measuring = _Measuring(role, prices, as_of or now)
    sided = []
    for row in sorted(calls, key=lambda row: (row.asset_key, row.entry_at)):
        decided = moments[row.subject_id]
        long = measuring.as_side(row, decided, "long")
        short = measuring.as_side(row, decided, "short")
        if long is not None and short is not None:
            coins = _coins(group, role.id, row.asset_key, decided.decided_at)
            sided.append(_BothSides(long, short, coins))
        step.add(1)
    sided.sort(key=lambda one: (one.long.entry_at, one.long.subject_id))
    told: Counter[str] = Counter()
    for place in range(number):
        families = families_by_class((one.flipped(place) for one in sided), level)
        told.update(name for name, family in families.items() if family.was_confirmed)
        step.add(len(calls))
    decisions = Counter(one.long.asset_class for one in sided)
    return [
        PlaceboCount(name, number, told[name], decisions[name], level) for name in sorted(decisions)
    ]


class _BothSides(NamedTuple):
    """The outcome of a decision as a long and as a short, and the coins of its placebos as bits."""

    long: OutcomeRow
    short: OutcomeRow
    coins: int

    def flipped(self, place: int) -> OutcomeRow:
        """Return the side that the coin of a placebo says."""
        return self.short if self.coins >> place & 1 else self.long


class _Measuring:
    """Measures decisions of a role as if they had been of another side."""

    def __init__(self, role: Role, prices: PriceSource, known_by: datetime) -> None:
        probe = role.reflection_policy.outcome_probe
        assert isinstance(probe, PriceDelta | PeerRelative)  # a price judges the role
        self._role, self._probe = role, probe
        self._measurer = OutcomeMeasurer(prices, known_by, probe.costs)

    def as_side(self, row: OutcomeRow, moment: PlaceboMoment, side: Direction) -> OutcomeRow | None:
        """Return the outcome of a decision as if it had been of a side; None without prices."""
        probe = self._probe
        peers: Sequence[str] = ()
        if isinstance(probe, PeerRelative):
            inputs = claimed_inputs(json.loads(moment.inputs), moment.asset, self._role)
            peers = named_peers(probe, inputs, moment.asset)
        decided_at = from_micros(moment.decided_at)
        subject = Subject("decision", row.subject_id, moment.asset, side, decided_at)
        (outcome,) = self._measurer.over(subject, (probe.window_hours,), peers)
        if not isinstance(outcome, MeasuredOutcome):
            return None
        return row._replace(**{name: getattr(outcome, name) for name in _SHARED})


class _Steps:
    """Counts the steps, and tells of them now and then."""

    def __init__(self, on_step: OnStep, of: int) -> None:
        self._on_step, self._of = on_step, of
        self._done = self._said = 0

    def add(self, steps: int) -> None:
        self._done += steps
        if self._done - self._said >= _TOLD_EVERY or self._done == self._of:
            self._said = self._done
            self._on_step(self._done, self._of)


def _coins(group: str, role_id: str, asset_key: str, decided_at: int) -> int:
    """Return 256 coins of one decision: the bits of a digest of its moment and asset."""
    return int.from_bytes(
        sha256(f"{group}\n{role_id}\n{asset_key}\n{decided_at}".encode()).digest()
    )
