"""How many methodologies were tried, and how many of the graduated ones are expected to be luck."""

from collections.abc import Mapping
from datetime import datetime
from math import ceil
from typing import Any, NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros, to_micros
from afterword.pipeline.domain.methodologies.model import MethodGate
from afterword.pipeline.domain.synthesis.rows import last_pass
from afterword.pipeline.rules.text.numbers import amount


class ExpectedLuck(NamedTuple):
    """What the last pass of the synthesis counted; placebos apart.

    Args:
        tried: methodologies that ever cast a vote.
        graduated: those that the gate in force let through.
        gate: the one in force.
        expected_false: how many of these are luck, at most, on average.
        without: how many it would be if each were judged by itself.
        at: when that pass ended; aware UTC.
    """

    tried: int
    graduated: int
    gate: MethodGate
    expected_false: float
    without: float
    at: datetime

    @property
    def words(self) -> str:
        """Return it in plain words."""
        if not self.tried:
            return "No methodology has cast a vote yet: decisions must cite one, and time pass."
        if self.gate == "literal":
            return (
                f"Of {self.tried:,} tried, {self.graduated:,} graduated by the literal rule, which "
                "says nothing of how many of these are luck."
            )
        alone = f"Each judged by itself, luck would let up to {_at_most(self.without)} through."
        if not self.graduated:
            return f"Of {self.tried:,} tried, none is graduated. {alone}"
        return (
            f"Of {self.tried:,} tried, {self.graduated:,} graduated; up to "
            f"{_at_most(self.expected_false)} of these are expected to be luck. {alone}"
        )


def expected_luck(conn: Connection, as_of: datetime | None = None) -> ExpectedLuck | None:
    """Return what the last pass counted; None before the first one."""
    last = last_pass(conn) if as_of is None else last_pass(conn, to_micros(as_of))
    if last is None or "tried" not in last.numbers:
        return None
    return luck_of(last.numbers, from_micros(last.finished_at))


def luck_of(numbers: Mapping[str, Any], at: datetime) -> ExpectedLuck:
    """Return what a pass counted.

    Args:
        numbers: of its heartbeat.
        at: when it ended.
    """
    gate: MethodGate = "literal" if numbers.get("gate") == "literal" else "strict"
    graduated = "literal_graduated" if gate == "literal" else "graduated"
    return ExpectedLuck(
        int(numbers["tried"]),
        int(numbers.get(graduated, 0)),
        gate,
        float(numbers.get("expected_false", 0)),
        float(numbers.get("expected_false_without", 0)),
        at,
    )


def _at_most(bound: float) -> str:
    """Return an upper bound with one digit, never rounded down."""
    return amount(ceil(round(bound * 10, 6)) / 10)
