"""The patterns of one role in one asset class, kept up to date with every vote."""

from math import inf
from typing import Final

from afterword.pipeline.rules.evidence.bets import e_bh_bar
from afterword.pipeline.rules.evidence.market_rate import WindowCount
from afterword.pipeline.rules.evidence.model import (
    HYPOTHESES,
    SETUPS,
    AssetRecord,
    Hypothesis,
    PatternRecord,
    PatternScope,
    PatternState,
    Setup,
    SetupRecord,
    Vote,
)
from afterword.pipeline.rules.evidence.needed import FEWEST_CONFIRMED, stretches_needed
from afterword.pipeline.rules.evidence.rates import shrunk_rate
from afterword.pipeline.rules.evidence.stretches import (
    NEVER_US,
    SETUP_NUMBERS,
    ClassStretch,
    StretchBook,
)
from afterword.pipeline.rules.evidence.totals import SetupTotals
from afterword.pipeline.rules.evidence.trial import PatternTrial

CONFIRMED_LEVEL: Final = 0.05
"""Default level of confirmed patterns: of roles without any effect at most one in twenty ever shows
one, however often one looks."""

EMERGING_LEVEL: Final = 0.20
"""Level of a hint."""

FEWEST_EMERGING: Final = 15
"""Voting stretches that a hint has at least."""

_NUMBERS: Final = {hypothesis: number for number, hypothesis in enumerate(HYPOTHESES)}


