"""How often the rules choose the tags that a message needs, and what the choice costs.

Messages of `developed` and `unseen` were labelled before the rules were written: the rules were
made right for the former, and nobody looked at the result of the latter before they were done.
Those of `later` were written afterwards, in indirect words, and the rules not changed for them.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from afterword.pipeline.rules.user_tags.turn_tags import turn_dimensions
from benchmarks.answer import Answer, Target, answers
from benchmarks.timing import seconds

MESSAGES: Final = Path(__file__).parent / "data" / "turn_messages.jsonl"

PARTS: Final = ("developed", "unseen", "later")


class LabelledMessage(NamedTuple):
    """A message, and the dimensions that its answer needs.

    Args:
        part: `developed`, `unseen` or `later`.
    """

    part: str
    dimensions: tuple[str, ...]
    message: str


def ask(rounds: int) -> Answer:
    """Choose for each message, as often as asked for the time it takes."""
    messages = read_messages()
    measured: dict[str, float] = {}
    for part in PARTS:
        rates = error_rates([message for message in messages if message.part == part])
        measured |= {f"{part}_{name}": rate for name, rate in rates.items()}
    texts = [message.message for message in messages]
    cost = min(seconds(lambda: list(map(turn_dimensions, texts))) for _ in range(rounds))
    bare = min(seconds(lambda: [text.casefold() for text in texts]) for _ in range(rounds))
    return Answer(
        "intent",
        measured | {"us_per_message": cost / len(texts) * 1e6},
        targets={
            "unseen_missed": Target(at_most=0.10),
            "unseen_needless": Target(at_most=0.10),
            "unseen_tool_turns_with_tags": Target(at_most=0.05),
            "us_per_message": Target(at_most=200),
        },
        floor={"fold_us_per_message": bare / len(texts) * 1e6},
        sizes=dict(Counter(message.part for message in messages)),
    )


def read_messages(path: Path = MESSAGES) -> list[LabelledMessage]:
    """Return the labelled messages."""
    lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [
        LabelledMessage(line["part"], tuple(line["dimensions"]), line["message"]) for line in lines
    ]


def error_rates(messages: Sequence[LabelledMessage]) -> Mapping[str, float]:
    """Return the shares of needed tags that are missed, and of told ones that are needless.

    The share of messages that need none and still get one is told apart.
    """
    needed = told = missed = needless = tool_turns = told_tool_turns = 0
    for message in messages:
        chosen, right = set(turn_dimensions(message.message)), set(message.dimensions)
        needed, told = needed + len(right), told + len(chosen)
        missed, needless = missed + len(right - chosen), needless + len(chosen - right)
        tool_turns += not right
        told_tool_turns += bool(chosen) and not right
    return {
        "missed": missed / max(1, needed),
        "needless": needless / max(1, told),
        "tool_turns_with_tags": told_tool_turns / max(1, tool_turns),
    }


if __name__ == "__main__":
    answers(ask, rounds=(int, 20, "times each message is read for the cost"))
