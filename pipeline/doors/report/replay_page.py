"""The report of a replay as one HTML page: what came of it first, then what it rests on."""

from typing import Final

from afterword.pipeline.domain.audit.model import SEVERITIES
from afterword.pipeline.doors.render.charts import CalibrationPoint, calibration_chart, figure
from afterword.pipeline.doors.render.markup import Html, element
from afterword.pipeline.doors.render.page import (
    badge,
    contents,
    fields,
    paragraph,
    remark,
    report_page,
    section,
)
from afterword.pipeline.doors.render.table import ReportCell, table
from afterword.pipeline.doors.report.replay_charts import (
    equity_panel,
    folds_chart,
    health_chart,
    line_key,
    panel_frame,
)
from afterword.pipeline.doors.report.replay_methods import gates_table, methods_parts
from afterword.pipeline.operations.replay.report_model import (
    ReplayPattern,
    ReplayReport,
    RoleEquity,
)
from afterword.pipeline.views.numbers import NONE, interval, percent
from afterword.pipeline.views.replay_words import (
    assumption_words,
    before_after_words,
    coin_words,
    equity_remark,
    equity_words,
    fold_words,
    folds_words,
    graduation_words,
    how_to_read,
    known_words,
    loop_words,
    luck_words,
    mean_words,
    nearest_words,
    placebo_words,
    priced_words,
    role_name,
    settings_fields,
    sigma,
    stated_words,
    throughput_words,
    title_words,
    trips_words,
    verdict_words,
)
from afterword.pipeline.views.role_words import badge_word

MOST_FINDINGS: Final = 6
"""Findings of the last audit, the most severe first; --json has all of them."""


def replay_page(report: ReplayReport) -> str:
    """Return a report as an HTML file; the same bytes for the same report."""
    head = report.head
    parts = {
        ("equity", "What came of it"): _equity(report),
        ("luck", "What can be told apart from luck"): _luck(report),
        ("parts", "Part by part"): _folds(report),
        ("methods", "What was tried"): _methods(report),
        ("patterns", "Patterns of roles"): _patterns(report),
        ("confidence", "How sure, and how often right"): _stated(report),
        ("loop", "How the learning loop ran"): _loop(report),
        ("settings", "What was replayed"): _settings(report),
        ("how-to-read", "How to read it"): [
            fields(how_to_read()),
            remark("Figures of the past, computed by fixed rules. Nothing here is advice."),
        ],
    }
    sections = {place: found for place, found in parts.items() if found}
    known = known_words(head)
    return report_page(
        f"Replay {head.name}",
        f"{title_words(head)}.",
        *([paragraph(known, kind="named")] if known else []),
        *(paragraph(line, kind="lead") for line in trips_words(report.trips)),
        *(paragraph(line, kind="lead") for line in verdict_words(report)),
        *map(paragraph, filter(None, [priced_words(head)])),
        *map(paragraph, equity_words(report)),
        contents(dict(list(sections))),
        *(section(heading, *found, name=name) for (name, heading), found in sections.items()),
    )


def _equity(report: ReplayReport) -> list[Html]:
    shown = [one for one in report.equity.roles if one.decided.decisions]
    if not shown:
        return []
    # The placebos are in every panel: as the coin.
    drawn = [one for one in shown if not one.is_placebo] or shown
    frame = panel_frame(drawn, report.head.begins_at, report.head.reached_at)
    panels = (
        [
            element(
                "figure",
                equity_panel(one, frame),
                element("figcaption", f"{role_name(one.role)}: {sigma(one.decided.total)}"),
            )
            for one in drawn
        ]
        if frame is not None
        else []
    )
    return [
        _legend(any(one.coin is not None for one in shown)),
        element("div", *panels, class_="panels"),
        table(
            (
                *("role", "decisions", "right", "wrong", "inside the band", "sum"),
                *("a decision", "deepest fall", "held", "coin"),
            ),
            [_role(one) for one in shown],
        ),
        *([remark(equity_remark(report))] if equity_remark(report) else []),
        *map(remark, assumption_words(report.equity)),
        _placebos(report),
    ]


def _legend(has_coin: bool) -> Html:
    kinds = {"curve": "the decisions, net of costs", "curve held": "the same markets held"}
    kinds |= {"curve coin": "a coin, as many decisions"} if has_coin else {}
    pairs = (element("span", line_key(kind), " ", words) for kind, words in kinds.items())
    return element("p", *pairs, class_="legend")


def _role(one: RoleEquity) -> list[ReportCell]:
    return [
        role_name(one.role),
        one.decided.decisions,
        one.right,
        one.wrong,
        one.noise,
        sigma(one.decided.total),
        mean_words(one.decided.mean, one.decided.mean_error),
        sigma(-one.decided.drawdown),
        sigma(one.held.total),
        sigma(one.coin_total),
    ]


