"""Sentences about the record of a role; only what was told apart from luck gets strong words."""

from collections.abc import Sequence
from typing import Final

from afterword.pipeline.domain.patterns.placebos import PlaceboCount
from afterword.pipeline.domain.patterns.text import market_text
from afterword.pipeline.operations.roles.figures import CalibrationLine
from afterword.pipeline.operations.roles.summary import (
    CellLine,
    ClassOverview,
    NearestSetup,
    PatternLine,
    RoleSummary,
    SetupLine,
)
from afterword.pipeline.rules.evidence.family import EMERGING_LEVEL
from afterword.pipeline.rules.evidence.lesson_effect import ArmCount, LessonEffect
from afterword.pipeline.rules.evidence.model import PatternState, Setup, Side
from afterword.pipeline.rules.evidence.needed import FEWEST_CONFIRMED
from afterword.pipeline.rules.evidence.rates import wilson_interval
from afterword.pipeline.rules.evidence.trial import RETIRED_AT
from afterword.pipeline.rules.evidence.words import MOVES, SEEN_BY, setup_name
from afterword.pipeline.rules.setup import Direction, Trend
from afterword.pipeline.rules.text.numbers import amount
from afterword.pipeline.views.numbers import (
    count,
    interval,
    percent,
    times_words,
    usd,
)

_STATES: Final[dict[PatternState, str]] = {
    "single": "not told apart from luck",
    "emerging": "a hint, not a lesson",
    "confirmed": "confirmed",
    "retired": "no longer holds",
}
_BADGES: Final[dict[PatternState, str]] = {
    "single": "open",
    "emerging": "hint",
    "confirmed": "confirmed",
    "retired": "retired",
}
_TESTED: Final[dict[Side, str]] = {"failing": "right less often", "works": "right more often"}
_DRAW: Final = "only AFTERWORD_LESSON_HOLDOUT can tell"
_ENOUGH_PLACEBOS: Final = 100
"""From so many placebos on, 5 and 15 of a hundred are mostly told apart."""

_PLANS: Final = {
    "target_first": "met the target first",
    "stop_first": "met the stop first",
    "neither": "met neither in time",
    "same_bar": "met both in one bar",
}


def role_words(role: RoleSummary) -> str:
    """Return what a role is, when its decisions are judged, and how many wait or were forgotten."""
    judged = (
        "not judged by a price"
        if role.window_hours is None
        else f"judged {role.window_hours:,} h later"
    )
    waiting = "".join(
        f"; {number:,} {reason if reason == 'pending' else f'parked, {reason}'}"
        for reason, number in role.waiting.items()
    )
    erased = f"; {role.erased:,} forgotten, which count nowhere" if role.erased else ""
    return f"{role.label}, {judged}{waiting}{erased}"


def setup_words(direction: Direction, trend: Trend) -> str:
    """Return a setup in words: `longs after a rise beyond the band`."""
    return setup_name(Setup(direction, trend))


def setup_label(direction: Direction, trend: Trend) -> str:
    """Return a setup in a few words for a table: `longs after a rise`."""
    return f"{direction}s after {MOVES[trend]}"


def state_words(state: PatternState) -> str:
    """Return what may be said of a pattern in a state."""
    return _STATES[state]


def badge_word(state: PatternState) -> str:
    """Return the state of a pattern in one word."""
    return _BADGES[state]


def tested_words(side: Side) -> str:
    """Return what a hypothesis asks of calls, against those without skill."""
    return _TESTED[side]


def right_words(line: CellLine) -> str:
    """Return hits against the base: `right 12 of 31 stretches, 39 % (24–56 %); base 15.2, 49 %`."""
    if not line.decisions:
        return "no decision yet"
    if not line.stretches:
        return "every stretch stayed inside the noise band"
    return (
        f"right {amount(line.hits)} of {count(line.stretches, 'stretch', 'stretches')}, "
        f"{percent(line.hits / line.stretches)} ({interval(line.low, line.high)}); "
        f"base {amount(line.expected)}, {percent(line.expected / line.stretches)}"
    )


def verdict_words(overview: ClassOverview) -> str:
    """Return how many patterns are told apart from luck, or that none is and what would be seen."""
    confirmed, hints = overview.in_state("confirmed"), overview.in_state("emerging")
    if confirmed:
        return f"{count(len(confirmed), 'pattern')} can be told apart from luck."
    if hints:
        return (
            f"Nothing can be told apart from luck yet; {count(len(hints), 'hint')} to watch. "
            "One role in five shows one by luck."
        )
    if not overview.calls.stretches:
        return (
            "Nothing can be told yet: no long or short has left the noise band."
            if overview.calls.decisions
            else "Nothing can be told yet: only longs and shorts are tested, and there is none."
        )
    return f"Nothing can be told apart from luck yet: {_stretches(overview)}. {SEEN_BY}"


