"""The part of a replay's page about methodologies: one row each, and what passed the gates."""

from typing import Final

from afterword.pipeline.doors.render.charts import interval_bar
from afterword.pipeline.doors.render.markup import Html, element
from afterword.pipeline.doors.render.page import badge, remark
from afterword.pipeline.doors.render.table import ReportCell, RowGroup, grouped_table, table
from afterword.pipeline.doors.report.replay_charts import bet_bar
from afterword.pipeline.operations.replay.report_model import (
    GateCount,
    Graduation,
    ReplayMethod,
    ReplayReport,
)
from afterword.pipeline.views.numbers import NONE, count, interval, percent
from afterword.pipeline.views.replay_words import (
    STATES,
    bet_words,
    months,
    share_of,
    short_share,
)

_COLUMNS: Final = (
    *("method", "right", "base", "95 %", "picture", "bet", "its size", "verdict in"),
    "by the literal rule",
)


def methods_parts(report: ReplayReport) -> list[Html]:
    """Return every methodology that was applied with its record, placebos apart; then the rest."""
    bar = report.tried.bar
    applied = [one for one in report.methods if one.decisions]
    own = [_row(one, bar) for one in applied if not one.is_placebo]
    placebos = [_row(one, bar) for one in applied if one.is_placebo]
    idle = [element("div", one.name) for one in report.methods if not one.decisions]
    parts = [_table("Methods", own)] if own else []
    if placebos:
        parts.append(_folded(count(len(placebos), "placebo"), _table("Placebos", placebos)))
    if idle:
        parts.append(_folded(f"{len(idle):,} that no decision applied", *idle))
    return parts


def gates_table(report: ReplayReport) -> Html:
    """Return how many methods and placebos came how far."""
    tried = report.tried
    columns = (
        *("ever let through", "written", "with an outcome", "promising"),
        *("strict gate", "literal rule"),
    )
    return table(
        columns, [["methods", *_counts(tried.methods)], ["placebos", *_counts(tried.placebos)]]
    )


def _table(label: str, rows: list[list[ReportCell]]) -> Html:
    return grouped_table(label, _COLUMNS, [RowGroup("", rows)])


def _folded(summary: str, *parts: Html) -> Html:
    return element("details", element("summary", summary), *parts)


def _counts(one: GateCount) -> list[ReportCell]:
    return [one.written, one.voted, one.promising, one.strict, one.literal]


def _row(one: ReplayMethod, bar: float | None) -> list[ReportCell]:
    share = one.strict
    has_votes = share.rate is not None
    return [
        _name(one),
        share_of(share),
        NONE if share.base is None else percent(share.base),
        interval(share.low, share.high) if has_votes else NONE,
        interval_bar(share.rate, share.low, share.high, share.base)
        if share.rate is not None
        else "",
        bet_words(one.e_value) if has_votes else NONE,
        bet_bar(one.e_value, bar) if has_votes else "",
        _verdict(one),
        share_of(one.literal),
    ]


def _name(one: ReplayMethod) -> Html:
    """Return a name with its state; below it what it says, and its time as a graduate."""
    below = [] if one.text == one.name else [remark(one.text)]
    below += [remark(_strict(each)) for each in one.graduations if each.gate == "strict"]
    literal = [each for each in one.graduations if each.gate == "literal"]
    if literal:
        below.append(remark(_literal(literal)))
    return element(
        "div", element("strong", one.name), " ", badge(STATES[one.state]), *below, class_="method"
    )


def _strict(one: Graduation) -> str:
    ended = "" if one.ended_at is None else f"; demoted {one.ended_at:%Y-%m-%d}"
    return (
        f"Graduated {one.at:%Y-%m-%d}: {short_share(one.before)} until then, {_since(one)} "
        f"since{ended}."
    )


def _literal(found: list[Graduation]) -> str:
    last = found[-1]
    times = "" if len(found) == 1 else f"{len(found)} times, last "
    ended = "" if last.ended_at is None else f"; demoted {last.ended_at:%Y-%m-%d}"
    return (
        f"By the literal rule {times}from {last.at:%Y-%m-%d}: {short_share(last.before)} until "
        f"then, {_since(last)} since{ended}."
    )


def _since(one: Graduation) -> str:
    return NONE if one.since is None else short_share(one.since)


def _verdict(one: ReplayMethod) -> str:
    if one.state == "graduated" or one.months_needed is None:
        return NONE
    return f"{months(one.months_needed)}, {one.uses_needed or 0:,} stretches"
