"""The scope of a search, and the hits and explanations it returns."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Final, Literal

from afterword.pipeline.domain.memory.model import Memory

if TYPE_CHECKING:  # loaded by a search, not by everything that names its result
    import numpy as np
    from numpy.typing import NDArray

Fusion = Literal["scaled", "rrf"]
"""How arms become one order: their scaled scores are added, or their reciprocal ranks are."""

MAX_QUERY: Final = 500
"""Characters of a query that are read (R4)."""

MAX_HITS: Final = 100
"""Hits of one search (R4)."""


@dataclass(frozen=True, slots=True)
class Scope:
    """Which memories a search may find; those outside still count as neighbours of those inside.

    Args:
        category: only this one.
        type: only entries of this type.
        tags: only memories that have all of them.
        session_id: only what was said in this session.
        after: only what happened, or became known if that is not recorded, at this moment or later.
        before: only what did so earlier than this moment.
        include_superseded: also superseded and stale memories.
        typed: only entries, of any type.
    """

    category: str | None = None
    type: str | None = None
    tags: Sequence[str] = ()
    session_id: str | None = None
    after: datetime | None = None
    before: datetime | None = None
    include_superseded: bool = False
    typed: bool = False

    @property
    def is_open(self) -> bool:
        """Say whether every visible memory is in it."""
        named = (self.category, self.type, self.session_id, self.after, self.before)
        return not self.tags and not self.typed and all(value is None for value in named)


@dataclass(frozen=True, slots=True)
class ArmScores:
    """What one arm of a search found: each row once, in no order.

    Args:
        ids: ids of memories, (n,).
        scores: how well each fits, (n,); larger is better.
    """

    ids: "NDArray[np.int64]"
    scores: "NDArray[np.float64]"


@dataclass(frozen=True, slots=True)
class TermShare:
    """What one term of the query gave a memory: its weight, by where the term occurs.

    Args:
        term: as the query writes it.
        own: in the memory itself.
        window: in it or the rows just before or after; less from two rows away.
        session: anywhere in its session.
    """

    term: str
    own: float
    window: float
    session: float


@dataclass(frozen=True, slots=True)
class ArmShare:
    """What one arm of the search made of a memory.

    Args:
        arm: `words` or `meaning`.
        rank: its position in this arm, from 1; None where the arm did not find it.
        score: the sum of all parts.
        own: of the memory itself; the best has 1 by words, 0.75 by meaning.
        window: of it and its neighbours, likewise.
        session: of its session, likewise.
        answer: received from the question it answers.
    """

    arm: str
    rank: int | None
    score: float
    own: float
    window: float
    session: float
    answer: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a memory has its score.

    Args:
        fused: the score of all arms together.
        overlap: how many of the query's assets, chains and addresses it is about.
        boost: the factor on `fused` for that.
    """

    arms: tuple[ArmShare, ...]
    terms: tuple[TermShare, ...]
    fused: float
    overlap: int
    boost: float


@dataclass(frozen=True, slots=True)
class Hit:
    """One memory found.

    Args:
        score: how well it fits; larger is better, comparable within one search only.
        relevance: how much of the query it covers, 0 to 1: comparable from search to search;
            0 where nothing was asked for.
        by_neighbours: whether only what stands beside it fits the query, and not itself.
        explanation: why it has its score, where that was asked for.
    """

    memory: Memory
    score: float
    relevance: float
    by_neighbours: bool = False
    explanation: Explanation | None = None
