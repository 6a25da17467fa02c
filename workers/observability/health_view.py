"""What the processes of a host answer about themselves, as it is told."""

from collections.abc import Sequence
from typing import Final

from afterword.pipeline.views.blocks import Table, View
from afterword.pipeline.views.cells import Cell
from afterword.workers.observability.condition import Condition

_CONDITIONS: Final = ("process", "pid", "address", "alive", "ready", "why not")


def health_view(conditions: Sequence[Condition]) -> View:
    """Return the answers of processes below each other."""
    return View([Table(_CONDITIONS, list(map(_condition, conditions)))])


def _condition(one: Condition) -> list[Cell]:
    alive, ready = ("yes" if is_so else "no" for is_so in (one.alive, one.ready))
    return [one.process, str(one.pid), one.address, alive, ready, one.says]
