"""Conversations in any number: real ones with changed words, or invented ones."""

import random
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import count, islice
from pathlib import Path

from afterword.pipeline.domain.memory.model import NewMemory
from benchmarks.locomo import conversations

SEED = 11

OTHER_WORDS = 0.3
"""Share of the words of a repeated conversation that are drawn anew from all of them."""

_NAMED = (
    "Alex Ben Chris Dana Erik Fiona Greg Hana Ivan Julia Kevin Lena Marco Nina Oscar Paula Rosa "
    "Stefan Tina Victor Wendy Yusuf Zoe Amir Bella Carlos Diana Elias Frida Gustav"
)
_NAMES = _NAMED.split()
_SPOKEN = "ba co di fe gu ha ki lo mu ne pi ro sa te vo wu xi ya zo shi tra ple mon ger"
_SYLLABLES = _SPOKEN.split()
_TURNS_A_SESSION = 22


def chatter(rows: int, path: Path | None) -> tuple[list[NewMemory], list[str]]:
    """Return so many turns of conversation, and questions about the first of them.

    Args:
        path: a file of LoCoMo conversations to say again and again; invented ones without it.
    """
    if path is None:
        return _invented(rows)
    said = conversations(path)
    questions = [question.text for one in said for question in one.questions]
    return list(islice(_repeated(path), rows)), questions


def _repeated(path: Path) -> Iterator[NewMemory]:
    chance = random.Random(SEED)
    said = conversations(path)
    every = [word for one in said for row in one.turns.values() for word in _words(row.content)]
    for copy in count():
        for one in said:
            speakers = {row.content.partition(":")[0] for row in one.turns.values()}
            names = {name: chance.choice(_NAMES) if copy else name for name in sorted(speakers)}

            def other(match: re.Match[str], names: dict[str, str] = names) -> str:
                word = match[0]
                if word in names:
                    return names[word]
                return chance.choice(every) if chance.random() < OTHER_WORDS else word

            for row in one.turns.values():
                text = re.sub(r"\w+", other, row.content) if copy else row.content
                yield replace(row, content=text, session_id=f"{copy}-{one.name}-{row.session_id}")


def _invented(rows: int) -> tuple[list[NewMemory], list[str]]:
    """Return turns of words as rare as words are, the n-th a share of 1/n, and questions."""
    chance = random.Random(SEED)
    made = ("".join(chance.choices(_SYLLABLES, k=3)) for _ in range(9_000))
    vocabulary = list(dict.fromkeys(made))
    shares = [1 / rank for rank in range(10, len(vocabulary) + 10)]
    drawn = iter(chance.choices(vocabulary, shares, k=rows * 20))
    said = [
        NewMemory(
            "context",
            f"{_NAMES[row // _TURNS_A_SESSION % 29 + row % 2]}: {' '.join(islice(drawn, 20))}",
            session_id=f"session-{row // _TURNS_A_SESSION}",
        )
        for row in range(rows)
    ]
    asked = [
        "What did {} say about {}?".format(
            row.content.partition(":")[0], " ".join(chance.sample(_words(row.content)[1:], 4))
        )
        for row in said[: 20 * 25 : 20]
    ]
    return said, asked


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text)