class FamilyRecord:
    """The twelve hypotheses of one role and asset class, tested together.

    Whenever a stretch closes, e-BH selects among the twelve current e-values. If it selects
    anything, their mean is at least 1 / level, and this mean is itself an e-process: without any
    effect that happens with a chance of at most the level, ever, at any number of looks and under
    any dependence (J. Ville, 1939). A confirmed pattern stays so until it is retired.
    """

    def __init__(self, level: float = CONFIRMED_LEVEL) -> None:
        """Begin without votes.

        Args:
            level: chance of any false pattern in a role without effects; in (0, 1).

        Raises:
            ValueError: the level is not a chance.
        """
        if not 0 < level < 1:
            raise ValueError(f"level must lie between 0 and 1, got {level}")
        self.level = level
        self._hint_level = max(level, EMERGING_LEVEL)
        self._has_hints = False
        self._book = StretchBook()
        self._totals = tuple(SetupTotals(setup) for setup in SETUPS)
        self._trials = tuple(PatternTrial(hypothesis) for hypothesis in HYPOTHESES)
        self._evidence = [1.0] * len(HYPOTHESES)
        self._assets = 0
        self._markets: dict[tuple[Setup, str], WindowCount] = {}
        self._latest = -NEVER_US

    def copy(self) -> "FamilyRecord":
        """Return a record that stands where this one does, and goes on by itself."""
        made = FamilyRecord.__new__(FamilyRecord)
        made.level, made._hint_level = self.level, self._hint_level
        made._has_hints, made._book = self._has_hints, self._book.copy()
        made._totals = tuple(totals.copy() for totals in self._totals)
        made._trials = tuple(trial.copy() for trial in self._trials)
        made._evidence, made._assets = self._evidence.copy(), self._assets
        made._markets, made._latest = self._markets.copy(), self._latest
        return made

    @property
    def assets(self) -> tuple[str, ...]:
        """Return the assets on which the role ever decided, sorted."""
        return tuple(sorted(self._book.assets))

    @property
    def was_confirmed(self) -> bool:
        """Whether any pattern was ever confirmed, also one that was retired since."""
        return any(
            trial.confirmed_at is not None or trial.retired_at is not None for trial in self._trials
        )

    def add(self, vote: Vote) -> None:
        """Take a decision in, after closing the stretches that ended by its entry.

        Args:
            vote: not earlier than the last one, by entry; also if its outcome is not known yet.

        Raises:
            ValueError: it enters before the last one or before the last close, or its exit is not
                after its entry.
        """
        entry_at = vote.entry_at
        if entry_at < self._latest:
            raise ValueError(f"votes must come by entry: {entry_at} is before {self._latest}")
        if vote.exit_at <= entry_at:
            raise ValueError(f"vote {vote.subject}: its exit must be after its entry")
        self._latest = entry_at
        if entry_at >= self._book.next_close:
            self._settle(self._book.closed(entry_at))
        self._book.add(vote)
        if vote.market is not None:
            self._markets[vote.setup, vote.asset] = vote.market

    def close(self, by: int) -> None:
        """End the stretches whose last outcome is known by a moment.

        Args:
            by: microseconds UTC; every decision that entered before it was added.
        """
        self._latest = max(self._latest, by)
        self._settle(self._book.closed(by))

    def closed(self) -> "FamilyRecord":
        """Return the record as if all open stretches ended now, with the outcomes known so far."""
        made = self.copy()
        made.close(NEVER_US - 1)
        return made

    def may_show_patterns(self) -> bool:
        """Return whether a hypothesis may be other than `single`, now or once all stretches end.

        It asks whether e-BH could select anything if every open bet were won: much cheaper than
        closing, and mostly the answer is no.
        """
        if self._has_hints or any(trial.state != "single" for trial in self._trials):
            return True
        if len(self._book.assets) != self._assets:
            return True  # the means over the assets change: rare, and not worth a bound
        most = self.most_evidence()
        bar = e_bh_bar(most, self._hint_level * (1 + 1e-6))
        fewest, open_of = min(FEWEST_CONFIRMED, FEWEST_EMERGING), self._book.count_open()
        return any(
            evidence >= bar and trial.n_eff + open_of[number // 2] >= fewest
            for number, (trial, evidence) in enumerate(zip(self._trials, most, strict=True))
        )

    def most_evidence(self) -> list[float]:
        """Return e-values that the twelve hypotheses cannot exceed once all open stretches end."""
        assets, most = max(self._assets, 1), []
        for number, (trial, evidence) in enumerate(zip(self._trials, self._evidence, strict=True)):
            groups = self._book.open_of(number // 2)
            most.append(trial.most_evidence(evidence, assets, groups) if groups else evidence)
        return most

    def states(self) -> tuple[PatternState, ...]:
        """Return the states of the twelve hypotheses, in the order of `HYPOTHESES`."""
        return tuple(trial.state for trial in self._trials)

    def patterns(self) -> tuple[PatternRecord, ...]:
        """Return the records of the twelve hypotheses, in the order of `HYPOTHESES`."""
        return tuple(self.pattern(hypothesis) for hypothesis in HYPOTHESES)

    def pattern(self, hypothesis: Hypothesis) -> PatternRecord:
        """Return the record of one hypothesis."""
        number = _NUMBERS[hypothesis]
        trial = self._trials[number]
        totals = self._totals[number // 2]
        whole = totals.record()
        is_confirmed = trial.confirmed_at is not None
        rate = shrunk_rate(whole.hits, whole.expected, whole.n_eff)
        needed = None
        if whole.n_eff and not is_confirmed:
            needed = stretches_needed(
                hypothesis.side,
                self._evidence[number],
                trial.n_eff,
                rate,
                whole.expected / whole.n_eff,
                self.level,
                len(HYPOTHESES),
            )
        own = {}
        for asset, count in sorted(totals.assets.items()):
            wager = trial.assets.get(asset)
            own[asset] = AssetRecord(
                evidence=1.0 if wager is None else wager.value,
                n_eff=count.n_eff,
                hits=count.hits,
                expected=count.expected,
                n=count.n,
                spent=count.spent,
                mean_residual=count.mean_residual,
                cost_micro_usd=count.cost,
                market=self._markets.get((hypothesis.setup, asset)),
            )
        return PatternRecord(
            hypothesis=hypothesis,
            state=trial.state,
            level=self.level,
            evidence=self._evidence[number],
            n=whole.n,
            n_eff=whole.n_eff,
            spent=whole.spent,
            hits=whole.hits,
            expected=whole.expected,
            interval=whole.interval,
            mean_residual=whole.mean_residual,
            cost_micro_usd=whole.cost_micro_usd,
            first_at=whole.first_at,
            last_at=whole.last_at,
            scope=trial.scope(),
            confirmed_at=trial.confirmed_at,
            retired_at=trial.retired_at,
            since=trial.since if is_confirmed else None,
            reverse=trial.reverse,
            shrunk_rate=rate,
            asset_evidence=own,
            stretches_needed=needed,
        )

    def state(self, hypothesis: Hypothesis) -> PatternState:
        """Return the state of one hypothesis."""
        return self._trials[_NUMBERS[hypothesis]].state

    def scope(self, hypothesis: Hypothesis) -> PatternScope:
        """Return the assets of which the pattern of a hypothesis may be told."""
        return self._trials[_NUMBERS[hypothesis]].scope()

    def record(self, setup: Setup) -> SetupRecord:
        """Return the counts of one setup."""
        return self._totals[SETUP_NUMBERS[setup]].record()

    def _settle(self, groups: list[ClassStretch]) -> None:
        """Count the stretches that closed; those of one moment are judged together."""
        last = len(groups) - 1
        for place, group in enumerate(groups):
            setup, at = group.setup, group.closes_at
            votes = self._totals[setup].add(group)
            if votes:
                for number in (2 * setup, 2 * setup + 1):
                    trial = self._trials[number]
                    trial.add(votes, group)
                    self._evidence[number] = trial.evidence(len(self._book.assets))
            if place == last or groups[place + 1].closes_at != at:
                self._judge(at)

    def _judge(self, at: int) -> None:
        """Select by e-BH among the current e-values, and change the states."""
        if len(self._book.assets) != self._assets:
            # The mean over the assets now has one more member, also where nothing closed.
            self._assets = len(self._book.assets)
            self._evidence = [trial.evidence(self._assets) for trial in self._trials]
        hint = e_bh_bar(self._evidence, self._hint_level)
        if hint == inf and not self._has_hints:
            return
        bar = e_bh_bar(self._evidence, self.level)
        self._has_hints = False
        for trial, evidence in zip(self._trials, self._evidence, strict=True):
            if trial.confirmed_at is None:
                if evidence >= bar and trial.n_eff >= FEWEST_CONFIRMED:
                    trial.confirm(at)
                else:
                    trial.is_emerging = evidence >= hint and trial.n_eff >= FEWEST_EMERGING
                    self._has_hints |= trial.is_emerging
