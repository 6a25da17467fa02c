"""Check what a registered probe answers, before it is stored."""

from dataclasses import replace
from decimal import Decimal
from typing import Final

from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.market.outcome import Outcome, marked, unknown
from afterword.pipeline.rules.masking import mask
from afterword.pipeline.rules.text.line import one_line

MAX_WHY: Final = 600
"""Characters of the explanation of an outcome."""


def checked_outcome(outcome: object) -> Outcome:
    """Return the outcome of a registered probe, masked and on one line.

    Raises:
        InvalidInputError: it is not an outcome a probe may give.
    """
    if not isinstance(outcome, Outcome):
        accepted = 'marked("right" | "wrong" | "noise", why), or unknown("no_answer", why)'
        raise InvalidInputError("its answer", f"is of type {type(outcome).__name__}", accepted)
    why = one_line(mask(outcome.why), MAX_WHY)
    if outcome.verdict == "unknown":
        return unknown("no_answer", why)
    known = marked(outcome.verdict, why or f"its probe says {outcome.verdict}")
    for value in (outcome.change, outcome.result, outcome.band):
        if value is not None and not (isinstance(value, Decimal) and value.is_finite()):
            raise InvalidInputError("outcome", "must have numbers only", "finite decimals")
    return replace(outcome, why=known.why)
