"""Memories as an agent writes them: one or two sentences about assets, prices and reasons."""

import random

from afterword.pipeline.domain.memory.model import NewMemory

SEED = 7

_ASSETS = ("BTC", "ETH", "SOL", "DOGE", "LINK", "AAVE", "AVAX", "XRP", "BNB", "UNI")
_SENTENCES = (
    ("observation", "Bought {n} {a} at {p} after the funding rate turned negative on {b}."),
    ("observation", "Sold half of the {a} position at {p}; keep the rest until the {b} vote."),
    ("trade_outcome", "Closed the {a} long at {p} for a loss of {n} USD, stop was too tight."),
    ("lesson", "Breakouts of {a} below {p} failed {n} times while {b} was falling."),
    ("preference", "Never hold more than {n} % of the book in {a} while {b} is volatile."),
    ("alert", "Watching {a} around {p}: open interest rose {n} % in one day, {b} did not move."),
    ("context", "The user holds {n} {a} on a hardware wallet and does not trade it."),
)


def memories(number: int) -> list[NewMemory]:
    """Return memories, the same ones for the same number."""
    chance = random.Random(SEED)
    return [_memory(chance, index) for index in range(number)]


def _memory(chance: random.Random, index: int) -> NewMemory:
    category, sentence = chance.choice(_SENTENCES)
    one, other = chance.sample(_ASSETS, 2)
    price = f"{chance.uniform(10, 90_000):,.2f}"
    content = sentence.format(a=one, b=other, p=price, n=chance.randint(2, 99))
    return NewMemory(
        category,
        f"{content} Note {index}.",
        metadata={"run": index % 100, "model": "heuristic"},
        session_id=f"session-{index % 50}",
    )
