"""Sentences about what was replayed, and what came of it.

Only what a gate has graduated gets strong words; a sum, a rate or a placebo never does.
"""

from typing import Final

from afterword.pipeline.domain.decisions.from_trips import WHY_LEFT_OUT
from afterword.pipeline.domain.trades.sums_model import QuoteSums
from afterword.pipeline.operations.replay_report.equity import PLACEBO_ROLE
from afterword.pipeline.operations.replay_report.model import (
    ReplayReport,
    ReportHead,
    RoundTripsPart,
)
from afterword.pipeline.operations.replay_report.trips import OUTSIDE
from afterword.pipeline.rules.evidence.habits import FEWEST_TRIPS
from afterword.pipeline.views.numbers import count, money
from afterword.pipeline.views.trades.words import FEW_STRETCHES

MOST_MARKETS: Final = 8
"""Markets that a sentence names."""

_LEFT_OUT: Final = {**WHY_LEFT_OUT, OUTSIDE: "closed outside the span of the replay"}

_DAY: Final = "%Y-%m-%d"


def title_words(head: ReportHead) -> str:
    """Return what was replayed, and how far."""
    rest = "" if head.state == "done" else f" (it goes on to {head.ends_at:{_DAY}})"
    return (
        f"{head.begins_at:{_DAY}} to {head.reached_at:{_DAY}}, {count(head.days, 'day')}{rest}: "
        f"{count(head.recorded, 'decision')}, {head.settled:,} with an outcome"
        + (f", {head.unpriced:,} without the prices for one" if head.unpriced else "")
    )


def known_words(head: ReportHead) -> str:
    """Return the warning that a model may know how it ended; empty where none is needed."""
    if not head.known_decisions:
        return ""
    return (
        f"{count(head.known_decisions, 'decision')} of {head.recorded:,} were made until "
        f"{head.known_until}, the last day that {head.judge} may know, and so how they ended: "
        "what it says of them proves nothing."
    )


def verdict_words(report: ReplayReport) -> list[str]:
    """Return what is told apart from luck, or that nothing is."""
    head, tried = report.head, report.tried
    if not head.recorded:
        return [f"Nothing was decided until {head.reached_at:{_DAY}}."]
    if not head.settled:
        return [unsettled_words(head)]
    if not tried.tried:
        return ["No method was tried: no decision with an outcome cites one."]
    graduated = len(report.graduated())
    if head.gate == "literal":
        passed = f"{tried.placebos.literal:,} of {count(tried.placebos.written, 'placebo')} too"
        return [
            f"{_methods(graduated)} of {tried.tried:,} graduated by the literal rule, which cannot "
            f"tell luck apart: it would have let {passed} through."
        ]
    if graduated:
        return [
            f"{_methods(graduated)} of {tried.tried:,} tried graduated: told apart from luck among "
            "all that were tried."
        ]
    promising = sum(
        method.state == "promising" for method in report.methods if not method.is_placebo
    )
    if promising:
        looks = "looks" if promising == 1 else "look"
        return [
            f"No method of {tried.tried:,} tried graduated. {_methods(promising)} {looks} "
            "promising alone, which is not enough among so many."
        ]
    return [f"None of {_methods(tried.tried)} that were tried can be told apart from luck."]


def unsettled_words(head: ReportHead) -> str:
    """Return why no decision has an outcome."""
    later = f"each is judged {span(head.horizon_hours)} later"
    if head.unpriced:
        lack = "lacks" if head.unpriced == 1 else "lack"
        why = f"{head.unpriced:,} of {head.recorded:,} {lack} prices of their market (--prices)"
        rest = "" if head.unpriced == head.recorded else f"; of the others {later}"
        return f"No decision has an outcome: {why}{rest}."
    if head.state == "done":
        return f"No decision has an outcome: {later}, and the prices end before that."
    return f"No decision has an outcome yet: {later}."


def trips_words(part: RoundTripsPart) -> list[str]:
    """Return what round trips came to, and whether they are enough to say anything."""
    sentences = []
    if part.trips:
        sentences.append(f"{'; '.join(map(_sums_words, part.sums))}. {_enough_words(part.trips)}")
    trip = "more round trip" if part.trips else "round trip"
    sentences += [
        f"{count(number, trip)} left out: {_LEFT_OUT[reason]}."
        for reason, number in part.left_out.items()
    ]
    return sentences


def priced_words(head: ReportHead) -> str:
    """Return which markets were priced by the trades themselves; empty without any."""
    markets = head.priced_by_fills
    if not markets:
        return ""
    more = len(markets) - MOST_MARKETS
    names = ", ".join(markets[:MOST_MARKETS]) + (f" and {more:,} more" if more > 0 else "")
    return (
        f"No prices were given for {names}: the trades' own fills are the prices there. The spread "
        "is in them, and between two fills nothing is known."
    )


def role_name(role: str) -> str:
    """Return a role in words: `mean reversion`; those of an installation keep their name."""
    if role == PLACEBO_ROLE:
        return "placebos"
    return role.removeprefix("replay.").replace("_", " ") if role.startswith("replay.") else role


def maker_words(head: ReportHead) -> str:
    """Return who decided, and when they are judged."""
    rules = ", ".join(name.replace("_", " ") for name, _ in head.rules)
    placebos = "placebos beside" if head.placebos else "no placebos"
    kinds = {source.kind for source in head.inputs}
    others = ["recorded decisions"] if kinds & {"decisions", "group"} else []
    others += ["round trips"] if "trades" in kinds else []
    who = ", ".join([f"rules {rules}", *others] if rules else others)
    every = f", one decision for each market every {_often(head.every_hours)}" if rules else ""
    return f"{who}{every}; {placebos}; judged {span(head.horizon_hours)} later"


def span(hours: int) -> str:
    """Return a time in days where it is whole days: `7 days`, `36 hours`."""
    days, rest = divmod(hours, 24)
    return count(hours, "hour") if rest or not days else count(days, "day")


def _sums_words(sums: QuoteSums) -> str:
    won = f"{sums.winners:,} of {count(sums.trips, 'round trip')} won"
    fees = money(sums.fees, sums.quote, is_signed=False, is_named=False)
    parts = [f"gross {money(sums.gross, sums.quote, is_named=False)}", f"fees {fees}"]
    if sums.funding:
        parts.append(f"funding {money(sums.funding, sums.quote, is_named=False)}")
    return f"{won}, net {money(sums.net, sums.quote)}: {', '.join(parts)}"


def _enough_words(trips: int) -> str:
    if trips < FEWEST_TRIPS:
        return "Too few to say anything."
    if trips < FEW_STRETCHES:
        return (
            f"Below {FEW_STRETCHES}, even a large difference usually cannot be told apart from "
            "chance."
        )
    return "`afterword learn` tests what differs by more than chance."


def _methods(number: int) -> str:
    return count(number, "method")


def _often(hours: int) -> str:
    return "day" if hours == 24 else span(hours)
