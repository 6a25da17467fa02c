"""The record of roles as one HTML page."""

from collections.abc import Sequence

from afterword.pipeline.doors.report.charts import (
    CalibrationPoint,
    calibration_chart,
    figure,
    interval_bar,
)
from afterword.pipeline.doors.report.markup import Html, join
from afterword.pipeline.doors.report.numbers import (
    NONE,
    interval,
    percent,
    signed_percent,
    usd,
)
from afterword.pipeline.doors.report.page import (
    badge,
    fields,
    paragraph,
    remark,
    report_page,
    section,
)
from afterword.pipeline.doors.report.summary import (
    CellLine,
    ClassOverview,
    PatternLine,
    RoleSummary,
)
from afterword.pipeline.doors.report.table import ReportCell, table
from afterword.pipeline.doors.report.words import (
    badge_word,
    brier_words,
    change_words,
    effect_words,
    how_to_read,
    market_lines,
    neutral_words,
    outcome_words,
    placebo_lines,
    plan_words,
    repeat_words,
    result_words,
    right_words,
    role_words,
    setup_label,
    verdict_words,
)
from afterword.pipeline.rules.text.numbers import amount

_PICTURE = (
    "from 0 to 100 %: the dot is the share that was right, the thick line its 95 % interval, the "
    "dashed mark the base"
)


def summary_page(group: str, summaries: Sequence[RoleSummary], level: float) -> str:
    """Return the record of roles as an HTML file; the same bytes for the same record.

    Args:
        group: whose roles they are.
        level: chance of any false pattern in a role without effects.
    """
    days = [
        day for one in summaries for part in one.classes for day in (part.first_at, part.last_at)
    ]
    until = (
        f"decisions of {min(days):%Y-%m-%d} to {max(days):%Y-%m-%d}" if days else "no outcome yet"
    )
    return report_page(
        "What the decisions show",
        f"Group {group}: {until}.",
        *map(_role, summaries),
        section(
            "How to read it",
            fields(how_to_read(level) | {"picture": _PICTURE}),
            remark("Nothing here is advice."),
        ),
    )


def _role(one: RoleSummary) -> Html:
    parts = [remark(f"{role_words(one)}.")]
    parts += map(_class, one.classes)
    parts += [remark(f"Placebos, {words}.") for words in placebo_lines(one.placebos)]
    return section(one.role, *parts)


def _class(one: ClassOverview) -> Html:
    parts = [
        paragraph(verdict_words(one)),
        *map(_pattern, one.patterns),
        paragraph("What would change this: ", change_words(one)),
        _bar(one.calls),
        fields(_facts(one)),
        table(
            (
                "setup",
                "decisions",
                "stretches",
                "right",
                "base",
                "95 %",
                "beyond market",
                "result",
                "picture",
            ),
            [
                [setup_label(line.direction, line.trend), *_cells(line.numbers)]
                for line in one.setups
            ],
        ),
        *map(remark, market_lines(one.setups)),
        _calibration(one),
    ]
    return section(one.asset_class, *parts, level=3)


def _facts(one: ClassOverview) -> dict[str, str]:
    facts = {
        "decisions": f"{one.decisions:,}: {outcome_words(one)}",
        "decided": f"{one.first_at:%Y-%m-%d} to {one.last_at:%Y-%m-%d}",
        "longs and shorts": right_words(one.calls) if one.calls.decisions else "",
        "beyond the market": signed_percent(one.calls.mean_residual),
        "result": result_words(one),
        "plans": plan_words(one),
        "neutral calls": neutral_words(one),
    }
    return {name: value for name, value in facts.items() if value not in ("", NONE)}


def _cells(line: CellLine) -> list[ReportCell]:
    if not line.stretches:
        return [line.decisions, 0, NONE, NONE, NONE, NONE, usd(line.cost_micro_usd), ""]
    share, base = line.hits / line.stretches, line.expected / line.stretches
    return [
        line.decisions,
        line.stretches,
        f"{amount(line.hits)} ({percent(share)})",
        f"{amount(line.expected)} ({percent(base)})",
        interval(line.low, line.high),
        signed_percent(line.mean_residual),
        usd(line.cost_micro_usd),
        interval_bar(share, line.low, line.high, base),
    ]


def _bar(line: CellLine) -> Html:
    if not line.stretches:
        return Html("")
    share, base = line.hits / line.stretches, line.expected / line.stretches
    return figure(
        interval_bar(share, line.low, line.high, base),
        "All longs and shorts: the share that was right, of 100 %; dashed, the base",
    )


def _pattern(one: PatternLine) -> Html:
    said = " ".join(filter(None, (one.text, one.untested, effect_words(one))))
    return paragraph(badge(badge_word(one.state)), " ", said)


def _calibration(one: ClassOverview) -> Html:
    points = [
        CalibrationPoint(line.stated, line.hit, line.low, line.high, line.decisions)
        for line in one.calibration
    ]
    chart = calibration_chart(points)
    said = f"Stated confidence against the share that was right. {brier_words(one)}. "
    repeats = f"{repeat_words(one)}. " if repeat_words(one) else ""
    hint = "A point below the dashed line was surer than right."
    rows = [
        (percent(line.stated), percent(line.hit), interval(line.low, line.high), line.decisions)
        for line in one.calibration
    ]
    shown = table(("you say", "it is", "95 %", "decisions"), rows)
    return join(figure(chart, said + repeats + hint), shown) if points else Html("")
