"""`afterword role pattern`: the twelve questions of a role and class, and what they count."""

from typing import Annotated, Final, cast, get_args

import typer

from afterword.pipeline.domain.memory.checks import check_limit, check_word
from afterword.pipeline.domain.patterns.model import PatternKey
from afterword.pipeline.domain.patterns.text import market_text
from afterword.pipeline.domain.skills.discover import load_roles
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.doors.cli.moments import read_moment
from afterword.pipeline.doors.cli.output import Cell, print_fields, print_line, print_table
from afterword.pipeline.doors.commands.roles_show import AsOf
from afterword.pipeline.operations.roles.hypotheses import (
    AssetLine,
    HypothesisLine,
    HypothesisStory,
    SinceLine,
    StretchLine,
    hypothesis_story,
    list_hypotheses,
)
from afterword.pipeline.rules.evidence.model import HYPOTHESES, Direction, Side, Trend
from afterword.pipeline.rules.market.symbols import normalise_symbol
from afterword.pipeline.rules.text.numbers import amount
from afterword.pipeline.views.numbers import (
    NONE,
    count,
    interval,
    percent,
    signed_percent,
    times_words,
    usd,
)
from afterword.pipeline.views.role_words import (
    evidence_words,
    needed_words,
    retired_words,
    right_words,
    scope_words,
    setup_label,
    setup_words,
    state_words,
    tested_words,
)
from afterword.pipeline.views.words import moment

MOST_DECISIONS: Final = 1_000
"""Decisions of one answer."""

_SETUPS: Final = (
    *("role", "class", "setup", "question", "state", "decisions", "stretches", "right", "base"),
    *("95 %", "result", "needs"),
)
_DECISIONS: Final = (
    *("stretch", "its vote", "uid", "part", "decided", "asset", "price", "band", "outcome"),
    *("price beyond market", "result"),
)
_ASSETS: Final = (
    *("asset", "decisions", "stretches", "right", "base", "bet on it alone", "any such call"),
)
_STRETCH: Final = (
    "each stretch that says right or wrong is one of the stretches above: its first decisions vote "
    "together, those that joined do not; one that overlaps votes for its own asset only"
)
_NONE_SELECTED: Final = (
    "no pattern can be told apart from luck; --all shows what was counted, and `afterword role "
    "summary` what would change that"
)
_NO_TEXT: Final = "it never had a text: it was never told apart from luck, and never a hint"
_SOON: Final = "its text is stored when the patterns of the role are weighed next"
_NOTHING: Final = (
    "no long or short has an outcome yet; `afterword role reflect` measures what is due"
)

app = section("The patterns that decisions show, and the decisions behind each.")


@app.command("ls")
def list_(
    ctx: typer.Context,
    role: Annotated[str, typer.Argument(metavar="ROLE", help="One role; all if missing.")] = "",
    everything: Annotated[
        bool, typer.Option("--all", help="All twelve questions of each class, also unanswered.")
    ] = False,
    as_of: AsOf = None,
) -> None:
    """List what was told apart from luck, hints, and what no longer holds.

    Example: afterword role pattern ls --all
    """
    call, at = Call(ctx), read_moment(as_of, "as_of")
    registry = load_roles(call.settings.home)
    roles = [registry.role(role)] if role else list(registry)
    lines: list[HypothesisLine] = []
    if call.has_group():
        lines = list_hypotheses(call.store(), roles, call.settings.pattern_error, at)
    shown = [one for one in lines if everything or one.state != "single"]
    call.answer(shown, lambda: _print_list(shown, _NONE_SELECTED if lines else _NOTHING))


@app.command()
def show(
    ctx: typer.Context,
    role: Annotated[str, typer.Argument(metavar="ROLE", help="As `pattern ls` names it.")],
    asset_class: Annotated[str, typer.Argument(metavar="CLASS", help="As `pattern ls` names it.")],
    direction: Annotated[str, typer.Argument(metavar="DIRECTION", help="long or short.")],
    trend: Annotated[
        str, typer.Argument(metavar="TREND", help="The move before: down, flat or up.")
    ],
    side: Annotated[
        str | None,
        typer.Argument(metavar="[SIDE]", help="failing or works; if missing, the likelier one."),
    ] = None,
    limit: Annotated[int, typer.Option(help=f"Most decisions shown, up to {MOST_DECISIONS}.")] = 20,
    asset: Annotated[str, typer.Option(help="Only the decisions about this asset.")] = "",
    as_of: AsOf = None,
) -> None:
    """Show one pattern: its numbers in words, the texts it had, and the decisions it counts.

    Example: afterword role pattern show market.spot.momentum major_crypto long up
    """
    call, at = Call(ctx), read_moment(as_of, "as_of")
    check_limit(limit, MOST_DECISIONS)
    check_word(direction, get_args(Direction), "direction")
    check_word(trend, get_args(Trend), "trend")
    if side is not None:
        check_word(side, get_args(Side), "side")
    one = load_roles(call.settings.home).role(role)
    store, level = call.store(), call.settings.pattern_error

    about = normalise_symbol(asset) if asset else ""
    setup = cast(Direction, direction), cast(Trend, trend)

    def story(which: Side) -> HypothesisStory:
        key = PatternKey(one.id, asset_class, *setup, which)
        return hypothesis_story(store, one, key, level, limit, about, at)

    asked = get_args(Side) if side is None else (cast(Side, side),)
    found = max(map(story, asked), key=_likeliness)
    call.answer(found, lambda: _print_story(found, len(HYPOTHESES) / level, about))


def _likeliness(one: HypothesisStory) -> tuple[bool, float]:
    return one.line.state != "single", one.line.evidence


