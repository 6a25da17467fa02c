"""Sentences about a replay, the same on a terminal and on a page.

Only what a gate has graduated gets strong words; a sum, a rate or a placebo never does.
"""

from typing import Final

from afterword.pipeline.domain.decisions.from_trips import LEFT_OUT
from afterword.pipeline.domain.trades.model import QuoteSums
from afterword.pipeline.operations.replay.report_equity import PLACEBO_ROLE
from afterword.pipeline.operations.replay.report_model import (
    BeforeAfter,
    EquityPart,
    FoldCount,
    Graduation,
    HitShare,
    LoopPart,
    ReplayMethod,
    ReplayReport,
    ReportHead,
    RoundTripsPart,
    StatedPart,
)
from afterword.pipeline.operations.replay.report_trips import OUTSIDE
from afterword.pipeline.operations.replay.run import Throughput
from afterword.pipeline.rules.evidence.habits import FEWEST
from afterword.pipeline.rules.text.numbers import amount
from afterword.pipeline.views.numbers import NONE, count, interval, money, percent
from afterword.pipeline.views.role_words import placebo_lines, times_words
from afterword.pipeline.views.trades_words import FEW

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

MOST_MARKETS: Final = 8
"""Markets that a sentence names."""

_LEFT_OUT: Final = {**LEFT_OUT, OUTSIDE: "closed outside the span of the replay"}

BLANK_SHARE: Final = HitShare(0, 0, None, None, None, 0.0, 1.0)

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
    promising = sum(one.state == "promising" for one in report.methods if not one.is_placebo)
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
    said = []
    if part.trips:
        said.append(f"{'; '.join(map(_sums_words, part.sums))}. {_enough_words(part.trips)}")
    trip = "more round trip" if part.trips else "round trip"
    said += [
        f"{count(number, trip)} left out: {_LEFT_OUT[reason]}."
        for reason, number in part.left_out.items()
    ]
    return said


def priced_words(head: ReportHead) -> str:
    """Return which markets were priced by the trades themselves; empty without any."""
    found = head.priced_by_fills
    if not found:
        return ""
    more = len(found) - MOST_MARKETS
    names = ", ".join(found[:MOST_MARKETS]) + (f" and {more:,} more" if more > 0 else "")
    return (
        f"No prices were given for {names}: the trades' own fills are the prices there. The spread "
        "is in them, and between two fills nothing is known."
    )


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


def coin_words(report: ReplayReport) -> list[str]:
    """Return how many coins in place of a role would have been told something, a line for each."""
    return [
        f"{role_name(one.role)}, {words}."
        for one in report.coins
        for words in placebo_lines(one.counts)
    ]


def luck_words(report: ReplayReport) -> str:
    """Return how many were tried, and how many graduates are expected to be luck."""
    return report.tried.words


def equity_words(report: ReplayReport) -> list[str]:
    """Return what the decisions came to, and what a σ is."""
    roles = [one for one in report.equity.roles if one.decided.decisions]
    if not roles:
        return []
    own = [one for one in roles if not one.is_placebo]
    sums = [f"{role_name(one.role)} {sigma(one.decided.total)}" for one in own]
    coin = {one.coin_total for one in own}
    held = {one.held.total for one in own}
    beside = []
    if len(held) == 1:
        beside.append(f"the same markets held {sigma(held.pop())}")
    if len(coin) == 1 and None not in coin:
        beside.append(f"a coin {sigma(coin.pop() or 0.0)}")
    said = []
    if sums:
        rest = f"; {', '.join(beside)}" if beside else ""
        said.append(f"At equal risk, after costs: {', '.join(sums)}{rest}.")
    open_ = max(one.decided.most_open for one in own or roles)
    window = roles[0].window_hours if len({one.window_hours for one in roles}) == 1 else None
    time = "the window of its decision" if window is None else span(window)
    said.append(
        f"σ is the usual move of a market over {time}, as known at the entry; each decision risks "
        f"one. Who risks 1 % of the capital on each earns 1 % where the sum rises by 1 σ; up to "
        f"{count(open_, 'decision')} of a role {'was' if open_ == 1 else 'were'} open at once."
    )
    if report.trips.trips:
        said.append("Round trips are judged by that time too, not by what they earned.")
    return said


