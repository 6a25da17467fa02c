"""What a search returns."""

from dataclasses import dataclass

from pipeline.memory.model import Memory


@dataclass(frozen=True, slots=True)
class Hit:
    """One memory found.

    Args:
        score: how well it fits; larger is better, comparable within one search only.
        relevance: the score on a scale from 0 to 1, where the best hit of the search has 1; all
            have 0 where nothing was asked for.
    """

    memory: Memory
    score: float
    relevance: float
