"""`afterword role summary`: what the record of each role says, on one screen or as one page."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Annotated, Final

import typer

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.decisions.read import count_roles
from afterword.pipeline.domain.patterns.ageing import Ageing
from afterword.pipeline.domain.patterns.model import STORED_STATES
from afterword.pipeline.domain.patterns.placebos import (
    MOST_PLACEBOS,
    checked_placebos,
    placebo_counts,
)
from afterword.pipeline.domain.prices.stored import StoredPrices
from afterword.pipeline.domain.skills import Role
from afterword.pipeline.domain.skills.discover import load_roles
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.doors.cli.output import Cell, print_fields, print_line, print_table
from afterword.pipeline.doors.cli.page_file import check_page, write_page
from afterword.pipeline.doors.cli.progress import progress
from afterword.pipeline.doors.commands.roles_show import AsOf
from afterword.pipeline.doors.report.numbers import (
    NONE,
    interval,
    percent,
    signed_percent,
    usd,
)
from afterword.pipeline.doors.report.summary import ClassOverview, RoleSummary, summarise_roles
from afterword.pipeline.doors.report.summary_page import summary_page
from afterword.pipeline.doors.report.words import (
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
    verdict_words,
)
from afterword.pipeline.rules.text.numbers import amount

_COLUMNS: Final = (
    *("class", "decisions", "stretches", "right", "base", "95 %", "beyond market", "result"),
    "patterns",
)
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


def summary(
    ctx: typer.Context,
    roles: Annotated[
        list[str] | None, typer.Argument(metavar="[ROLE]...", help="Only these; all if missing.")
    ] = None,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write it as one HTML page, too.")
    ] = None,
    placebos: Annotated[
        int,
        typer.Option(
            metavar="N", help=f"Send N roles of coin flips through the same; to {MOST_PLACEBOS}."
        ),
    ] = 0,
    as_of: AsOf = None,
) -> None:
    """Show how decisions did against the base rate, and what can be told apart from luck.

    Example: afterword role summary market.spot.momentum --html summary.html
    """
    call, at = Call(ctx), read_moment(as_of, "as_of")
    check_page(html)
    checked_placebos(placebos)
    registry = load_roles(call.settings.home)
    named = [registry.role(one) for one in roles or ()]
    found: list[RoleSummary] = []
    level = call.settings.pattern_error
    if call.has_group():
        store = call.store()
        waiting = {} if at else {one.role_id: one.waiting for one in count_roles(store, registry)}
        asked = [(role, waiting.get(role.id, {})) for role in named or registry]
        ageing = Ageing(at or call.now(), call.settings.pattern_unplayed_days)
        found = summarise_roles(store, asked, level, at, ageing)
        if placebos:
            found = _with_placebos(call, found, [role for role, _ in asked], placebos, at)
    shown = found if named else [one for one in found if one.classes or one.waiting or one.erased]
    if html is not None:
        write_page(html, summary_page(call.settings.group, shown, level))
    empty = _NO_DECISIONS if at is None else _UNKNOWN_THEN
    call.answer(shown, lambda: _print(shown, level, empty, html))


def _with_placebos(
    call: Call,
    summaries: Sequence[RoleSummary],
    roles: Sequence[Role],
    number: int,
    as_of: datetime | None,
) -> list[RoleSummary]:
    """Return summaries with what coin flips at the same moments would have been told."""
    store, level = call.store(), call.settings.pattern_error
    told = []
    with progress() as on_progress, reading(store) as conn:
        prices = StoredPrices(conn, as_of)
        for one, role in zip(summaries, roles, strict=True):
            counts = placebo_counts(
                conn,
                role,
                prices,
                number,
                store.name,
                call.now(),
                level=level,
                as_of=as_of,
                on_step=partial(on_progress, f"placebos of {role.id}"),
            )
            told.append(replace(one, placebos=tuple(counts)))
    return told


def _print(shown: Sequence[RoleSummary], level: float, empty: str, html: Path | None) -> None:
    if not shown:
        print_line(empty)
    for place, one in enumerate(shown):
        if place:
            print_line("")
        print_line(f"{one.role}: {role_words(one)}")
        if one.classes:
            print_table(_COLUMNS, [_row(part) for part in one.classes])
            for part in one.classes:
                print_line("")
                print_line(part.asset_class)
                print_fields({f"  {name}": value for name, value in _facts(part).items()})
            if one.placebos:
                print_line("")
                for words in placebo_lines(one.placebos):
                    print_line(f"placebos, {words}")
        elif one.waiting:
            print_line(_NO_OUTCOMES)
        else:
            print_line(empty)
    if any(one.classes for one in shown):
        print_line("")
        print_fields(how_to_read(level))
        print_line("")
        print_line("each number's decisions: `afterword role pattern ls --all`, then `show`")
    if html is not None:
        print_line(f"the page is in {html}")


def _row(one: ClassOverview) -> list[Cell]:
    line = one.calls
    share = line.hits / line.stretches if line.stretches else None
    base = line.expected / line.stretches if line.stretches else None
    return [
        one.asset_class,
        one.decisions,
        line.stretches,
        f"{amount(line.hits)} ({percent(share)})",
        f"{amount(line.expected)} ({percent(base)})",
        interval(line.low, line.high) if line.stretches else NONE,
        signed_percent(line.mean_residual),
        usd(line.cost_micro_usd),
        _states(one),
    ]


def _states(one: ClassOverview) -> str:
    counts = {state: len(one.in_state(state)) for state in STORED_STATES}
    return ", ".join(f"{n} {badge_word(state)}" for state, n in counts.items() if n) or "none"


def _facts(one: ClassOverview) -> dict[str, Cell]:
    patterns: dict[str, Cell] = {}
    for place, line in enumerate(one.patterns, start=1):
        patterns[f"{badge_word(line.state)} {place}"] = line.text
        patterns[f"untested {place}"] = line.untested
        patterns[f"did it help {place}"] = effect_words(line)
    stated = "; ".join(map(calibration_words, one.calibration))
    confidence = [stated, brier_words(one), repeat_words(one)]
    facts: dict[str, Cell] = {
        "verdict": verdict_words(one),
        **patterns,
        "would change it": change_words(one),
        **{f"market {place}": line for place, line in enumerate(market_lines(one.setups), start=1)},
        "outcomes": outcome_words(one),
        "decided": f"{one.first_at:%Y-%m-%d} to {one.last_at:%Y-%m-%d}",
        "plans": plan_words(one),
        "result": result_words(one),
        "neutral calls": neutral_words(one),
        "confidence": ". ".join(part for part in confidence if part) if stated else "",
    }
    return {name: value for name, value in facts.items() if value != ""}
