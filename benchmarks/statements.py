"""How well rules find what users durably say of themselves, and how fast chats are read.

The sentences are labelled by hand, in six languages. Those marked `seen` were read while the rules
were written, `held_out` ones were looked at once, at the end; one hand wrote both on one day, so
they are alike. `read_later` ones were written in other words when the rules stood: at first sight
the rules found 24 of 54 statements (44 %) and took 6 other sentences for some (precision 80 %).
They have been mended with them since. The chats of the second part are mostly questions
and orders, with pasted output, heartbeats and, one in eight, a statement.
"""

import json
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from afterword.pipeline.clock import system_clock, to_micros
from afterword.pipeline.core.store import Store, writing
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.rebuilds.kinds import REBUILDS
from afterword.pipeline.domain.rebuilds.parts import RebuildParts
from afterword.pipeline.domain.rebuilds.rebuild import run_rebuild
from afterword.pipeline.domain.sessions.sessions import begin_session
from afterword.pipeline.domain.statements.batch import MOST_TURNS
from afterword.pipeline.gateway.switches import Mode
from afterword.pipeline.ids import random_uid
from afterword.pipeline.rules.statements.find import find_statements
from afterword.pipeline.settings import Settings
from benchmarks.answer import Answer, Target, answers, note
from benchmarks.host import a_host
from benchmarks.timing import seconds

SENTENCES: Final = Path(__file__).parent / "data" / "chat_statements.jsonl"

PLAIN: Final = (
    "What is {coin} doing today, and why did it drop {n}% since the open?",
    "Close half of my {coin} position at {n}00 and move the stop to break even.",
    "Show me the funding of {coin} for the last {n} days, please.",
    "I bought {n} {coin} yesterday, was that a mistake?",
    "ok thanks, and now compare it with the {n} day average of {coin}",
    "Why do you think {coin} is going to break {n}00 this week? I don't see it.",
    "I need the report on {coin} in {n} minutes, my boss is asking for it.",
)
STATED: Final = (
    "I never risk more than {n}% of my account on {coin}.",
    "My target is {n}% a year with {coin} and nothing else.",
    "I prefer {coin} over anything else with {n} letters.",
    "I have been trading {coin} for {n} years.",
    "My {coin} wallet is with custodian number {n}.",
)
MACHINE: Final = (
    "Read HEARTBEAT.md if it exists. If nothing needs attention, reply HEARTBEAT_OK.",
    "```\n{coin} {n}\n"
    + "2026-01-01 12:00:00 INFO fill {coin} px={n}\n" * 30
    + "```\nwhat failed?",
    '{{"coin": "{coin}", "rows": [' + '{{"px": {n}, "sz": 1}}, ' * 40 + "]}}",
)
COINS: Final = ["BTC", "ETH", "SOL", "AVAX", "LINK", "UNI", "AAVE", "DOGE", "SUI", "ARB", "TIA"]


@dataclass(frozen=True, slots=True)
class LabelledSentence:
    """A message of a user, and the kind of statement in it.

    Args:
        kind: `none` where nothing may be taken.
        split: `seen`, `held_out` or `read_later`.
    """

    text: str
    language: str
    kind: str
    split: str


def read_sentences(path: Path = SENTENCES) -> list[LabelledSentence]:
    """Return the labelled sentences."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [LabelledSentence(**json.loads(line)) for line in lines]


def ask(turns: int) -> Answer:
    """Read every labelled sentence, then the chats of a group that was never read."""
    measured: dict[str, float] = {}
    for split in ("seen", "held_out", "read_later"):
        own = [sentence for sentence in read_sentences() if sentence.split == split]
        measured |= {f"{split}_{name}": value for name, value in _rates(own).items()}
    measured |= _read(turns)
    return Answer(
        "statements",
        measured,
        targets={"rebuild_s": Target(at_most=5)},
        sizes={"turns": turns, "sentences": len(read_sentences())},
    )


def _rates(sentences: Sequence[LabelledSentence]) -> dict[str, float]:
    right = wrong = missed = 0
    for sentence in sentences:
        is_found = bool(find_statements(sentence.text).statements)
        if is_found and sentence.kind != "none":
            right += 1
        elif is_found:
            wrong += 1
            note(f"taken  {sentence.split} {sentence.language}: {sentence.text}")
        elif sentence.kind != "none":
            missed += 1
            note(f"missed {sentence.split} {sentence.language}: {sentence.text}")
    return {
        "precision_pct": 100 * right / max(1, right + wrong),
        "recall_pct": 100 * right / max(1, right + missed),
    }


def _read(turns: int) -> dict[str, float]:
    rebuild = next(one for one in REBUILDS if one.name == "memories")
    with a_host(fleet=False) as host:
        _fill(host.store, turns)
        by = Writer(host.store, system_clock, random_uid, "system")
        parts = RebuildParts(by, Settings(), None, lambda _task: Mode.OFF)
        runs = -(-turns // MOST_TURNS)
        before = time.process_time()
        taken = seconds(lambda: [run_rebuild(parts, rebuild, is_forced=True) for _ in range(runs)])
        worked = time.process_time() - before
        with writing(host.store) as conn:
            count = conn.exec_driver_sql("SELECT count(*) FROM chat_statements").scalar_one()
    return {
        "rebuild_s": taken,
        "rebuild_cpu_s": worked,
        "ms_per_turn": 1000 * taken / turns,
        "statements": float(count),
    }


def _fill(store: Store, turns: int) -> None:
    """Write turns that ended; a session, then its turns in one transaction."""
    session = begin_session(Writer(store, system_clock, random_uid)).session
    now = to_micros(system_clock())
    rows = [
        (random_uid(), session.id, message, "ok", "[]", "succeeded", now, now, now)
        for message in _messages(turns)
    ]
    with writing(store) as conn:
        conn.exec_driver_sql(
            "INSERT INTO turns (uid, session_id, message, reply, tool_calls, outcome, started_at,"
            " busy_until, finished_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            rows,
        )


def _messages(turns: int) -> Iterator[str]:
    chance = random.Random(11)
    for number in range(turns):
        pool = STATED if number % 8 == 0 else MACHINE if number % 10 == 1 else PLAIN
        yield chance.choice(pool).format(coin=chance.choice(COINS), n=chance.randrange(2, 400))


if __name__ == "__main__":
    answers(ask, turns=(int, 10_000, "turns that ended"))
