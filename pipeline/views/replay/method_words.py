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

STATE_WORDS: Final = {
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
        method
        for method in report.methods
        if not method.is_placebo and method.state in ("trying", "promising", "demoted")
    ]
    near = [method for method in waiting if method.uses_needed is not None]
    if not waiting:
        return ""
    if not near:
        return (
            "No other method leans far enough from its base to say when it would be decided."
            if report.graduated()
            else "No method leans far enough from its base to say when it would be decided."
        )
    method = min(near, key=lambda method: (method.uses_needed or 0, method.number))
    record, needed = share_words(method.strict), needed_words(method)
    return f"Nearest to a verdict: {method.name}: {record}; {needed}."


def needed_words(method: ReplayMethod) -> str:
    """Return how long a verdict takes at the present rate."""
    if method.state == "graduated":
        return "it is graduated"
    if method.uses_needed is None:
        return "no verdict in sight"
    if not method.uses_needed:
        return "it has the record, among so many it is not enough yet"
    more = count(method.uses_needed, "more stretch", "more stretches")
    if method.months_needed is None or method.verdict_at is None:
        return f"about {more}"
    return f"about {more}, {months(method.months_needed)}: not before {method.verdict_at:{_DAY}}"


def months(number: float) -> str:
    """Return a time in months, and in years from two years on."""
    if number < 24:
        return count(max(1, round(number)), "month")
    return f"{amount(number / 12)} years"


def share_words(share: HitShare, unit: str = "stretch") -> str:
    """Return a record: `right 12 of 31 stretches, 39 % (24–56 %); base 49 %`."""
    many = unit + ("es" if unit.endswith("ch") else "s")
    if share.rate is None:
        return f"no {unit} yet"
    base = "" if share.base is None else f"; base {percent(share.base)}"
    return (
        f"right {amount(share.hits)} of {count(round(share.uses), unit, many)}, "
        f"{percent(share.rate)} ({interval(share.low, share.high)}){base}"
    )


def graduation_words(name: str, graduation: Graduation) -> str:
    """Return a record until it graduated, and since: the most honest line there is."""
    unit = "stretch" if graduation.gate == "strict" else "window"
    since = BLANK_SHARE if graduation.since is None else graduation.since
    until = (
        f" to {graduation.ended_at:{_DAY}}, when it was demoted"
        if graduation.ended_at is not None
        else ""
    )
    return (
        f"{name}, graduated from {graduation.at:{_DAY}}{until}. Until then "
        f"{share_words(graduation.before, unit)}. Since, which nobody knew then: "
        f"{share_words(since, unit)}."
    )


def before_after_words(records: BeforeAfter) -> str:
    """Return how all that a gate let through did until then and since; empty without any."""
    if not records.graduations:
        return ""
    gate = "the strict gate" if records.gate == "strict" else "the literal rule"
    unit = "stretches" if records.gate == "strict" else "windows"
    return (
        f"Before and after, {count(records.graduations, 'graduation')} by {gate}: right in "
        f"{short_share(records.before)} {unit} until then, in {short_share(records.since)} since."
    )


def short_share(share: HitShare) -> str:
    """Return a record in few words: `61 % of 44 (base 49 %)`."""
    if share.rate is None:
        return "no use"
    base = "" if share.base is None else f" (base {percent(share.base)})"
    return f"{percent(share.rate)} of {amount(share.uses)}{base}"


def share_of(share: HitShare) -> str:
    """Return the hits of a record: `31.5 of 58`; a dash without any use."""
    return NONE if share.rate is None else f"{amount(share.hits)} of {amount(share.uses)}"


def placebo_words(report: ReplayReport) -> str:
    """Return how many placebos passed: a replay's own honesty check."""
    placebos = report.tried.placebos
    if not placebos.written:
        return "No placebo ran beside: nothing here checks the gates themselves."
    gates = {"strict gate": placebos.strict, "literal rule": placebos.literal}
    fooled = [name for name, number in gates.items() if number]
    so = f" What the {' or the '.join(fooled)} lets through may be luck." if fooled else ""
    return (
        f"Honesty check: of {count(placebos.written, 'placebo')}, made without skill, "
        f"{placebos.promising:,} ever looked promising; the strict gate would have let "
        f"{placebos.strict:,} through, the literal rule {placebos.literal:,}.{so}"
    )
