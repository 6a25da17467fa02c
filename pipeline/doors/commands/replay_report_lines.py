"""The report of a replay as text: what came of it, what is told apart from luck, what was tried."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import typer

from afterword.pipeline.doors.cli.output import Cell, print_table
from afterword.pipeline.doors.cli.sentences import print_sentences
from afterword.pipeline.operations.replay.report_model import (
    AuditPoint,
    ReplayMethod,
    ReplayReport,
    RoleEquity,
)
from afterword.pipeline.views.numbers import NONE, interval, percent, sparkline
from afterword.pipeline.views.replay_words import (
    STATES,
    assumption_words,
    before_after_words,
    bet_words,
    coin_words,
    equity_remark,
    equity_words,
    fold_words,
    folds_words,
    graduation_words,
    known_words,
    loop_words,
    luck_words,
    maker_words,
    mean_words,
    months,
    nearest_words,
    placebo_words,
    priced_words,
    role_name,
    share_of,
    sigma,
    stated_words,
    throughput_words,
    title_words,
    trips_words,
    verdict_words,
)
from afterword.pipeline.views.role_words import badge_word
from afterword.pipeline.views.words import shorten

MOST_METHODS: Final = 8
"""Methodologies of the text; the page and --json have all of them."""

MOST_PATTERNS: Final = 4
"""Patterns of the text, likewise."""


_SPARKS: Final = 60
"""Audits of the line of bars."""

_NAME: Final = 44
"""Characters of the name of a methodology."""


def print_replay_report(report: ReplayReport, html: Path | None = None) -> None:
    """Print a report on about one screen.

    Args:
        html: where its page was written.
    """
    head = report.head
    print_sentences([f"Replay {head.name}: {title_words(head)}.", f"{maker_words(head)}."], "")
    print_sentences(filter(None, [known_words(head)]), "")
    typer.echo("")
    print_sentences(trips_words(report.trips), "")
    print_sentences(verdict_words(report), "")
    print_sentences(filter(None, [priced_words(head)]), "")
    _equity(report)
    _luck(report)
    _folds(report)
    _methods(report)
    _patterns(report)
    _rest(report)
    if html is not None:
        print_sentences([f"The page is in {html}."], "")


def _equity(report: ReplayReport) -> None:
    shown = [one for one in report.equity.roles if one.decided.decisions]
    if not shown:
        return
    _part("What came of it")
    print_sentences(equity_words(report))
    print_table(
        ("role", "decisions", "right", "sum", "a decision", "deepest fall", "held", "coin"),
        [_role(one) for one in shown],
        spare=("deepest fall", "right"),
    )
    print_sentences([equity_remark(report), " ".join(assumption_words(report.equity))])


def _role(one: RoleEquity) -> list[Cell]:
    voted = one.right + one.wrong
    return [
        role_name(one.role),
        one.decided.decisions,
        percent(one.right / voted) if voted else NONE,
        sigma(one.decided.total),
        mean_words(one.decided.mean, one.decided.mean_error),
        sigma(-one.decided.drawdown),
        sigma(one.held.total),
        sigma(one.coin_total),
    ]


def _luck(report: ReplayReport) -> None:
    if not report.methods:
        return
    _part("What can be told apart from luck")
    for one in report.graduated():
        print_sentences(
            graduation_words(one.name, each)
            for each in one.graduations
            if each.gate == report.head.gate and each.ended_at is None
        )
    print_sentences([nearest_words(report), luck_words(report)])
    print_sentences(map(before_after_words, report.tried.before_after))
    print_sentences([placebo_words(report)])


def _folds(report: ReplayReport) -> None:
    if not any(one.every.decisions for one in report.folds):
        return
    _part("Part by part")
    print_sentences([folds_words(report)])
    if not any(one.graduated for one in report.folds):
        return
    print_table(
        ("from", "graduated then", "right, citing these", "of all", "of placebos"),
        [
            [
                f"{one.from_at:%Y-%m-%d}",
                len(one.graduated),
                fold_words(one.cited),
                fold_words(one.every),
                fold_words(one.placebo),
            ]
            for one in report.folds
        ],
        spare=("of placebos",),
    )


def _methods(report: ReplayReport) -> None:
    own = [one for one in report.methods if not one.is_placebo]
    if not own:
        return
    _part("What was tried")
    shown = own[:MOST_METHODS]
    print_table(
        ("method", "state", "right", "base", "95 %", "bet", "verdict in", "literal"),
        [_method(one) for one in shown],
        spare=("literal", "95 %"),
    )
    rest = len(report.methods) - len(shown)
    bar = report.tried.bar
    asked = "" if bar is None else f" One more graduates at a bet of {bet_words(bar)}."
    more = f" {rest:,} more, placebos among them: --html, --json." if rest else ""
    print_sentences(
        [
            "open: not told apart from luck; right: of stretches, decisions that share prices "
            "being one; base: the share without skill; bet: what a bet of 1 on it became."
            f"{asked}{more}"
        ]
    )


def _method(one: ReplayMethod) -> list[Cell]:
    share = one.strict
    is_open = one.state != "graduated" and one.months_needed is not None
    needed = months(one.months_needed or 0.0) if is_open else NONE
    return [
        shorten(one.name, _NAME),
        STATES[one.state],
        share_of(share),
        percent(share.base) if share.base is not None else NONE,
        interval(share.low, share.high) if share.uses else NONE,
        bet_words(one.e_value) if share.uses else NONE,
        needed,
        share_of(one.literal),
    ]


def _patterns(report: ReplayReport) -> None:
    if not report.patterns and not report.coins:
        return
    _part("Patterns of roles")
    for one in report.patterns[:MOST_PATTERNS]:
        said = one.text.partition(". ")[0].removesuffix(".")
        print_sentences([f"{role_name(one.role)}, {badge_word(one.state)}: {said}."])
    rest = len(report.patterns) - MOST_PATTERNS
    if rest > 0:
        print_sentences([f"{rest:,} more: --html, --json."])
    print_sentences(coin_words(report))


def _rest(report: ReplayReport) -> None:
    _part("How sure, and how it ran")
    print_sentences([stated_words(report.stated)])
    if report.stated.bins:
        print_sentences(
            [
                "; ".join(
                    f"{percent(one.stated)} stated, {percent(one.hit)} right "
                    f"({interval(one.low, one.high)}, n {one.decisions:,})"
                    for one in report.stated.bins
                )
                + "."
            ]
        )
    print_sentences(loop_words(report.loop))
    if any(one.composite is not None for one in report.loop.trend):
        print_sentences([f"health {sparkline(_sparks(report.loop.trend))}"])
    if report.throughput is not None:
        print_sentences([f"{throughput_words(report.throughput)}."])
    if report.head.state_hash:
        print_sentences([f"state {report.head.state_hash}"])


def _sparks(trend: Sequence[AuditPoint]) -> list[float | None]:
    """Return at most some `_SPARKS` scores: the last one of each part."""
    parts = min(_SPARKS, len(trend))
    return [trend[part * len(trend) // parts - 1].composite for part in range(1, parts + 1)]


def _part(heading: str) -> None:
    typer.echo("")
    typer.echo(heading)
