"""Whoever is asked whether one fact restates or replaces another; rules overrule the answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, Protocol

from afterword.pipeline.errors import InvalidInputError

Relation = Literal["keep", "merge", "supersede"]
"""What a judge may say of a fact and an older one: leave both, they say the same, or the fact says
what is so now instead."""

MAX_GUIDANCE: Final = 500
"""Characters of the owner's wish how to judge: a preference, never a rule."""

MAX_REASON: Final = 300
"""Characters kept of a judge's reason."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A fact as a judge sees it: its words are material to judge, not instructions.

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
    """What a judge says of the asked fact and one candidate.

    Args:
        other_id: the candidate.
        reason: in the judge's words; kept with the decision.
    """

    other_id: int
    relation: Relation
    reason: str = ""


class FactJudge(Protocol):
    """Says how a fact relates to older ones; it is asked outside any transaction."""

    def judge(self, question: FactQuestion, guidance: str, group: str) -> Sequence[FactVerdict]:
        """Return a verdict for each candidate; one that is missing means keep.

        Args:
            guidance: the owner's wish, up to `MAX_GUIDANCE` characters.
            group: whose budget pays.

        Raises:
            UnavailableError: the judge did not answer, or not in a form that can be read.
            PostponedError: nothing was asked, and nothing should be for now.
            InvalidInputError: it will never answer this.
        """


def check_guidance(guidance: str) -> str:
    """Return the owner's wish if it is short enough to be one.

    Raises:
        InvalidInputError: it is longer than `MAX_GUIDANCE`.
    """
    if len(guidance) > MAX_GUIDANCE:
        problem = f"has {len(guidance)} characters"
        raise InvalidInputError("consolidation_guidance", problem, f"up to {MAX_GUIDANCE}")
    return guidance
