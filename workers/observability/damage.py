"""Find damaged files: check the pages of every file that changed.

The other sources read a few tables only. Damage to any other page would stay unnoticed until a job
or a search reads it, and a connection does not read pages again that it has in memory.
"""

import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from afterword.pipeline.clock import Monotonic
from afterword.pipeline.core.store import Stores
from afterword.pipeline.core.store.check import structural_damage
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.errors import PipelineError
from afterword.workers.observability.cached import SHARE, Values

LOOK_S: Final = 1.0
"""How often the files' time stamps are compared; seconds."""

FIRST_SHARE: Final = 0.4
"""Part of its time that a look spends at most on files that were never checked: after a start with
thousands of files they wait, and the machine stays quiet."""

MOST_SHOWN: Final = 20
"""Damaged stores shown with a series of their own (count)."""


@dataclass(slots=True)
class DamageWatch:
    """Checks files whose time stamp or size changed; the longest unchecked first.

    A check reads a whole file (some 3 s for 1 GB). All checks take at most a twentieth of one
    processor: after a file of 1 GB the next one is checked within a minute. Files that were never
    checked come last, so that those in use do not wait behind all others after a start.

    Args:
        effort: seconds this thread has kept a processor busy.
    """

    stores: Stores
    monotonic: Monotonic
    effort: Monotonic = time.thread_time
    _stamps: dict[Path, tuple[int, int]] = field(default_factory=dict)
    _checked_at: dict[Path, float] = field(default_factory=dict)
    _damaged: dict[Path, str] = field(default_factory=dict)

    def run(self, stopping: threading.Event) -> None:
        """Check files until `stopping` is set."""
        pause = LOOK_S
        while not stopping.wait(pause):
            before = self.effort()
            try:
                self.step()
            except (OSError, PipelineError) as error:  # the next look tries again
                emit("damage.failed", error=str(error))
            pause = max(LOOK_S, (self.effort() - before) / SHARE)

    def step(self) -> None:
        """Check files that changed, at least one, until this step has used its share of time."""
        now = {path: stamp for path in self.stores.files() if (stamp := _stamp(path)) is not None}
        for gone in self._stamps.keys() - now.keys():
            del self._stamps[gone]
            self._damaged.pop(gone, None)
        due = [path for path, stamp in now.items() if self._stamps.get(path) != stamp]
        due.sort(key=lambda path: self._checked_at.get(path, float("inf")))
        began, longest = self.effort(), LOOK_S * SHARE
        for path in due:
            spent = self.effort() - began
            if spent >= longest or (
                spent >= longest * FIRST_SHARE and path not in self._checked_at
            ):
                break
            self._checked_at[path] = self.monotonic()
            self._stamps[path] = now[path]  # from before the check: a later change is checked again
            self._note(path, structural_damage(path))

    def damaged(self) -> dict[str, Values]:
        """Return the damaged stores, at most `MOST_SHOWN`."""
        found = sorted(path.stem for path in list(self._damaged))[:MOST_SHOWN]
        return {"afterword_store_damaged": {(name,): 1 for name in found}}

    def _note(self, path: Path, damage: str) -> None:
        if damage and path not in self._damaged:
            remedy = "stop all processes, then `afterword store check`"
            emit("store.damaged", level="ERROR", store=path.stem, error=damage, next=remedy)
        if not damage and path in self._damaged:
            emit("store.sound", level="INFO", store=path.stem)
        if damage:
            self._damaged[path] = damage
        else:
            self._damaged.pop(path, None)


def _stamp(path: Path) -> tuple[int, int] | None:
    try:
        stat = path.stat()
    except FileNotFoundError:
        return None
    return stat.st_mtime_ns, stat.st_size