def equity_remark(report: ReplayReport) -> str:
    """Return how to read a mean with its error; empty without one."""
    known = [one for one in report.equity.roles if one.decided.mean_error is not None]
    if not known:
        return ""
    luck = f", and one of {len(known)} roles may lie outside by luck" if len(known) > 1 else ""
    return (
        "± is one standard error; decisions that share prices count as fewer. A mean within two "
        f"of them of 0 cannot be told from 0{luck}: this table names no winner."
    )


def assumption_words(part: EquityPart) -> list[str]:
    """Return all assumptions of the equity, with their numbers."""
    trips = ", ".join(
        f"{percent(one.least, 2)} a round trip of {one.asset_class}"
        if one.least == one.most
        else f"{percent(one.least, 2)} to {percent(one.most, 2)} a round trip of {one.asset_class}"
        for one in part.costs
    )
    side = f"{amount(part.fee_bps)} bp fee and {amount(part.slippage_bps)} bp slippage a side"
    said = [
        f"Costs taken off: {', '.join(filter(None, [side, trips]))}. No funding and no interest is "
        "charged or paid. Results add up; nothing is reinvested.",
        "Held: the same markets, times and risk, always long, without costs.",
    ]
    coin = next((one.maker for one in part.placebos if one.is_coin), None)
    if coin is not None:
        said.append(
            f"Coin: the placebo {coin}, long or short by chance at the same times, with the same "
            "costs; its sum is told for as many decisions."
        )
    left = sum(one.unscaled for one in part.roles)
    if left:
        said.append(f"{count(left, 'decision')} left out: their market had not moved before.")
    return said


def role_name(role: str) -> str:
    """Return a role in words: `mean reversion`; those of an installation keep their name."""
    if role == PLACEBO_ROLE:
        return "placebos"
    return role.removeprefix("replay.").replace("_", " ") if role.startswith("replay.") else role


def sigma(value: float | None, digits: int = 1) -> str:
    """Return a result as `+12.3 σ`, or a dash where it is not known."""
    if value is None:
        return NONE
    written = f"{abs(value):,.{digits}f}"
    is_zero = not float(written.replace(",", ""))
    return f"{'' if is_zero else '−' if value < 0 else '+'}{written} σ"


def mean_words(mean: float | None, error: float | None) -> str:
    """Return a mean with its standard error: `+0.12 ± 0.05 σ`."""
    if mean is None:
        return NONE
    written = sigma(mean, 2)
    return written if error is None else f"{written.removesuffix(' σ')} ± {error:.2f} σ"


def bet_words(e_value: float) -> str:
    """Return what a bet of 1 became."""
    return times_words(e_value)


def folds_words(report: ReplayReport) -> str:
    """Return what the folds show."""
    if not any(one.graduated for one in report.folds):
        return (
            f"In none of {count(len(report.folds), 'equal part')} of the span was a method "
            "graduated when the part began: there was nothing to follow."
        )
    return (
        f"The span in {count(len(report.folds), 'equal part')}. The methods of a row are those "
        "that were graduated when the part began, and its numbers how many decisions were right in "
        "it: none of them was known then. Decisions share prices, so no interval is told."
    )


def fold_words(one: FoldCount) -> str:
    """Return the decisions of a fold: `31 of 52, 60 % (base 48 %)`."""
    if one.rate is None:
        return "none" if not one.decisions else f"{one.decisions:,} inside the noise band"
    base = "" if one.base is None else f" (base {percent(one.base)})"
    return f"{one.hits:,} of {one.voted:,}, {percent(one.rate)}{base}"


def stated_words(part: StatedPart) -> str:
    """Return what is known of stated confidence."""
    if not part.decisions:
        return "No decision with an outcome stated how sure it was."
    return (
        f"{count(part.decisions, 'decision')} stated how sure they were. Mean squared error "
        f"{_number(part.brier)} (0 at best); always stating the share that was right would give "
        f"{_number(part.reference)}. They hold {count(part.stretches, 'stretch', 'stretches')} of "
        "prices that do not overlap, hence the wide intervals."
    )


def loop_words(part: LoopPart) -> list[str]:
    """Return how the learning loop itself ran."""
    if not part.passes:
        return ["The loop has made no pass yet."]
    said = [f"{count(part.passes, 'pass', 'passes')} of the learning loop"]
    if part.frozen:
        markets = ", ".join(f"{name} {number:,}" for name, number in part.frozen_markets.items())
        said.append(f"in {part.frozen:,} a market was under stress ({markets}), and none graduated")
    words = ["; ".join(said) + "."]
    scored = [one for one in part.trend if one.composite is not None]
    if scored:
        last = scored[-1]
        band = last.band or "of too few parts for a verdict"
        words.append(
            f"{count(part.audits, 'audit')} of its health; the last score, of {last.at:{_DAY}}: "
            f"{amount(last.composite or 0.0)} of 100, {band}."
        )
    return words


