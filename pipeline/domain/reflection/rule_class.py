"""The class of a wrong decision by rule: from measured numbers, the same for every judge."""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from afterword.pipeline.domain.decisions.model import Classification
from afterword.pipeline.domain.outcomes.tools import Evidence
from afterword.pipeline.domain.reflection.case import Case, context_of

PRICE_SOURCES: Final = frozenset({"get_price"})
"""Sources of prices: what they say is the setup itself, whose record is looked at first."""


def class_by_rule(case: Case) -> Classification:
    """Return why a decision was wrong, as far as numbers can tell.

    - `logic_error`: such decisions were known to fail when it was made (`SetupStanding`);
    - `missing_data`: a source had something by then that the decision lacked (`lacking`);
    - `exogenous`: without the market's own move it would have stayed inside the band;
    - `variance`: none of these; luck explains it.
    """
    if case.standing is not None and case.standing.is_confirmed_failing:
        return "logic_error"
    if lacking(case):
        return "missing_data"
    return "exogenous" if is_of_the_market(case) else "variance"


def lacking(case: Case) -> tuple[Evidence, ...]:
    """Return what sources had by the moment of a decision that it did not rest on.

    A decision rests on an item if its inputs or its frozen context name the source or have the
    text. Prices do not count.
    """
    had = [item for item in case.known if item.source not in PRICE_SOURCES]
    if not had:
        return ()
    rests_on = {"inputs": case.decision.inputs, "context": context_of(case)}
    names = {name.casefold() for name in _names(rests_on)}
    texts = json.dumps(rests_on, ensure_ascii=False).casefold()
    return tuple(
        item
        for item in had
        if item.source.casefold() not in names and _as_json(item.text) not in texts
    )


def is_of_the_market(case: Case) -> bool:
    """Return whether the part of the move that the market does not explain is noise."""
    outcome = case.outcome
    if outcome is None or outcome.residual_ppb is None:
        return False
    return abs(outcome.residual_ppb) <= outcome.band_ppb


def _names(value: Any) -> Iterator[str]:
    match value:
        case Mapping():
            for name, part in value.items():
                yield str(name)
                yield from _names(part)
        case list() | tuple():
            for part in value:
                yield from _names(part)


def _as_json(text: str) -> str:
    """Return a text as it stands inside a JSON text."""
    return json.dumps(text, ensure_ascii=False)[1:-1].casefold()
