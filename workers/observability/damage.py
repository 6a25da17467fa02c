"""Find damaged files: check all pages of every file that changed.

The other sources read only a few tables. Damage of any other page would stay unnoticed until a job
or a search reads it, and a connection does not read a page again that it has in memory.
"""

import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from afterword.pipeline.clock import Monotonic
from afterword.pipeline.core.store import Stores
from afterword.pipeline.core.store.changes import Stamp, stamp_of
from afterword.pipeline.core.store.check import structural_damage
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.core.telemetry.numbers import Values
from afterword.pipeline.errors import PipelineError
from afterword.workers.observability.cached import SOURCE_SHARE

_STEP_S: Final = 1.0
"""How often the stamps of the files are compared; seconds."""

FIRST_SHARE: Final = 0.4
"""Largest part of the time of a step for files that were never checked: after a start with
thousands of files they are checked slowly, and the machine stays idle."""

_MOST_SHOWN: Final = 20
"""Damaged stores shown with a series of their own (count)."""


@dataclass(slots=True)
class DamageWatch:
    """Checks files whose stamp changed; the file whose last check is oldest comes first.

    A check reads a whole file (some 3 s for 1 GB). All checks take at most a twentieth of one
    processor: after a file of 1 GB the next one is checked within a minute. Files that were never
    checked come last, so that files in use do not wait for all others after a start.

    Args:
        effort: returns the processor time of this thread; seconds.
    """

    stores: Stores
    monotonic: Monotonic
    effort: Monotonic = time.thread_time
    _stamps: dict[Path, Stamp] = field(default_factory=dict)
    _checked_at: dict[Path, float] = field(default_factory=dict)
    _damaged: dict[Path, str] = field(default_factory=dict)

    def run(self, stopping: threading.Event) -> None:
        """Check files until `stopping` is set."""
        pause = _STEP_S
        while not stopping.wait(pause):
            before = self.effort()
            try:
                self.step()
            except (OSError, PipelineError) as error:  # the next step tries again
                emit("damage.failed", error=str(error))
            pause = max(_STEP_S, (self.effort() - before) / SOURCE_SHARE)

    def step(self) -> None:
        """Check files that changed, at least one, until this step has used its share of time."""
        now = {path: stamp for path in self.stores.files() if (stamp := stamp_of(path))}
        for gone in self._stamps.keys() - now.keys():
            del self._stamps[gone]
            self._damaged.pop(gone, None)
        due = [path for path, stamp in now.items() if self._stamps.get(path) != stamp]
        due.sort(key=lambda path: self._checked_at.get(path, float("inf")))
        began, longest = self.effort(), _STEP_S * SOURCE_SHARE
        for path in due:
            spent = self.effort() - began
            if spent >= longest or (
                spent >= longest * FIRST_SHARE and path not in self._checked_at
            ):
                break
            self._checked_at[path] = self.monotonic()
            self._stamps[path] = now[
                path
            ]  # the stamp before the check: a later change is checked again
            self._note(path, structural_damage(path))

    def damaged(self) -> dict[str, Values]:
        """Return the damaged stores, at most `_MOST_SHOWN`."""
        found = sorted(path.stem for path in list(self._damaged))[:_MOST_SHOWN]
        return {"afterword_store_damaged": {(name,): 1 for name in found}}

    def _note(self, path: Path, damage: str) -> None:
        if damage and path not in self._damaged:
            remedy = "stop all processes, then run `afterword store check`"
            emit("store.damaged", level="ERROR", store=path.stem, error=damage, next=remedy)
        if not damage and path in self._damaged:
            emit("store.sound", level="INFO", store=path.stem)
        if damage:
            self._damaged[path] = damage
        else:
            self._damaged.pop(path, None)