def _placebos(report: ReplayReport) -> Html:
    rows: list[list[ReportCell]] = [
        [
            f"{one.maker} (the coin)" if one.is_coin else one.maker,
            one.decisions,
            sigma(one.total),
            mean_words(one.mean, one.mean_error),
        ]
        for one in report.equity.placebos
    ]
    if len(rows) < 2:
        return Html("")
    return section(
        "Each placebo", table(("placebo", "decisions", "sum", "a decision"), rows), level=3
    )


def _luck(report: ReplayReport) -> list[Html]:
    if not report.methods:
        return []
    stories = [
        paragraph(graduation_words(one.name, each), kind="named")
        for one in report.graduated()
        for each in one.graduations
        if each.gate == report.head.gate and each.ended_at is None
    ]
    said = [nearest_words(report), luck_words(report)]
    said += [before_after_words(one) for one in report.tried.before_after]
    said.append(placebo_words(report))
    return [*stories, *map(paragraph, filter(None, said)), gates_table(report)]


def _folds(report: ReplayReport) -> list[Html]:
    if not any(one.every.decisions or one.placebo.decisions for one in report.folds):
        return []
    rows: list[list[ReportCell]] = [
        [
            _whole(f"{one.from_at:%Y-%m-%d}"),
            ", ".join(one.graduated) or "none",
            *(_whole(fold_words(each)) for each in (one.cited, one.every, one.placebo)),
        ]
        for one in report.folds
    ]
    caption = (
        "Share that was right, in points above its base. Dot: decisions that cite a method "
        "graduated at the start of the part; ring: all; ×: placebos."
    )
    return [
        paragraph(folds_words(report)),
        figure(folds_chart(report.folds), caption),
        table(("from", "graduated then", "right, citing these", "of all", "of placebos"), rows),
    ]


def _methods(report: ReplayReport) -> list[Html]:
    if not report.methods:
        return []
    picture = (
        "Picture: from 0 to 100 %; the dot is the share that was right, the thick line its 95 % "
        "interval, the dashed mark the base. Size of the bet: in powers of ten; the line begins at "
        "1, the tick is 20, the dashed mark what graduates one more."
    )
    return [*methods_parts(report), remark(picture)]


def _patterns(report: ReplayReport) -> list[Html]:
    coins = [remark(words) for words in coin_words(report)]
    if report.patterns:
        return [*map(_pattern, report.patterns), *coins]
    none = paragraph(
        "No setup of a role, longs or shorts after a rise, a fall or no clear move, can be told "
        "apart from luck."
    )
    return [none, *coins]


def _pattern(one: ReplayPattern) -> Html:
    return paragraph(badge(badge_word(one.state)), " ", f"{role_name(one.role)}: {one.text}")


def _stated(report: ReplayReport) -> list[Html]:
    part = report.stated
    points = [
        CalibrationPoint(one.stated, one.hit, one.low, one.high, one.decisions) for one in part.bins
    ]
    rows: list[list[ReportCell]] = [
        [percent(one.stated), percent(one.hit), interval(one.low, one.high), one.decisions]
        for one in part.bins
    ]
    hint = "A point below the dashed line was surer than right; the bars are 95 % intervals."
    return [
        paragraph(stated_words(part)),
        figure(calibration_chart(points), hint),
        table(("stated", "right", "95 %", "decisions"), rows),
    ]


def _loop(report: ReplayReport) -> list[Html]:
    part = report.loop
    told = sorted(part.findings, key=lambda one: SEVERITIES.index(one.severity))
    findings: list[list[ReportCell]] = [[one.severity, one.text] for one in told[:MOST_FINDINGS]]
    rest = len(told) - MOST_FINDINGS
    caption = (
        "Health of the learning loop, audit by audit: 80 and above is healthy, 60 watch, 40 "
        "degraded, below that alarm. It scores the loop, not the decisions."
    )
    return [
        *map(paragraph, loop_words(part)),
        figure(health_chart(part.trend), caption),
        table(("last audit", "finding"), findings),
        *([remark(f"{rest:,} more findings: --json.")] if rest > 0 else []),
    ]


def _settings(report: ReplayReport) -> list[Html]:
    head = report.head
    inputs: list[list[ReportCell]] = [
        [one.kind, one.name, one.reading or NONE, one.sha256 or NONE] for one in head.inputs
    ]
    found = settings_fields(head)
    if report.throughput is not None:
        found["took"] = throughput_words(report.throughput)
    return [table(("input", "name", "read with", "SHA-256"), inputs), fields(found)]


def _whole(words: str) -> Html:
    """Return words that a wide page keeps on one line."""
    return element("span", words, class_="short")
