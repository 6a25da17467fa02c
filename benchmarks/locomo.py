"""LoCoMo's conversations as memories, its questions with the turns that answer them.

The data is research data (CC BY-NC 4.0, snap-research/LoCoMo): it is read from a path and belongs
to nobody's package.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from afterword.pipeline.domain.memory.model import NewMemory

CATEGORIES = {1: "multi_hop", 2: "temporal", 3: "inference", 4: "single_hop", 5: "adversarial"}

_EVIDENCE = re.compile(r"D:?(\d+):0*(\d+)")

Turn = tuple[int, int]
"""A turn by its session and its number there, as evidence names it."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and what answers it.

    Args:
        evidence: turns of the conversation; at least one.
    """

    text: str
    category: str
    evidence: frozenset[Turn]


@dataclass(frozen=True, slots=True)
class Conversation:
    """One conversation.

    Args:
        turns: its turns in order, with the memory each becomes.
    """

    name: str
    turns: dict[Turn, NewMemory]
    questions: tuple[Question, ...]


def conversations(path: Path) -> list[Conversation]:
    """Return the conversations of a LoCoMo file; questions without evidence left are dropped."""
    return [_conversation(one) for one in json.loads(path.read_text())]


def _conversation(one: dict[str, Any]) -> Conversation:
    turns = dict(_turns(one["conversation"]))
    questions = (_question(qa, turns) for qa in one["qa"])
    return Conversation(one["sample_id"], turns, tuple(q for q in questions if q.evidence))


def _turns(said: dict[str, Any]) -> Iterator[tuple[Turn, NewMemory]]:
    numbers = sorted(int(key[8:]) for key in said if re.fullmatch(r"session_\d+", key))
    for number in numbers:
        written = f"{said[f'session_{number}_date_time']} +0000"
        at = datetime.strptime(written, "%I:%M %p on %d %B, %Y %z")
        for turn in said[f"session_{number}"]:
            found = _EVIDENCE.fullmatch(turn["dia_id"])
            assert found, turn["dia_id"]
            # Never `query`: it was written by looking at the picture, and gives answers away.
            shown = f" {turn['blip_caption']}" if turn.get("blip_caption") else ""
            yield (
                (int(found[1]), int(found[2])),
                NewMemory(
                    "context",
                    f"{turn['speaker']}: {turn['text']}{shown}",
                    session_id=f"session-{number}",
                    occurred_at=at,
                ),
            )


def _question(qa: dict[str, Any], turns: dict[Turn, NewMemory]) -> Question:
    named = (
        (int(session), int(number))
        for text in qa["evidence"]
        for session, number in _EVIDENCE.findall(text)
    )
    evidence = frozenset(turn for turn in named if turn in turns)
    return Question(qa["question"], CATEGORIES[qa["category"]], evidence)
