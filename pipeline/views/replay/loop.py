"""How sure the decisions of a replay were, and how its learning loop ran."""

from typing import Final

from afterword.pipeline.domain.audit.model import SEVERITIES
from afterword.pipeline.operations.replay.run import Throughput
from afterword.pipeline.operations.replay_report.model import LoopPart, ReplayReport, StatedPart
from afterword.pipeline.rules.text.numbers import amount
from afterword.pipeline.views.blocks import Block, Detail, Section, Table, paragraphs
from afterword.pipeline.views.cells import Cell
from afterword.pipeline.views.numbers import NONE, count, interval, percent
from afterword.pipeline.views.pictures import Calibration, CalibrationPoint, Picture, Scores

_MOST_FINDINGS: Final = 6
"""Findings of the last audit, the most severe first; --json has all of them."""

_BANDS: Final = (40, 60, 80)
"""Where the bands of an audit's score begin."""

_STATED: Final = "A point below the dashed line was surer than right; the bars are 95 % intervals."
_HEALTH: Final = (
    "Health of the learning loop, audit by audit: 80 and above is healthy, 60 watch, 40 degraded, "
    "below that alarm. It scores the loop, not the decisions."
)


def loop_section(report: ReplayReport) -> Section:
    """Return the section."""
    stated, loop, pace = report.stated, report.loop, report.throughput
    state = report.head.state_hash
    blocks = [
        *paragraphs([stated_words(stated), _bins(stated)]),
        _picture(stated),
        *paragraphs(loop_words(loop)),
        _health(loop),
        *paragraphs([f"{throughput_words(pace)}." if pace else ""]),
        *paragraphs([f"state {state}" if state else ""]),
        Detail("", _findings(loop)),
    ]
    return Section("How sure, and how it ran", blocks, place="loop")


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
    parts = [f"{count(part.passes, 'pass', 'passes')} of the learning loop"]
    if part.frozen:
        markets = ", ".join(f"{name} {number:,}" for name, number in part.frozen_markets.items())
        parts.append(
            f"in {part.frozen:,} a market was under stress ({markets}), and none graduated"
        )
    words = ["; ".join(parts) + "."]
    scored = [point for point in part.trend if point.composite is not None]
    if scored:
        last = scored[-1]
        band = last.band or "of too few parts for a verdict"
        words.append(
            f"{count(part.audits, 'audit')} of its health; the last score, of {last.at:%Y-%m-%d}: "
            f"{amount(last.composite or 0.0)} of 100, {band}."
        )
    return words


def throughput_words(pace: Throughput) -> str:
    """Return how fast it ran."""
    seconds = max(pace.seconds, 0.001)
    return (
        f"{count(pace.decisions, 'decision')} and {count(pace.events, 'event')} in "
        f"{amount(pace.seconds)} s: {pace.decisions / seconds:,.0f} and "
        f"{pace.events / seconds:,.0f} a second"
    )


def _bins(part: StatedPart) -> str:
    lines = (
        f"{percent(line.stated)} stated, {percent(line.hit)} right "
        f"({interval(line.low, line.high)}, n {line.decisions:,})"
        for line in part.bins
    )
    return f"{'; '.join(lines)}." if part.bins else ""


def _picture(part: StatedPart) -> Picture:
    points = [
        CalibrationPoint(line.stated, line.hit, line.low, line.high, line.decisions)
        for line in part.bins
    ]
    return Picture(Calibration(points), _STATED)


def _health(part: LoopPart) -> Picture:
    scores = [point.composite for point in part.trend if point.composite is not None]
    words = (
        f"{count(len(scores), 'audit')}: lowest {min(scores):.1f}, highest {max(scores):.1f}, last "
        f"{scores[-1]:.1f} of 100"
        if scores
        else ""
    )
    points = [(point.at, point.composite) for point in part.trend]
    return Picture(Scores("health", points, _BANDS, words), _HEALTH)


def _findings(part: LoopPart) -> list[Block]:
    findings = sorted(part.findings, key=lambda finding: SEVERITIES.index(finding.severity))
    rows: list[list[Cell]] = [
        [finding.severity, finding.text] for finding in findings[:_MOST_FINDINGS]
    ]
    rest = len(findings) - _MOST_FINDINGS
    more = f"{rest:,} more findings: --json." if rest > 0 else ""
    return [Table(("last audit", "finding"), rows), *paragraphs([more], "quiet")]


def _number(value: float | None) -> str:
    return NONE if value is None else f"{value:.3f}"
