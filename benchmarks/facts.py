"""The error rate of consolidation on labelled pairs of facts, and the speed of a backlog.

A false merge loses a fact that said something else; a false supersede replaces one that was about
something else. The judge is the worst there is: it says the same of every pair, so what is counted
is what the rules let through. Pairs marked `seen` were read while the rules were written,
`held_out` ones were not.
"""

import json
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from afterword.pipeline.clock import system_clock
from afterword.pipeline.domain.facts.consolidate import CONSOLIDATE_BATCH, consolidate_pending
from afterword.pipeline.domain.facts.fingerprint import fingerprint
from afterword.pipeline.domain.facts.judge import FactRelation, FactVerdict
from afterword.pipeline.domain.facts.record import record_facts
from afterword.pipeline.domain.facts.resolve import FactCase, decide
from afterword.pipeline.domain.facts.rows import FactVersion
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.ids import random_uid
from benchmarks.answer import Answer, Target, answers, note
from benchmarks.host import a_host
from benchmarks.texts import memories
from benchmarks.timing import percentile, seconds

PAIRS: Final = Path(__file__).parent / "data" / "fact_pairs.jsonl"

HARD: Final = ("number", "negation", "side", "ticker", "chain")
"""Ways to differ that rules must see whatever a judge says."""

REPEATED: Final = 0.3
"""Share of a backlog that restates an earlier fact."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two facts, the second said later, and how they relate.

    Args:
        relation: `same`, `conflict` (the second is so instead) or `different`.
        why: in what they differ, or how they say the same.
        split: `seen` or `held_out`.
    """

    a: str
    b: str
    relation: str
    why: str
    split: str


def read_pairs(path: Path = PAIRS) -> list[Pair]:
    """Return the labelled pairs."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [Pair(**json.loads(line)) for line in lines]


def matches(pair: Pair) -> bool:
    """Say whether the pass by rule takes the second for a restatement of the first."""
    return fingerprint(pair.a) == fingerprint(pair.b)


def allows(pair: Pair, relation: FactRelation) -> bool:
    """Say whether the rules let a judge have its way with a pair."""
    older, newer = FactVersion(1, pair.a, "agent", 1, 1), FactVersion(2, pair.b, "agent", 1, 2)
    (decision,) = decide(FactCase(newer, (older,)), [FactVerdict(1, relation)])
    return decision.relation == relation


def ask(facts: int) -> Answer:
    """Judge every pair by rule and by an eager judge, then drain a backlog."""
    pairs = read_pairs()
    _note_by_kind(pairs)
    seen, held_out = ([pair for pair in pairs if pair.split == s] for s in ("seen", "held_out"))
    measured = _rates(pairs) | {f"held_out_{k}": v for k, v in _rates(held_out).items()}
    measured |= _drained(facts)
    hard = [pair for pair in pairs if pair.why in HARD]
    measured["eager_false_merges_of_hard_pairs"] = _count(
        hard, lambda pair: pair.relation != "same" and allows(pair, "merge")
    )
    none = Target(at_most=0)
    return Answer(
        "facts",
        measured,
        targets={"rule_false_merges": none, "eager_false_merges_of_hard_pairs": none},
        sizes={"facts": facts, "seen_pairs": len(seen), "held_out_pairs": len(held_out)},
    )


def _rates(pairs: Sequence[Pair]) -> dict[str, float]:
    same, conflict, different = (
        [pair for pair in pairs if pair.relation == r] for r in ("same", "conflict", "different")
    )
    writing = [pair for pair in same if pair.why == "writing"]
    paraphrase = [pair for pair in same if pair.why == "paraphrase"]
    return {
        "rule_false_merges": _count([*conflict, *different], matches),
        "rule_true_merges_of_writings_pct": _pct(writing, matches),
        "rule_true_merges_of_all_same_pct": _pct(same, matches),
        "eager_false_merges_pct": _pct([*conflict, *different], lambda pair: allows(pair, "merge")),
        "eager_true_merges_of_paraphrases_pct": _pct(
            paraphrase, lambda pair: allows(pair, "merge")
        ),
        "eager_false_supersedes_pct": _pct(different, lambda pair: allows(pair, "supersede")),
        "eager_true_supersedes_pct": _pct(conflict, lambda pair: allows(pair, "supersede")),
    }


def _count(pairs: Iterable[Pair], holds: Callable[[Pair], bool]) -> int:
    return sum(map(holds, pairs))


def _pct(pairs: Sequence[Pair], holds: Callable[[Pair], bool]) -> float:
    return 100 * _count(pairs, holds) / max(1, len(pairs))


def _note_by_kind(pairs: Sequence[Pair]) -> None:
    table: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for pair in pairs:
        row = table[pair.relation, pair.why]
        row["pairs"] += 1
        row["rule"] += matches(pair)
        row["merge"] += allows(pair, "merge")
        row["supersede"] += allows(pair, "supersede")
    note(f"{'relation':10} {'why':12} pairs  by rule  eager merge  eager supersede")
    for (relation, why), row in sorted(table.items()):
        line = f"{row['pairs']:5} {row['rule']:8} {row['merge']:12} {row['supersede']:16}"
        note(f"{relation:10} {why:12} {line}")


def _drained(facts: int) -> dict[str, float]:
    """Record facts, then let them settle, a batch at a time."""
    chance = random.Random(7)
    texts = [memory.content for memory in memories(facts)]
    for at in range(1, facts):
        if chance.random() < REPEATED:
            texts[at] = texts[chance.randrange(at)].upper() + "!"
    batches: list[float] = []
    with a_host(fleet=False) as host:
        for start in range(0, facts, 10_000):
            news = [NewMemory("fact", words) for words in texts[start : start + 10_000]]
            record_facts(host.store, news, system_clock, random_uid)
        while sum(batches) < facts and len(batches) * CONSOLIDATE_BATCH < facts:
            batches.append(
                seconds(
                    lambda: consolidate_pending(host.store, system_clock, limit=CONSOLIDATE_BATCH)
                )
            )
    return {
        "drained_facts_per_s": facts / sum(batches),
        "batch_p99_ms": 1000 * percentile(batches, 0.99),
    }


if __name__ == "__main__":
    answers(ask, facts=(int, 10_000, "pending facts of a backlog"))
