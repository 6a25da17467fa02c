"""What the owner declared of a dimension, beside what trades say: a verdict and a sentence."""

from dataclasses import dataclass
from typing import Literal

from afterword.pipeline.rules.user_tags.observed import ObservedTag
from afterword.pipeline.rules.user_tags.schema import (
    MARKETS_TAG,
    parse_stored_tag_value,
    tag_label,
)

Agreement = Literal["agrees", "differs", "undecided", "undeclared"]


@dataclass(frozen=True, slots=True)
class TagComparison:
    """What was declared of a dimension, beside what trades say.

    Args:
        declared: as it is stored; None where the owner said nothing.
        observed: likewise; None where the trades do not decide it.
        n, unit, why: see `ObservedTag`.
        says: all of it as a sentence.
    """

    dimension: str
    declared: str | None
    observed: str | None
    n: int
    unit: str
    why: str
    agreement: Agreement
    says: str


def compared(observed: ObservedTag, declared: str | None) -> TagComparison:
    """Return what trades say beside what the owner declared.

    Args:
        declared: as it is stored; None where the owner said nothing.
    """
    agreement = _agreement(observed, declared)
    return TagComparison(
        observed.dimension,
        declared,
        observed.value,
        observed.n,
        observed.unit,
        observed.why,
        agreement,
        _sentence(observed, declared, agreement),
    )


def _agreement(observed: ObservedTag, declared: str | None) -> Agreement:
    if observed.value is None:
        return "undecided"
    if declared is None:
        return "undeclared"
    if observed.dimension == MARKETS_TAG:
        said, traded = (
            set(parse_stored_tag_value(MARKETS_TAG, value)) for value in (declared, observed.value)
        )
        return "agrees" if traded <= said else "differs"
    return "agrees" if observed.value == declared else "differs"


def _sentence(observed: ObservedTag, declared: str | None, agreement: Agreement) -> str:
    said = "you said nothing"
    if declared is not None:
        said = f"you said {_told(observed.dimension, declared)}"
    if observed.value is None:
        return f"{said}; {observed.why} (n = {observed.n})"
    is_one = observed.n == 1
    counted = f"{observed.n} {observed.unit.removesuffix('s') if is_one else observed.unit}"
    found = _told(observed.dimension, observed.value)
    says = "says" if is_one else "say"
    verdict = {
        "agrees": f"{says} so too",
        "differs": f"{says} otherwise, {found}",
    }.get(agreement, f"{says} {found}")
    return f"{said}; {counted} {verdict} (n = {observed.n}): {observed.why}"


def _told(dimension: str, stored: str) -> str:
    label = tag_label(dimension, stored)
    return label if dimension == MARKETS_TAG else label.lower()
