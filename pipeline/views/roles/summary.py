"""The record of roles: what each class of assets came to, and what can be told apart from luck."""

from collections.abc import Sequence
from typing import Final

from afterword.pipeline.domain.patterns.model import STORED_STATES
from afterword.pipeline.operations.roles.summary import CellLine, ClassOverview, RoleSummary
from afterword.pipeline.rules.text.numbers import amount
from afterword.pipeline.views.blocks import Block, Detail, Fields, Paragraph, Section, Table, View
from afterword.pipeline.views.cells import Cell, Interval
from afterword.pipeline.views.numbers import NONE, interval, percent, signed_percent, usd
from afterword.pipeline.views.pictures import Calibration, CalibrationPoint, Picture
from afterword.pipeline.views.roles.words import (
    badge_word,
    brier_words,
    calibration_words,
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
    role_words,
    setup_label,
    verdict_words,
)

_NUMBERS: Final = ("decisions", "stretches", "right", "base", "95 %", "beyond market", "result")
_NO_DECISIONS: Final = (
    "no decisions yet: `afterword role record ROLE TEXT --asset BTC --direction long` records one, "
    "`--file` many; `afterword role list` shows the roles"
)
_UNKNOWN_THEN: Final = (
    "no outcome was known then: decisions and prices are known from when they are recorded, not "
    "from when they were made"
)
_NO_OUTCOMES: Final = (
    "no outcome yet: `afterword role reflect` measures the decisions that are due, and says what "
    "the others wait for"
)
_BEHIND: Final = "each number's decisions: `afterword role pattern ls --all`, then `show`"
_PICTURE: Final = (
    "from 0 to 100 %: the dot is the share that was right, the thick line its 95 % interval, the "
    "dashed mark the base"
)


def role_summary(
    summaries: Sequence[RoleSummary], level: float, group: str, *, is_past: bool = False
) -> View:
    """Return the record of roles.

    Args:
        level: chance of any false pattern in a role without effects.
        group: whose roles they are.
        is_past: whether it is told as of a moment of the past.
    """
    empty = _UNKNOWN_THEN if is_past else _NO_DECISIONS
    classes = [part for one in summaries for part in one.classes]
    blocks: list[Block] = [] if summaries else [Paragraph(empty)]
    blocks += (_role(one, empty) for one in summaries)
    if classes:
        blocks += _reading(level)
    days = [day for part in classes for day in (part.first_at, part.last_at)]
    until = (
        f"decisions of {min(days):%Y-%m-%d} to {max(days):%Y-%m-%d}" if days else "no outcome yet"
    )
    return View(blocks, "What the decisions show", f"Group {group}: {until}.")


def _reading(level: float) -> list[Block]:
    picture = Detail("", [Fields({"picture": _PICTURE})])
    advice = Detail("", [Paragraph("Nothing here is advice.", "quiet")])
    return [
        Section("How to read it", [Fields(how_to_read(level)), picture, advice]),
        Section("", [Paragraph(_BEHIND)]),
    ]


def _role(role: RoleSummary, empty: str) -> Section:
    if not role.classes:
        blocks: list[Block] = [Paragraph(_NO_OUTCOMES if role.waiting else empty)]
    else:
        rows = [[part.asset_class, *_numbers(part), _states(part)] for part in role.classes]
        blocks = [Table(("class", *_NUMBERS, "patterns"), rows), *map(_class, role.classes)]
    placebos = [Paragraph(f"placebos, {words}") for words in placebo_lines(role.placebos)]
    if placebos:
        blocks.append(Section("", placebos))
    return Section(role.role, blocks, role_words(role))


def _class(overview: ClassOverview) -> Section:
    setups = [
        [setup_label(line.direction, line.trend), *_cells(line.numbers)] for line in overview.setups
    ]
    return Section(
        overview.asset_class,
        [
            Fields(_facts(overview)),
            Detail(
                "",
                [
                    *_picture(overview.calls),
                    Table(("setup", *_NUMBERS), setups),
                    *_stated(overview),
                ],
            ),
        ],
    )


def _numbers(overview: ClassOverview) -> list[Cell]:
    return [overview.decisions, *_cells(overview.calls)[1:]]


def _cells(line: CellLine) -> list[Cell]:
    cost = usd(line.cost_micro_usd)
    if not line.stretches:
        return [line.decisions, 0, NONE, NONE, NONE, NONE, cost]
    share = _interval(line)
    return [
        line.decisions,
        line.stretches,
        f"{amount(line.hits)} ({percent(share.point)})",
        f"{amount(line.expected)} ({percent(share.base)})",
        share,
        signed_percent(line.mean_residual),
        cost,
    ]


def _interval(line: CellLine) -> Interval:
    return Interval(line.low, line.hits / line.stretches, line.high, line.expected / line.stretches)


def _picture(line: CellLine) -> list[Block]:
    if not line.stretches:
        return []
    caption = "All longs and shorts: the share that was right, of 100 %; dashed, the base"
    return [Picture(_interval(line), caption)]


def _states(overview: ClassOverview) -> str:
    counts = {state: len(overview.in_state(state)) for state in STORED_STATES}
    return ", ".join(f"{n} {badge_word(state)}" for state, n in counts.items() if n) or "none"


def _facts(overview: ClassOverview) -> dict[str, str | int]:
    patterns: dict[str, str] = {}
    for place, line in enumerate(overview.patterns, start=1):
        patterns[f"{badge_word(line.state)} {place}"] = line.text
        patterns[f"untested {place}"] = line.untested
        patterns[f"did it help {place}"] = effect_words(line)
    stated = "; ".join(map(calibration_words, overview.calibration))
    confidence = [stated, brier_words(overview), repeat_words(overview)]
    facts = {
        "verdict": verdict_words(overview),
        **patterns,
        "would change it": change_words(overview),
        **{
            f"market {place}": line
            for place, line in enumerate(market_lines(overview.setups), start=1)
        },
        "outcomes": outcome_words(overview),
        "decided": f"{overview.first_at:%Y-%m-%d} to {overview.last_at:%Y-%m-%d}",
        "plans": plan_words(overview),
        "result": result_words(overview),
        "neutral calls": neutral_words(overview),
        "confidence": ". ".join(part for part in confidence if part) if stated else "",
    }
    return {name: value for name, value in facts.items() if value != ""}


def _stated(overview: ClassOverview) -> list[Block]:
    if not overview.calibration:
        return []
    points = [
        CalibrationPoint(line.stated, line.hit, line.low, line.high, line.decisions)
        for line in overview.calibration
    ]
    caption = (
        "Stated confidence against the share that was right. A point below the dashed line was "
        "surer than right."
    )
    rows = [
        (percent(line.stated), percent(line.hit), interval(line.low, line.high), line.decisions)
        for line in overview.calibration
    ]
    table = Table(("you say", "it is", "95 %", "decisions"), rows)
    return [Picture(Calibration(points), caption), table]
