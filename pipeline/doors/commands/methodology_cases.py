"""`afterword methodology cases` and `case`: what was shown, what was done, what came of it."""

from typing import Annotated, Final

import typer

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.cases import read_rows
from afterword.pipeline.domain.cases.model import CaseStory, CaseSummary, MethodCitation, Standing
from afterword.pipeline.domain.cases.read import case_story
from afterword.pipeline.domain.methodologies.read import find_methodology
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.output import Cell, print_fields, print_line, print_table
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.market.exact import PPB
from afterword.pipeline.rules.market.symbols import normalise_symbol
from afterword.pipeline.rules.text.numbers import dollars, signed_percent
from afterword.pipeline.views.words import moment

_STATES: Final = ("pending", "resolved", "unresolved")

_STANDINGS: Final[dict[Standing, str]] = {
    "counts": "counts",
    "direction": "no vote: the decision points another way",
    "class": "no vote: another class of assets",
    "late": "no vote: recorded too late",
    "before": "no vote: older than the methodology",
    "withdrawn": "no vote: withdrawn before its entry",
}


def cases(
    ctx: typer.Context,
    asset: Annotated[str, typer.Option(help="Only this asset.")] = "",
    methodology: Annotated[
        str,
        typer.Option(metavar="METHOD", help="Only cases that cite this one."),
    ] = "",
    state: Annotated[
        str, typer.Option(metavar="STATE", help="pending, resolved or unresolved.")
    ] = "",
    limit: Annotated[int, typer.Option(help="Cases shown.", min=1, max=10_000)] = 20,
) -> None:
    """List decisions that cite methodologies, the latest first.

    Example: afterword methodology cases --asset BTC --state pending
    """
    call = Call(ctx)
    if state and state not in _STATES:
        raise InvalidInputError("--state", f"unknown: {state!r}", ", ".join(_STATES))
    key = normalise_symbol(asset) if asset else None
    with reading(call.store()) as conn:
        one = find_methodology(conn, methodology).uid if methodology else None
        found = read_rows.listing(conn, key, one, state or None, limit)
    call.answer(found, lambda: _print_cases(found))


def case(
    ctx: typer.Context,
    case_id: Annotated[int, typer.Argument(metavar="ID", help="Its number in `cases`.")],
) -> None:
    """Show a case: the hint, the decision, its outcomes and trades, and who has which part.

    Example: afterword methodology case 1
    """
    call = Call(ctx)
    with reading(call.store()) as conn:
        story = case_story(conn, case_id)
    call.answer(story, lambda: _print_story(story))


def _cited(one: MethodCitation) -> str:
    """Return a citation in a few words: its outcome, and why it casts no vote."""
    no_vote = "" if one.standing == "counts" else f"; no vote: {one.standing}"
    return f"{one.name} ({one.outcome_state}{no_vote})"


def _print_cases(found: list[CaseSummary]) -> None:
    print_table(
        ("case", "decided", "asset", "direction", "state", "result", "methodologies"),
        [
            [
                one.id,
                moment(one.decided_at),
                one.asset_key,
                one.direction,
                one.outcome_state,
                _money(one.realised_micro_usd),
                ", ".join(_cited(cited) for cited in one.citations),
            ]
            for one in found
        ],
        empty="no case yet: a decision becomes one by citing a methodology, at the next synthesis",
        spare=("direction", "result"),
    )


def _print_story(story: CaseStory) -> None:
    one = story.case
    print_fields(
        {
            "case": one.id,
            "decision": f"{one.decision} by {one.role_id}",
            "decided": f"{moment(one.decided_at)}, {one.direction} {one.asset_key}",
            "reasons": story.decision_text,
            "state": one.outcome_state,
        }
    )
    if story.hint is not None:
        print_line("")
        print_line(f"Shown before, {moment(story.hint.known_at)}:")
        for line in story.hint.block.splitlines():
            print_line(f"  {line}")
    print_line("")
    print_table(
        ("methodology", "standing", "window", "outcome", "part of the result"),
        [_citation(cited) for cited in one.citations],
    )
    if one.realised_micro_usd is not None:
        rest = _money(one.unattributed_micro_usd)
        print_line(f"result {_money(one.realised_micro_usd)}, of it {rest} to none of them")
    print_line("")
    print_table(
        ("window", "verdict", "move", "noise up to"),
        [
            [
                _hours(found.window_hours),
                found.verdict,
                signed_percent(found.move_ppb / PPB),
                signed_percent(found.band_ppb / PPB).lstrip("+"),
            ]
            for found in story.outcomes
        ],
        empty="no outcome is measured yet",
    )
    if story.trades:
        print_table(
            ("trade", "at", "side", "size", "price", "result"),
            [
                [
                    trade.uid,
                    moment(trade.occurred_at),
                    "buy" if trade.side == "B" else "sell",
                    trade.size,
                    trade.price,
                    _money(trade.realised_micro_usd),
                ]
                for trade in story.trades
            ],
        )


def _citation(cited: MethodCitation) -> list[Cell]:
    return [
        f"{cited.name} ({cited.methodology})",
        _STANDINGS[cited.standing],
        _hours(cited.window_hours),
        cited.outcome_state,
        _money(cited.attributed_micro_usd),
    ]


def _hours(hours: int) -> str:
    return f"{hours // 24} d" if hours % 24 == 0 else f"{hours} h"


def _money(micro_usd: int | None) -> str:
    if micro_usd is None:
        return ""
    return f"{'−' if micro_usd < 0 else '+'}{dollars(micro_usd)}"