def market_lines(setups: Sequence[SetupLine]) -> list[str]:
    """Return what the market itself did in each setup, where it is known."""
    return [
        market_text(setup.direction, setup.trend, setup.market)
        for setup in setups
        if setup.market is not None
    ]


def nearest_words(nearest: NearestSetup | None) -> str:
    """Return what would change the verdict."""
    if nearest is None:
        return "No setup leans far enough from its base to say how many stretches would decide."
    return (
        f"{setup_words(nearest.direction, nearest.trend).capitalize()} were right "
        f"{amount(nearest.hits)} of {nearest.stretches:,} (base {amount(nearest.expected)}). At "
        f"{percent(nearest.expected_rate)}, the rate to expect next, about "
        f"{count(nearest.stretches_needed, 'more such stretch', 'more such stretches')} would "
        "decide."
    )


def placebo_lines(counts: Sequence[PlaceboCount]) -> list[str]:
    """Return how many roles of coin flips would have been told something, a line for each class."""
    return [_placebo_line(one) for one in counts]


def _placebo_line(placebo: PlaceboCount) -> str:
    low, high = wilson_interval(placebo.told, placebo.placebos)
    few = ""
    if placebo.placebos < _ENOUGH_PLACEBOS:
        few = f"; {placebo.placebos:,} cannot tell 5 % from 15 %"
    return (
        f"{placebo.asset_class}: {placebo.told:,} of {count(placebo.placebos, 'coin-flip role')} "
        f"at the same {count(placebo.decisions, 'moment')} told something "
        f"({interval(low, high)}); expected at most "
        f"{amount(placebo.placebos * placebo.level)} of {placebo.placebos:,}{few}"
    )


def effect_words(line: PatternLine) -> str:
    """Return whether a lesson helped those that were told it; empty where none could be.

    Without a draw it never says that it helped.
    """
    effect = line.effect
    if effect is None:
        return ""
    before = f"Before it was confirmed {_arm_words(effect.before)}: selected, no evidence."
    if not effect.read.decisions and not effect.other.decisions:
        return f"Cannot tell yet: no decision after {MOVES[line.trend]} since then. {before}"
    others = "left out by the draw" if effect.share else "did not"
    words = (
        f"After {MOVES[line.trend]}, hits of stretches: read it {_arm_words(effect.read)}, "
        f"{others} {_arm_words(effect.other)}; {_difference_words(effect)}."
    )
    played = (
        f"{line.direction.capitalize()}s among them: {_played_words(effect.read)}, "
        f"{_played_words(effect.other)}."
    )
    return f"{words} {played} {before}"


def _arm_words(arm: ArmCount) -> str:
    return f"{amount(arm.hits)} of {arm.stretches:,} (base {amount(arm.expected)})"


def _played_words(arm: ArmCount) -> str:
    return f"{arm.played:,} of {count(arm.decisions, 'decision')}"


def _difference_words(effect: LessonEffect) -> str:
    """Return the difference of hits less base, with what may be said of it."""
    told = ""
    if effect.difference is not None:
        told = f"hits less base {_points(effect.difference)}"
    if effect.interval is not None:
        low, high = map(_points, effect.interval)
        told += f" ({low} to {high})"
    told += ", " if told else ""
    if not effect.share:
        return f"{told}cannot tell yet: who reads it may differ otherwise; {_DRAW}"
    if effect.verdict != "cannot tell yet":
        return f"{told}{effect.verdict}: chance separates the two"
    more = "" if effect.needed is None else f": {needed_words(effect.needed)}"
    return f"{told}cannot tell yet{more}"


def _points(share: float) -> str:
    return f"{100 * share:+.0f} points"


def change_words(overview: ClassOverview) -> str:
    """Return what would change the verdict: later stretches, or more of one setup."""
    confirmed = overview.in_state("confirmed")
    if not confirmed:
        return nearest_words(overview.nearest)
    most = max(pattern.reverse for pattern in confirmed)
    words = f"A confirmed pattern {retired_words(most)}."
    return words if overview.nearest is None else f"{words} {nearest_words(overview.nearest)}"


def retired_words(reverse: float) -> str:
    """Return what would end a confirmed pattern.

    Args:
        reverse: how many times better later results fit a lost effect than a lasting one.
    """
    return (
        f"is retired when later stretches fit a lost effect {RETIRED_AT:.0f} times better than a "
        f"lasting one; now {times_words(reverse)} times"
    )


def needed_words(stretches_needed: int | None) -> str:
    """Return how many further stretches would decide a question."""
    if stretches_needed is None:
        return "no number of stretches at its present rate"
    more = count(stretches_needed, "more such stretch", "more such stretches")
    return f"about {more} would decide, at the rate to expect next"


