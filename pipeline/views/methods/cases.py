"""Cases: what was shown, what was decided, what came of it, and which method has which part."""

from collections.abc import Sequence
from typing import Final

from afterword.pipeline.domain.cases.model import (
    CaseOutcome,
    CaseStory,
    CaseSummary,
    CaseTrade,
    MethodCitation,
    Standing,
)
from afterword.pipeline.rules.market.exact import PPB
from afterword.pipeline.rules.text.numbers import dollars, signed_percent
from afterword.pipeline.views.blocks import Block, Fields, Paragraph, Section, Table, Verbatim, View
from afterword.pipeline.views.cells import Cell, Ref
from afterword.pipeline.views.words import moment

_CASES: Final = ("case", "decided", "asset", "direction", "state", "result", "methodologies")
_CITATIONS: Final = ("methodology", "standing", "window", "outcome", "part of the result")
_OUTCOMES: Final = ("window", "verdict", "move", "noise up to")
_TRADES: Final = ("trade", "at", "side", "size", "price", "result")
_NO_CASE: Final = (
    "no case yet: a decision becomes one by citing a methodology, at the next synthesis"
)

_STANDINGS: Final[dict[Standing, str]] = {
    "counts": "counts",
    "direction": "no vote: the decision points another way",
    "class": "no vote: another class of assets",
    "late": "no vote: recorded too late",
    "before": "no vote: older than the methodology",
    "withdrawn": "no vote: withdrawn before its entry",
}

_REPEAT: Final = "no vote: a decision recorded before is the same use"


def case_list(cases: Sequence[CaseSummary]) -> View:
    """Return cases below each other."""
    rows = list(map(_case, cases))
    return View([Table(_CASES, rows, _NO_CASE, spare=("direction", "result"))])


def case_view(story: CaseStory) -> View:
    """Return a case from hint to result."""
    case = story.case
    blocks: list[Block] = [
        Fields(
            {
                "case": case.id,
                "decision": Ref(case.decision, "decision", case.decision),
                "role": case.role_id,
                "decided": f"{moment(case.decided_at)}, {case.direction} {case.asset_key}",
                "reasons": story.decision_text,
                "state": case.outcome_state,
            }
        )
    ]
    if story.hint is not None:
        shown = Paragraph(f"Shown before, {moment(story.hint.known_at)}:")
        blocks.append(Section("", [shown, Verbatim(story.hint.block)]))
    parts: list[Block] = [Table(_CITATIONS, list(map(_citation, case.citations)))]
    if case.realised_micro_usd is not None:
        rest = _money(case.unattributed_micro_usd)
        result = f"result {_money(case.realised_micro_usd)}, of it {rest} to none of them"
        parts.append(Paragraph(result))
    outcomes = Table(_OUTCOMES, list(map(_outcome, story.outcomes)), "no outcome is measured yet")
    trades = Table(_TRADES, list(map(_trade, story.trades)))
    return View([*blocks, Section("", parts), Section("", [outcomes, trades])])


def _case(case: CaseSummary) -> list[Cell]:
    return [
        Ref(str(case.id), "case", str(case.id)),
        *(moment(case.decided_at), case.asset_key, case.direction, case.outcome_state),
        *(_money(case.realised_micro_usd), ", ".join(map(_cited, case.citations))),
    ]


def _cited(citation: MethodCitation) -> str:
    """Return a citation in a few words: its outcome, and why it casts no vote."""
    standing = "repeat" if citation.is_repeat else citation.standing
    no_vote = "" if standing == "counts" else f"; no vote: {standing}"
    return f"{citation.name} ({citation.outcome_state}{no_vote})"


def _citation(citation: MethodCitation) -> list[Cell]:
    return [
        *(
            f"{citation.name} ({citation.methodology})",
            _REPEAT if citation.is_repeat else _STANDINGS[citation.standing],
            _hours(citation.window_hours),
        ),
        *(citation.outcome_state, _money(citation.attributed_micro_usd)),
    ]


def _outcome(outcome: CaseOutcome) -> list[Cell]:
    noise = signed_percent(outcome.band_ppb / PPB).lstrip("+")
    return [
        _hours(outcome.window_hours),
        outcome.verdict,
        signed_percent(outcome.move_ppb / PPB),
        noise,
    ]


def _trade(trade: CaseTrade) -> list[Cell]:
    side = "buy" if trade.side == "B" else "sell"
    result = _money(trade.realised_micro_usd)
    return [trade.uid, moment(trade.occurred_at), side, trade.size, trade.price, result]


def _hours(hours: int) -> str:
    return f"{hours // 24} d" if hours % 24 == 0 else f"{hours} h"


def _money(micro_usd: int | None) -> str:
    if micro_usd is None:
        return ""
    return f"{'−' if micro_usd < 0 else '+'}{dollars(micro_usd)}"
