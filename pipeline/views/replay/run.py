"""The replays of a home, and how one ended."""

from collections.abc import Sequence
from typing import Final

from afterword.pipeline.clock import from_micros
from afterword.pipeline.operations.replay.model import ReplayStatus
from afterword.pipeline.operations.replay.run import Throughput
from afterword.pipeline.views.blocks import Table, View, paragraphs
from afterword.pipeline.views.cells import Cell, Ref
from afterword.pipeline.views.words import duration, moment

_COLUMNS: Final = ("replay", "state", "from", "done until", "to", "decisions", "hash")
_NONE_YET: Final = "no replay yet; afterword replay run NAME --prices FILE"
_SHOWN: Final = 12
"""Digits of a state that a list shows; --json has all."""


def replay_list(replays: Sequence[ReplayStatus]) -> View:
    """Return the replays of a home."""
    return View([Table(_COLUMNS, list(map(_row, replays)), _NONE_YET)])


def replay_end(status: ReplayStatus, before: ReplayStatus, took: Throughput) -> View:
    """Return how far a replay is now.

    Args:
        before: how far it was when its run began.
        took: the pace of the run.
    """
    if before.state == "done":
        return View(
            paragraphs([f"replay {status.name} has ended before; state {status.state_hash}"])
        )
    span = f"{_at(before.cursor)} to {_at(status.cursor)}"
    rate = took.events / max(took.seconds, 0.001)
    sentences = [
        f"replay {status.name}: {span}, {took.decisions:,} decisions in {duration(took.seconds)}",
        f"{rate:,.0f} events/s; state {status.state_hash}",
        f"read it with `afterword replay report {status.name}`",
    ]
    return View(paragraphs(sentences))


def replay_removed(name: str) -> View:
    """Return that a replay is gone."""
    return View(paragraphs([f"replay {name} is removed"]))


def _row(status: ReplayStatus) -> tuple[Cell, ...]:
    return (
        Ref(status.name, "replay", status.name),
        status.state,
        _at(status.settings.begins_at),
        _at(status.cursor),
        _at(status.settings.ends_at),
        f"{status.recorded:,} of {status.decisions:,}",
        status.state_hash[:_SHOWN],
    )


def _at(micros: int) -> str:
    return moment(from_micros(micros))