def evidence_words(evidence: float, confirming: float) -> str:
    """Return an e-value as what a bet came to.

    Args:
        evidence: what a bet against chance, begun at 1, is worth now.
        confirming: what confirms one question alone.
    """
    return (
        f"a bet against chance that began at 1 is now worth {times_words(evidence)}; at "
        f"{confirming:,.0f} it is confirmed, from {FEWEST_CONFIRMED} stretches on"
    )


def how_to_read(level: float) -> dict[str, str]:
    """Return what the words of a summary mean, by word.

    Args:
        level: chance of any false pattern in a role without effects.
    """
    return {
        "stretch": "decisions of one kind on one asset that share its prices: one vote, that of "
        "the first. Several assets at the same time share a vote, hence fractions",
        "noise band": "a quarter of the asset's usual move in that time, and costs. A stretch "
        "inside it casts no vote; a rise or a fall is a move beyond it",
        "base": "hits of calls without skill in the same stretches",
        "95 %": "the shares of hits that the record allows; a short record allows many",
        "market": "what the market itself did, whoever decided: windows of the role's "
        "length that do not overlap, moved beyond the band and were known at its latest such "
        "decision. Several assets share a window",
        "beyond market": "mean move of the asset less its market's part (BTC, SPY), in the "
        "direction of the calls",
        "questions": "twelve for each class of assets: are longs, or shorts, after a rise, a fall "
        "or no clear move right less often than the base, or more often?",
        "confirmed": f"chance shows such a pattern in at most 1 of {1 / level:.0f} roles, however "
        f"often you look; a hint in 1 of {1 / max(level, EMERGING_LEVEL):.0f}",
    }


def scope_words(is_class: bool, assets: Sequence[str]) -> str:
    """Return which assets a pattern may be told of."""
    named = ", ".join(assets)
    if is_class:
        return f"the whole class{f', strongest in {named}' if named else ''}"
    return named or "no asset: it is neither of the whole class nor of one asset"


def calibration_words(line: CalibrationLine) -> str:
    """Return stated confidence against hits: `you say 80 %, it is 57 % (n = 41)`."""
    return f"you say {percent(line.stated)}, it is {percent(line.hit)} (n = {line.decisions:,})"


def repeat_words(overview: ClassOverview) -> str:
    """Return a warning where many decisions share few stretches of prices; empty elsewhere."""
    stretches = overview.calls.stretches + overview.calls.spent
    if not stretches or overview.calls.decisions < 2 * stretches:
        return ""
    whole, shared = overview.calls.decisions, count(stretches, "stretch", "stretches")
    return f"{whole:,} decisions share {shared} of prices: near-same ones do not confirm each other"


def brier_words(overview: ClassOverview) -> str:
    """Return the Brier score with a score to hold it against; empty without stated confidence."""
    if overview.brier is None or overview.reference is None:
        return ""
    return (
        f"Brier score {overview.brier:.2f}; always saying the share that was right would score "
        f"{overview.reference:.2f}, and 0 is best"
    )


def outcome_words(overview: ClassOverview) -> str:
    """Return what became of decisions by the price at the end of the window."""
    outcomes = f"{overview.right:,} right, {overview.wrong:,} wrong, {overview.noise:,} noise"
    return f"{outcomes}, by the price when the window ended"


def plan_words(overview: ClassOverview) -> str:
    """Return what the plans of decisions met first; empty where none had a plan."""
    met = ", ".join(f"{number:,} {_PLANS[name]}" for name, number in overview.plans.items())
    return f"{met}; a decision with a plan is judged by it" if met else ""


def result_words(overview: ClassOverview) -> str:
    """Return the result in USD, and how many decisions it is the sum of; empty if none is known."""
    if not overview.sized:
        return ""
    known = f"{overview.sized:,} of {count(overview.decisions, 'decision')}"
    return f"{usd(overview.calls.cost_micro_usd)} after costs, where sizes are known: {known}"


def neutral_words(overview: ClassOverview) -> str:
    """Return how neutral calls did; empty without any."""
    if overview.neutral is None:
        return ""
    calls = count(overview.neutral.decisions, "neutral call")
    if not overview.neutral.stretches:
        return f"{calls}: every one stayed too close to the usual move to say"
    return f"{calls}: {right_words(overview.neutral)}; counted, never a pattern"


def _stretches(overview: ClassOverview) -> str:
    """Return how many stretches there are, and in the fullest setup."""
    whole = count(overview.calls.stretches, "stretch", "stretches")
    fullest = overview.fullest
    if fullest is None or fullest.numbers.stretches == overview.calls.stretches:
        return whole
    setup = setup_words(fullest.direction, fullest.trend)
    return f"{whole}, at most {fullest.numbers.stretches:,} of one setup ({setup})"
