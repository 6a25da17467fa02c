"""What is found in chats, as frozen values."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from afterword.pipeline.domain.sessions.ended_rows import EndedTurn
from afterword.pipeline.rules.statements.model import StatementKind

BY_RULES: Final = "rules"
"""Who found a statement where no model did."""

SAYS: Final = "The user says: "
"""Stands before a sentence of the user: in a prompt, `I` and `my` would be the agent's."""

MAX_QUOTE: Final = 300
"""Characters of a quotation, and of the memory that is made of it: a line of a prompt."""

StatementOutcome = Literal["written", "said_again", "deleted"]
"""`written`: a memory was made of it. `said_again`: it is remembered already. `deleted`: it was,
and its owner deleted or replaced it, so that it is not taken again."""


@dataclass(frozen=True, slots=True)
class FoundStatement:
    """A statement of the user in a turn.

    Args:
        text: of the memory: the user's own sentence after `SAYS`, or as a model words it.
        quote: the user's words.
        found_by: `BY_RULES`, or the name of the model.
    """

    turn: EndedTurn
    text: str
    kind: StatementKind
    quote: str
    found_by: str = BY_RULES


@dataclass(frozen=True, slots=True)
class ChatReading:
    """What was found in the turns of a run.

    Args:
        refused: statements that were not taken, by reason; count.
    """

    statements: tuple[FoundStatement, ...] = ()
    refused: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TurnBatch:
    """The turns of one run, in the order in which they ended.

    Args:
        read_to: place of the last one; the cursor after the run.
        texts: what a person may have typed, by the id of the turn; without turns that hold nothing
            of a person, or that the host marks as its own.
        refused: turns that were left out whole, by reason; count.
    """

    turns: tuple[EndedTurn, ...]
    read_to: int
    texts: Mapping[int, str]
    refused: Mapping[str, int]
