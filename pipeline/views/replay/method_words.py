"""Sentences about the methodologies of a replay; only what graduated gets strong words."""

from typing import Final

from afterword.pipeline.operations.replay_report.model import (
    BeforeAfter,
    Graduation,
    HitShare,
    ReplayMethod,
    ReplayReport,
)
from afterword.pipeline.rules.text.numbers import amount
from afterword.pipeline.views.numbers import NONE, count, interval, percent

STATES: Final = {
    "new": "no outcome",
    "trying": "open",
    "promising": "promising",
    "graduated": "graduated",
    "demoted": "demoted",
    "flagged": "doubted",
    "merged": "merged",
    "deleted": "deleted",
}
"""The state of a methodology in a word or two."""

BLANK_SHARE: Final = HitShare(0, 0, None, None, None, 0.0, 1.0)

_DAY: Final = "%Y-%m-%d"


def nearest_words(report: ReplayReport) -> str:
    """Return which methodology would be decided next; empty without any that was tried."""
    waiting = [
        one
        for one in report.methods
        if not one.is_placebo and one.state in ("trying", "promising", "demoted")
    ]
    near = [one for one in waiting if one.uses_needed is not None]
    if not waiting:
        return ""
    if not near:
        return (
            "No other method leans far enough from its base to say when it would be decided."
            if report.graduated()
            else "No method leans far enough from its base to say when it would be decided."
        )
    one = min(near, key=lambda one: (one.uses_needed or 0, one.number))
    return f"Nearest to a verdict: {one.name}: {share_words(one.strict)}; {needed_words(one)}."


def needed_words(one: ReplayMethod) -> str:
    """Return how long a verdict takes at the present rate."""
    if one.state == "graduated":
        return "it is graduated"
    if one.uses_needed is None:
        return "no verdict in sight"
    if not one.uses_needed:
        return "it has the record, among so many it is not enough yet"
    more = count(one.uses_needed, "more stretch", "more stretches")
    if one.months_needed is None or one.verdict_at is None:
        return f"about {more}"
    return f"about {more}, {months(one.months_needed)}: not before {one.verdict_at:{_DAY}}"


def months(number: float) -> str:
    """Return a time in months, and in years from two years on."""
    if number < 24:
        return count(max(1, round(number)), "month")
    return f"{amount(number / 12)} years"


def share_words(one: HitShare, unit: str = "stretch") -> str:
    """Return a record: `right 12 of 31 stretches, 39 % (24–56 %); base 49 %`."""
    many = unit + ("es" if unit.endswith("ch") else "s")
    if one.rate is None:
        return f"no {unit} yet"
    base = "" if one.base is None else f"; base {percent(one.base)}"
    return (
        f"right {amount(one.hits)} of {count(round(one.uses), unit, many)}, {percent(one.rate)} "
        f"({interval(one.low, one.high)}){base}"
    )


def graduation_words(name: str, one: Graduation) -> str:
    """Return a record until it graduated, and since: the most honest line there is."""
    unit = "stretch" if one.gate == "strict" else "window"
    since = BLANK_SHARE if one.since is None else one.since
    until = f" to {one.ended_at:{_DAY}}, when it was demoted" if one.ended_at is not None else ""
    return (
        f"{name}, graduated from {one.at:{_DAY}}{until}. Until then "
        f"{share_words(one.before, unit)}. Since, which nobody knew then: "
        f"{share_words(since, unit)}."
    )


def before_after_words(one: BeforeAfter) -> str:
    """Return how all that a gate let through did until then and since; empty without any."""
    if not one.graduations:
        return ""
    gate = "the strict gate" if one.gate == "strict" else "the literal rule"
    unit = "stretches" if one.gate == "strict" else "windows"
    return (
        f"Before and after, {count(one.graduations, 'graduation')} by {gate}: right in "
        f"{short_share(one.before)} {unit} until then, in {short_share(one.since)} since."
    )


def short_share(one: HitShare) -> str:
    """Return a record in few words: `61 % of 44 (base 49 %)`."""
    if one.rate is None:
        return "no use"
    base = "" if one.base is None else f" (base {percent(one.base)})"
    return f"{percent(one.rate)} of {amount(one.uses)}{base}"


def share_of(one: HitShare) -> str:
    """Return the hits of a record: `31.5 of 58`; a dash without any use."""
    return NONE if one.rate is None else f"{amount(one.hits)} of {amount(one.uses)}"


def placebo_words(report: ReplayReport) -> str:
    """Return how many placebos passed: a replay's own honesty check."""
    one = report.tried.placebos
    if not one.written:
        return "No placebo ran beside: nothing here checks the gates themselves."
    gates = {"strict gate": one.strict, "literal rule": one.literal}
    fooled = [name for name, number in gates.items() if number]
    so = f" What the {' or the '.join(fooled)} lets through may be luck." if fooled else ""
    return (
        f"Honesty check: of {count(one.written, 'placebo')}, made without skill, {one.promising:,} "
        f"ever looked promising; the strict gate would have let {one.strict:,} through, the "
        f"literal rule {one.literal:,}.{so}"
    )
