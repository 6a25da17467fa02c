"""Ids of a replay: they follow from its seed, so that a second run has the same."""

import hashlib


class DerivedIds:
    """Ids that follow from a seed and from how many were drawn before.

    Args:
        drawn: ids drawn so far; count.
    """

    def __init__(self, seed: int, drawn: int = 0) -> None:
        self._seed, self.drawn = seed, drawn

    def __call__(self) -> str:
        """Return the next one."""
        self.drawn += 1
        return _hashed(f"{self._seed} {self.drawn}")


def uid_of(seed: int, key: str) -> str:
    """Return the uid of a decision: it follows from its key, so two replays can be paired."""
    return _hashed(f"{seed} decision {key}")


def _hashed(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]
