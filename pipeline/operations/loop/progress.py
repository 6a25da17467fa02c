"""How far a step is, for the person who waits for it."""

import threading
from collections.abc import Callable
from typing import Final

from afterword.pipeline.domain.decisions.settle import emit_settled
from afterword.pipeline.domain.decisions.tally import Tally

OnProgress = Callable[[str, int, int], None]
"""Called with a role or `LADDER`, how many of its decisions are done, and how many were due."""

LADDER: Final = "outcomes"
"""What the measuring of the ladder is called beside the roles."""


class LoopProgress:
    """Tells how far a step is, and adds up what becomes of decisions, also before an error.

    Args:
        on_progress: called after each write; from any thread, one at a time.
    """

    def __init__(self, on_progress: OnProgress) -> None:
        self._on_progress, self._lock = on_progress, threading.Lock()
        self._ripe = self._done = 0
        self.tally = Tally()

    def begin(self, role_id: str, ripe: int) -> None:
        """Start counting the decisions of another role that are reflected on."""
        self._ripe, self._done = ripe, 0
        if ripe:
            self._on_progress(role_id, 0, ripe)

    def settled(self, role_id: str, tally: Tally) -> None:
        """Count what became of decisions of the role; an `OnSettled`."""
        emit_settled(role_id, tally)
        with self._lock:
            self.tally += tally
            self._done += tally.settled + sum(tally.parked.values()) + tally.failed + tally.shadowed
            if self._ripe:  # a decision parked by its answer counts twice, new ones ripen
                self._on_progress(role_id, min(self._done, self._ripe), self._ripe)

    def measured(self, looked: int, due: int) -> None:
        """Tell how many of the decisions that were due were measured."""
        if due:
            self._on_progress(LADDER, min(looked, due), due)
