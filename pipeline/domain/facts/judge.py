"""The judge of facts: does one restate or replace another? Rules can overrule its answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, Protocol

from afterword.pipeline.errors import InvalidInputError

FactRelation = Literal["keep", "merge", "supersede"]
"""How a fact relates to an older one: `keep` both, `merge` as they say the same, or `supersede` the
older one, which is no longer true."""

MAX_GUIDANCE: Final = 500
"""Characters of the owner's guidance for close calls; it changes no rule."""

FACT_REASON_CHARS: Final = 300
"""Characters of a judge's reason that are stored."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A fact as a judge sees it: its text is data, never instructions.

    Args:
        said_at: when it was last stated; aware.
    """

    id: int
    content: str
    said_at: datetime


@dataclass(frozen=True, slots=True)
class FactQuestion:
    """One fact and the older ones it may restate or replace."""

    fact: Statement
    candidates: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class FactVerdict:
    """A judge's verdict on the fact in question and one candidate.

    Args:
        other_id: id of the candidate.
        reason: the judge's own explanation; stored with the decision.
    """

    other_id: int
    relation: FactRelation
    reason: str = ""


class FactJudge(Protocol):
    """Compares a fact with older ones; it is asked outside any transaction."""

    def judge(self, question: FactQuestion, guidance: str, group: str) -> Sequence[FactVerdict]:
        """Return a verdict for each candidate; a missing one means keep.

        Args:
            guidance: the owner's guidance, up to `MAX_GUIDANCE` characters.
            group: the group that pays.

        Raises:
            UnavailableError: no usable answer.
            PostponedError: nothing was asked, and nothing should be for now.
            InvalidInputError: it will never answer this.
        """


def check_guidance(guidance: str) -> str:
    """Return the owner's guidance if it is short enough.

    Raises:
        InvalidInputError: it is longer than `MAX_GUIDANCE`.
    """
    if len(guidance) > MAX_GUIDANCE:
        problem = f"has {len(guidance)} characters"
        raise InvalidInputError("consolidation_guidance", problem, f"up to {MAX_GUIDANCE}")
    return guidance
