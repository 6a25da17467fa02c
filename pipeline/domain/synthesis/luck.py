"""How many methodologies were tried, and how many of the graduated ones are expected to be luck."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.domain.synthesis.rows import last_pass
from afterword.pipeline.rules.text.numbers import amount


class ExpectedLuck(NamedTuple):
    """What the last pass of the synthesis counted; placebos apart.

    Args:
        tried: methodologies that ever cast a vote.
        graduated: those that the gate in force let through.
        expected_false: how many of these are luck, at most, on average.
        without: how many it would be if each were judged by itself.
        at: when that pass ended; aware UTC.
    """

    tried: int
    graduated: int
    expected_false: float
    without: float
    at: datetime

    @property
    def words(self) -> str:
        """Return it as one sentence."""
        noun = "methodology was" if self.tried == 1 else "methodologies were"
        return (
            f"{amount(self.tried)} {noun} tried, {amount(self.graduated)} graduated; of these up to"
            f" {self.expected_false:g} are expected to be luck"
            f" ({self.without:g} if each were judged by itself)."
        )


def expected_luck(conn: Connection, as_of: datetime | None = None) -> ExpectedLuck | None:
    """Return what the last pass counted; None before the first one."""
    found = last_pass(conn) if as_of is None else last_pass(conn, to_micros(as_of))
    if found is None or "tried" not in found.numbers:
        return None
    numbers = found.numbers
    return ExpectedLuck(
        int(numbers["tried"]),
        int(numbers.get("graduated", 0)),
        float(numbers.get("expected_false", 0)),
        float(numbers.get("expected_false_without", 0)),
        from_micros(found.finished_at),
    )