def _print_list(lines: list[HypothesisLine], empty: str) -> None:
    print_table(_SETUPS, [_row(one) for one in lines], empty)
    texts = [one for one in lines if one.text]
    if texts:
        print_line("")
        for one in texts:
            print_line(f"{one.role}, {one.asset_class}: {one.text}")
    if lines:
        print_line("")
        first = lines[0]
        names = first.role, first.asset_class, first.direction, first.trend
        print_line(f"the decisions of the first: `afterword role pattern show {' '.join(names)}`")
        print_line("what the words mean: the end of `afterword role summary`")


def _row(one: HypothesisLine) -> list[Cell]:
    numbers = one.numbers
    needed = "" if one.stretches_needed is None else f"about {one.stretches_needed:,} more"
    return [
        *(one.role, one.asset_class, setup_label(one.direction, one.trend), tested_words(one.side)),
        *(state_words(one.state), numbers.decisions, numbers.stretches),
        *(amount(numbers.hits), amount(numbers.expected)),
        interval(numbers.low, numbers.high) if numbers.stretches else NONE,
        *(usd(numbers.cost_micro_usd), needed),
    ]


def _print_story(found: HypothesisStory, confirming: float, about: str) -> None:
    print_fields(_facts(found.line, confirming))
    print_line("")
    if len(found.line.by_asset) > 1:
        print_table(_ASSETS, [_asset_row(one) for one in found.line.by_asset])
        print_line("")
    if found.past:
        rows = [
            [
                moment(one.known_at),
                "now" if one.superseded_at is None else moment(one.superseded_at),
                state_words(one.state),
                one.worded_by if one.refusal is None else f"template ({one.refusal})",
                one.text,
            ]
            for one in found.past
        ]
        print_table(("from", "until", "state", "worded by", "text"), rows)
    else:
        print_line(_NO_TEXT if found.line.state == "single" else _SOON)
    print_line("")
    print_table(_DECISIONS, _by_stretch(found), "no decisions")
    if found.decisions:
        print_line(_STRETCH)
    counted = {one.asset: one.decisions for one in found.line.by_asset}
    whole = counted.get(about, 0) if about else found.line.numbers.decisions
    more = whole - len(found.decisions)
    if more > 0:
        print_line(f"and {count(more, 'earlier decision')}; --limit shows more")
    if found.decisions:
        print_line(f"one of them: `afterword role show {found.decisions[0].uid}`")


def _by_stretch(found: HypothesisStory) -> list[list[Cell]]:
    """Return the decisions, with number and vote of a stretch beside the first shown of it."""
    stretches = {one.number: one for one in found.stretches}
    rows: list[list[Cell]] = []
    for one in found.decisions:
        of = stretches.pop(one.stretch, None)
        rows.append(
            [
                *(("", "") if of is None else (of.number, _vote(of))),
                *(one.uid, "first" if one.is_first else "joined"),
                *(moment(one.decided_at), one.asset, signed_percent(one.move, 2)),
                *(f"±{percent(one.band, 2)}", one.outcome, signed_percent(one.residual, 2)),
                usd(one.result_micro_usd) if one.result is None else signed_percent(one.result, 2),
            ]
        )
    return rows


def _vote(one: StretchLine) -> str:
    if one.vote is None:
        return "none" if one.is_counted else "none, overlaps"
    said = {0.0: "wrong", 1.0: "right"}.get(one.vote, f"{amount(one.vote)} right")
    return said if one.is_counted else f"{said}, overlaps"


def _asset_row(one: AssetLine) -> list[Cell]:
    return [
        *(one.asset, one.decisions, one.stretches, amount(one.hits), amount(one.expected)),
        times_words(one.evidence),
        NONE
        if one.market is None
        else f"{percent(one.market.rate)} of {count(one.market.windows, 'window')}",
    ]


def _facts(one: HypothesisLine, confirming: float) -> dict[str, Cell]:
    """Return the numbers of a question in words.

    Args:
        confirming: the e-value that confirms one question alone.
    """
    numbers = one.numbers
    facts: dict[str, Cell] = {
        "pattern": f"{setup_words(one.direction, one.trend)}, {one.asset_class}, by {one.role}",
        "question": f"are they {tested_words(one.side)} than calls without skill?",
        "state": state_words(one.state),
        "text": one.text,
        "told of": "" if one.state == "single" else scope_words(one.is_class, one.assets),
        "whole class": right_words(numbers),
        "decisions": f"{count(numbers.decisions, 'decision')}; "
        f"{count(numbers.spent, 'stretch', 'stretches')} inside the noise band cast no vote",
        "beyond market": ""
        if numbers.mean_residual is None
        else f"{signed_percent(numbers.mean_residual)} a stretch in their direction, on average",
        "market itself": ""
        if one.market is None
        else market_text(one.direction, one.trend, one.market),
        "result": usd(numbers.cost_micro_usd),
        # The text of a stored pattern tells it for the assets it is told of.
        "expect next": f"{percent(one.expected_rate)}, nearer to the base: short records exaggerate"
        if one.state == "single" and numbers.stretches
        else "",
        "evidence": evidence_words(one.evidence, confirming),
        "since confirmed": "" if one.since is None else _since(one.since),
        "would change it": needed_words(one.stretches_needed)
        if one.state != "confirmed"
        else f"it {retired_words(one.reverse)}",
    }
    return {name: value for name, value in facts.items() if value not in ("", NONE)}


def _since(since: SinceLine) -> str:
    if not since.stretches:
        return "no stretch yet"
    stretches = count(since.stretches, "stretch", "stretches")
    return f"right {amount(since.hits)} of {stretches}, base {amount(since.expected)}"
