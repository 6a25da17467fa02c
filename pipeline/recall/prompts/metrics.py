"""Metrics of the turns for which a model was asked which tags they need."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection

from afterword.pipeline.core.telemetry.numbers import Values
from afterword.pipeline.recall.prompts import turn_tag_rows
from afterword.pipeline.recall.prompts.turn_tag_rows import TurnTagCounts


class TurnTagNumbers:
    """Reads how often a model answered for a turn, and how often the rules had to; see
    `GroupNumbers`.
    """

    def __init__(self, process: object) -> None:
        del process

    def read(self, conn: Connection) -> TurnTagCounts:
        """Return the numbers of a group."""
        return turn_tag_rows.counts(conn)

    def sums(
        self, present: Sequence[TurnTagCounts], gone: Sequence[TurnTagCounts], now: datetime, /
    ) -> dict[str, Values]:
        """Return the numbers by metric."""
        del now
        counts = [*present, *gone]
        return {
            "afterword_turn_tag_choices_total": {
                ("answered",): sum(count.answered for count in counts),
                ("failed",): sum(count.failed for count in counts),
            }
        }
