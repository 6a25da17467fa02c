"""Doubts about graduates: a judge flags one that does badly, and recovers it when it does well.

A flag hides a methodology from prompts; it changes no count.
"""

from typing import Final, Literal, NamedTuple, Protocol

from afterword.pipeline.domain.synthesis.model import WeighedMethod

ReviewVerdict = Literal["keep", "flag", "recover", "demote", "merge"]

JUDGE: Final = "judge_synthesis"
"""The task; it has its own switch and its own entries in the budget."""

MAX_REVIEW_REASON: Final = 300
"""Characters of a reason."""

FLAGS_TO_DEMOTE: Final = 3
"""Flags in a row that demote; each needs a further use, so standing still demotes nothing."""

MOST_A_DAY: Final = 4
"""Adjustments of one methodology a day (R5)."""

FLAGGED_AT: Final = 10.0
RECOVERED_BELOW: Final = 5.0
"""The heuristic flags at this bet that no edge is left, half of what demotes, and recovers below
the other."""


class AlikeMethod(NamedTuple):
    """Another methodology of the same class, direction, horizon and signal."""

    uid: str
    name: str
    text: str


class ReviewedMethod(NamedTuple):
    """A graduate with further uses, as its judge sees it.

    Args:
        alike: the newest older ones of its kind; at most 5.
    """

    weighed: WeighedMethod
    name: str = ""
    text: str = ""
    alike: tuple[AlikeMethod, ...] = ()


class MethodReview(NamedTuple):
    """What a judge says of a methodology.

    Args:
        reason: one plain sentence.
        into: uid of the methodology to merge it into; of the verdict `merge` only.
    """

    verdict: ReviewVerdict
    reason: str = ""
    into: str | None = None


class SynthesisJudge(Protocol):
    """Reviews graduates; it is asked outside any transaction."""

    @property
    def name(self) -> str:
        """Its name, stored with every event."""
        ...

    def review(self, method: ReviewedMethod, group: str) -> MethodReview:
        """Return what is to be done about a graduate that has further uses.

        Args:
            group: the group that pays.

        Raises:
            UnavailableError: no usable answer; another try may succeed.
            PostponedError: nothing was asked, and nothing may be asked for now.
        """
        ...


class HeuristicSynthesisJudge:
    """A judge by rule: it reads the bet that no edge is left since graduation."""

    name: Final = "heuristic"

    def review(self, method: ReviewedMethod, group: str) -> MethodReview:  # noqa: ARG002  # free
        """Flag at a bet of 10, recover below 5; between them nothing changes."""
        record = method.weighed.record
        bet, since = record.reverse, record.since
        right = f"right {since.hits:.1f} of {since.n_eff}, base {since.expected:.1f}"
        told = f"since graduation {right}"
        if bet >= FLAGGED_AT:
            return MethodReview("flag", f"{told}; the bet that no edge is left stands at {bet:.1f}")
        if bet < RECOVERED_BELOW and method.weighed.standing.flagged_at is not None:
            return MethodReview("recover", f"{told}; that bet fell to {bet:.1f}")
        return MethodReview("keep")
