"""The evidence for one hypothesis, and whether it is confirmed or retired."""

from collections.abc import Sequence
from math import fsum
from typing import Final

from afterword.pipeline.rules.evidence.bets import DELTAS, Wager, gain, reverse_factor
from afterword.pipeline.rules.evidence.model import HitCount, Hypothesis, PatternScope, PatternState
from afterword.pipeline.rules.evidence.rates import clipped_base
from afterword.pipeline.rules.evidence.stretches import NEVER_US, ClassStretch
from afterword.pipeline.rules.evidence.totals import CountedVote

NAMED_AT: Final = 20.0
"""The e-value from which an asset is named: alone it is wrong with a chance of at most 1 in 20."""

CLASS_AT: Final = 10.0
"""The e-value that the class needs without its strongest asset. With the asset and 20 instead, a
flaw of one asset is told of others in 10-28 %; so in 1-4 %, at no loss of power (measured; decision
record 0065)."""

RETIRED_AT: Final = 10.0
"""The reverse bet that retires a pattern. Measured: 55 % of lost effects are found within 60
stretches, 3-9 % of the true ones are retired; with 20 it is 33 % and at most 3 %."""


class PatternTrial:
    """The evidence for one hypothesis since it was last retired.

    Attributes:
        n_eff: stretches of the class that voted since then; count.
        pooled: the bet on the class: the mean gain of all assets of a stretch.
        assets: the bet on each asset.
        is_emerging: whether e-BH selects it at the level of a hint.
        reverse: the bet that a confirmed effect is lost, restarted whenever it falls below 1.
        since: votes in its scope since it was confirmed.
    """

    def __init__(self, hypothesis: Hypothesis) -> None:
        self.hypothesis = hypothesis
        self._is_failing = hypothesis.side == "failing"
        self.confirmed_at: int | None = None
        self.retired_at: int | None = None
        self.is_emerging = False
        self._told_until = -NEVER_US  # end of the last stretch that the reverse bet counted
        self._restart()

    def copy(self) -> "PatternTrial":
        """Return a trial that stands where this one does, and goes on by itself."""
        self.scope()  # so that no copy has to go through the history once more
        made = PatternTrial(self.hypothesis)
        made.confirmed_at, made.retired_at = self.confirmed_at, self.retired_at
        made.is_emerging, made._told_until = self.is_emerging, self._told_until
        made.n_eff, made.pooled = self.n_eff, self.pooled.copy()
        made.assets = {asset: own.copy() for asset, own in self.assets.items()}
        made.reverse, made.since = self.reverse, self.since
        made._history = self._history.copy()
        made._others = {
            asset: (wager.copy(), done) for asset, (wager, done) in self._others.items()
        }
        return made

    @property
    def state(self) -> PatternState:
        """Return what may be said of the pattern now."""
        if self.confirmed_at is not None:
            return "confirmed"
        if self.is_emerging:
            return "emerging"
        return "single" if self.retired_at is None else "retired"

    def add(self, votes: Sequence[CountedVote], group: ClassStretch) -> None:
        """Bet on the votes of a stretch, and retire the pattern if it no longer holds.

        Args:
            votes: of the assets of one stretch, at least one.
            group: the stretch, which closed.
        """
        if self.confirmed_at is not None and self._is_lost(votes, group):
            self.confirmed_at = None
            self.retired_at = group.closes_at
            self._restart()
            return
        together = 0.0
        for asset, is_hit, base in votes:
            # `gain`, written out: this runs twice for every stretch of every asset.
            if self._is_failing:
                won = -1.0 if is_hit else base / (1 - base)
            else:
                won = (1 - base) / base if is_hit else -1.0
            own = self.assets.get(asset)
            if own is None:
                own = self.assets[asset] = Wager()
            own.add(won)
            together += won
        if not group.is_counted:
            return
        self.n_eff += 1
        self.pooled.add(together / len(votes))
        self._history.append(votes)

    def evidence(self, assets: int) -> float:
        """Return the e-value of the hypothesis: half from the class, half from its assets.

        Args:
            assets: on which the role ever decided; one without votes has an e-value of 1.
        """
        wagers = self.assets
        # Exact, so that the order of the assets does not matter.
        own = fsum([wager.value for wager in wagers.values()])
        return 0.5 * self.pooled.value + 0.5 * (own + assets - len(wagers)) / assets

    def most_evidence(self, evidence: float, assets: int, groups: Sequence[ClassStretch]) -> float:
        """Return an e-value that the hypothesis cannot exceed when open stretches end.

        Args:
            evidence: its e-value now; see `evidence`, also for `assets`.
            groups: the open stretches of its setup, each bet on which may be won.
        """
        class_grows, grows = 1.0, dict[str, float]()
        for group in groups:
            largest = 1.0
            for ballot in group.ballots:
                base = clipped_base(ballot.bases / ballot.voting)
                odds = base / (1 - base) if self._is_failing else (1 - base) / base
                factor = 1 + DELTAS[-1] * odds
                grows[ballot.asset] = grows.get(ballot.asset, 1.0) * factor
                largest = max(largest, factor)
            if group.is_counted:
                class_grows *= largest
        more = 0.0
        for asset, factor in grows.items():
            own = self.assets.get(asset)
            more += (factor - 1) * (1.0 if own is None else own.value)
        return evidence + 0.5 * self.pooled.value * (class_grows - 1) + 0.5 * more / assets

    def confirm(self, at: int) -> None:
        """Call the pattern confirmed, and begin to watch whether it holds."""
        self.confirmed_at = at
        self.is_emerging = False
        self.reverse = 1.0
        self.since = HitCount(0, 0.0, 0.0)

    def scope(self) -> PatternScope:
        """Return the assets of which the pattern may be told: none, unless it is selected."""
        if self.confirmed_at is None and not self.is_emerging:
            return PatternScope()
        named = tuple(sorted(name for name, own in self.assets.items() if own.value >= NAMED_AT))
        return PatternScope(named, self._is_of_class())

    def _is_of_class(self) -> bool:
        strongest = max(self.assets, key=lambda name: (self.assets[name].value, name))
        return self._without(strongest).value >= CLASS_AT

    def _without(self, asset: str) -> Wager:
        """Return the bet on the class without one asset, brought up to date."""
        wager, done = self._others.get(asset, (Wager(), 0))
        side = self.hypothesis.side
        for votes in self._history[done:]:
            others = [gain(side, is_hit, base) for name, is_hit, base in votes if name != asset]
            if others:
                wager.add(sum(others) / len(others))
        self._others[asset] = wager, len(self._history)
        return wager

    def _is_lost(self, votes: Sequence[CountedVote], group: ClassStretch) -> bool:
        """Bet that the effect is lost where it is told, and say whether the bet is won."""
        scope = self.scope()
        # A flaw of one asset must not be retired by the assets that never had it.
        is_told = scope.is_class or not scope.assets
        told = [vote for vote in votes if is_told or vote[0] in scope.assets]
        if not told or group.entry_at < self._told_until:
            return False
        self._told_until = group.exit_at
        n_eff, hits, expected = self.since
        self.since = HitCount(
            n_eff + 1,
            hits + sum(is_hit for _, is_hit, _ in told) / len(told),
            expected + sum(base for _, _, base in told) / len(told),
        )
        side = self.hypothesis.side
        factors = [reverse_factor(side, is_hit, base) for _, is_hit, base in told]
        self.reverse = max(self.reverse, 1.0) * sum(factors) / len(factors)
        return self.reverse >= RETIRED_AT

    def _restart(self) -> None:
        self.n_eff = 0
        self.pooled = Wager()
        self.assets: dict[str, Wager] = {}
        self.reverse = 1.0
        self.since = HitCount(0, 0.0, 0.0)
        self._history: list[Sequence[CountedVote]] = []
        self._others: dict[str, tuple[Wager, int]] = {}