def throughput_words(one: Throughput) -> str:
    """Return how fast it ran."""
    seconds = max(one.seconds, 0.001)
    return (
        f"{count(one.decisions, 'decision')} and {count(one.events, 'event')} in "
        f"{amount(one.seconds)} s: {one.decisions / seconds:,.0f} and "
        f"{one.events / seconds:,.0f} a second"
    )


def maker_words(head: ReportHead) -> str:
    """Return who decided, and when they are judged."""
    rules = ", ".join(name.replace("_", " ") for name, _ in head.rules)
    placebos = "placebos beside" if head.placebos else "no placebos"
    kinds = {one.kind for one in head.inputs}
    others = ["recorded decisions"] if kinds & {"decisions", "group"} else []
    others += ["round trips"] if "trades" in kinds else []
    who = ", ".join([f"rules {rules}", *others] if rules else others)
    every = f", one decision for each market every {_often(head.every_hours)}" if rules else ""
    return f"{who}{every}; {placebos}; judged {span(head.horizon_hours)} later"


def settings_fields(head: ReportHead) -> dict[str, str]:
    """Return what decides the result, by name."""
    found = {
        "decided by": maker_words(head),
        **{
            f"rule {name.replace('_', ' ')}": parameters
            for name, parameters in head.rules
            if parameters not in ("", "{}")
        },
        "gate": f"{head.gate}; share of graduates that may be luck {percent(head.fdr)}; "
        f"chance of a false pattern {percent(head.pattern_error)}",
        "judge": head.judge,
        "model knows until": head.known_until,
        "seed": str(head.seed),
        "outcomes": f"{head.outcomes:,} over all windows; {head.waiting:,} "
        f"{'decision has' if head.waiting == 1 else 'decisions have'} none yet",
        "settings": head.settings_hash,
        "state": f"{head.state}; {head.events:,} events hashed",
        "state hash": head.state_hash,
    }
    return {name: words for name, words in found.items() if words}


def span(hours: int) -> str:
    """Return a time in days where it is whole days: `7 days`, `36 hours`."""
    days, rest = divmod(hours, 24)
    return count(hours, "hour") if rest or not days else count(days, "day")


def how_to_read() -> dict[str, str]:
    """Return what the words of the report mean, by word."""
    return {
        "method": "a way to decide that decisions cite; each is judged over its own horizon",
        "stretch": "decisions of one method that share prices: one vote, that of the first; "
        "several markets at the same time share it, hence fractions",
        "base": "the share that is right without skill, in the same stretches",
        "95 %": "the shares of hits that the record allows; a short record allows many",
        "bet": "what a bet of 1 on the method became; without skill it ever reaches 20 with a "
        "chance of 1 in 20",
        "open": "not told apart from luck",
        "promising": "told apart from luck, if it had been the only one tried",
        "graduated": "told apart from luck among all that were tried; prompts show it",
        "literal rule": "every window of every decision is one use, though they share prices",
        "since": "what came after it graduated, which nobody knew then",
        "placebo": "decides without skill, to check the gates",
        "noise band": "a quarter of the usual move, and costs; inside it nobody was right or wrong",
    }


def _sums_words(one: QuoteSums) -> str:
    won = f"{one.winners:,} of {count(one.trips, 'round trip')} won"
    fees = money(one.fees, one.quote, is_signed=False, is_named=False)
    parts = [f"gross {money(one.gross, one.quote, is_named=False)}", f"fees {fees}"]
    if one.funding:
        parts.append(f"funding {money(one.funding, one.quote, is_named=False)}")
    return f"{won}, net {money(one.net, one.quote)}: {', '.join(parts)}"


def _enough_words(trips: int) -> str:
    if trips < FEWEST:
        return "Too few to say anything."
    if trips < FEW:
        return f"Below {FEW}, even a large difference usually cannot be told apart from chance."
    return "`afterword learn` tests what differs by more than chance."


def _methods(number: int) -> str:
    return count(number, "method")


def _number(value: float | None) -> str:
    return NONE if value is None else f"{value:.3f}"


def _often(hours: int) -> str:
    return "day" if hours == 24 else span(hours)
