"""How often a new methodology is taken for another one, and how long it takes to look.

Labelled pairs: one half (`seen`) was read while the rules were written and chose the threshold, the
other (`held_out`) was not. A false merge loses a methodology; a missed one splits a record.
"""

import json
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.methodologies.add import insert_methodology
from afterword.pipeline.domain.methodologies.checks import CheckedMethodology, check_methodology
from afterword.pipeline.domain.methodologies.indicators import INDICATORS
from afterword.pipeline.domain.methodologies.model import SIGNALS, NewMethodology, PrimarySignal
from afterword.pipeline.domain.methodologies.same import agree, find_same
from afterword.pipeline.domain.methodologies.similarity import SAME_AT, cosine
from afterword.pipeline.ids import random_uid
from benchmarks.answer import Answer, Target, answers, note
from benchmarks.host import a_host
from benchmarks.timing import percentile, seconds

PAIRS: Final = Path(__file__).parent / "data" / "method_pairs.jsonl"
THRESHOLDS: Final = (0.4, 0.5, 0.55, 0.6, SAME_AT, 0.7, 0.75, 0.8, 0.9)
LOOKS: Final = 200

_SUBJECTS: Final = [
    "RSI",
    "MACD",
    "funding rate",
    "open interest",
    "volume",
    "VWAP",
    "the 50 day average",
    "exchange inflows",
    "MVRV",
    "the basis",
    "CVD",
    "liquidations",
    "implied volatility",
    "active addresses",
    "fear and greed",
]
_MOVES: Final = [
    "falls below",
    "rises above",
    "crosses",
    "stays under",
    "stays over",
    "diverges from",
    "returns to",
    "rejects",
    "reclaims",
    "doubles to",
]
_WHEN: Final = [
    "after a quiet week",
    "before the weekly close",
    "during the Asian session",
    "on the daily chart",
    "while price makes a lower high",
    "once the spread widens",
    "in a rising trend",
    "near the range low",
    "with thin order books",
    "when bitcoin leads the market",
]
_THEN: Final = [
    "buy the retest",
    "scale in over three days",
    "buy and trail the stop",
    "wait for a close, then buy",
    "buy half, add on strength",
    "buy with a stop under the swing low",
    "enter at the next open",
]


class MethodPair(NamedTuple):
    """Two methodologies of one group, and whether they say the same."""

    a: CheckedMethodology
    b: CheckedMethodology
    same: bool
    why: str
    split: str


def read_pairs(path: Path = PAIRS) -> list[MethodPair]:
    """Return the labelled pairs."""
    return [_pair(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def is_merged(pair: MethodPair, least: float = SAME_AT, *, plain: bool = False) -> bool:
    """Say whether the second is taken for the first.

    Args:
        plain: by the hash and TF-IDF alone, as R5 has it.
    """
    has_fields = pair.a.dedup_key == pair.b.dedup_key and (plain or bool(pair.a.indicators))
    is_alike = has_fields or cosine(pair.a.compared_text, pair.b.compared_text) >= least
    return is_alike and (plain or agree(pair.a, pair.b))


def ask(methods: int) -> Answer:
    """Judge the pairs, then look for new methodologies among many of one group."""
    pairs = read_pairs()
    measured: dict[str, float] = {}
    for split in ("seen", "held_out"):
        of = [pair for pair in pairs if pair.split == split]
        for least in THRESHOLDS:
            note(f"{split:9} cosine {least:.2f}: {_rates(of, lambda one: is_merged(one, least))}")  # noqa: B023  # called at once
        for name, rate in _rates(of, is_merged).items():
            measured[f"{split}_{name}"] = rate
        for name, rate in _rates(of, lambda one: is_merged(one, plain=True)).items():
            measured[f"{split}_{name}_by_fields_and_tfidf_alone"] = rate
    texts = [text for pair in pairs for text in (pair.a.methodology, pair.b.methodology)]
    timed, floor = _timed(methods, lambda chance: random_method(chance, texts))
    narrow, _ = _timed(methods, narrow_method)
    timed["narrow_vocabulary_look_p50_ms"] = narrow["look_p50_ms"]
    return Answer(
        "methodology_dedup",
        measured | timed,
        targets={"look_p50_ms": Target(at_most=20)},
        floor=floor,
        sizes={"pairs": len(pairs), "methods": methods, "looks": LOOKS},
    )


def _rates(pairs: Sequence[MethodPair], holds: Callable[[MethodPair], bool]) -> dict[str, float]:
    different = [one for one in pairs if not one.same]
    same = [one for one in pairs if one.same]
    return {
        "false_merges_pct": round(100 * sum(map(holds, different)) / len(different), 1),
        "missed_merges_pct": round(100 * (1 - sum(map(holds, same)) / len(same)), 1),
    }


Maker = Callable[[random.Random], CheckedMethodology]


def _timed(methods: int, make: Maker) -> tuple[dict[str, float], dict[str, float]]:
    """Store methodologies of one group, the worst case, and time a look and a write."""
    chance = random.Random(13)
    with a_host(fleet=False) as host:
        by = Writer(host.store, system_clock, random_uid, "owner")
        news = [make(chance) for _ in range(methods)]

        def stored(some: Sequence[CheckedMethodology], *, as_new: bool) -> None:
            with writing(host.store) as conn:
                for one in some:
                    insert_methodology(conn, by, one, system_clock(), as_new=as_new)

        def fill() -> None:
            for at in range(0, methods, 500):
                stored(news[at : at + 500], as_new=True)

        fill_s = seconds(fill)
        others = [make(chance) for _ in range(LOOKS)]
        with reading(host.store) as conn:
            looks = [
                seconds(lambda: find_same(conn, one, is_clean=True))  # noqa: B023  # at once
                for one in others
            ]
            count = "SELECT count(*) FROM methodologies WHERE methodology LIKE '%reclaims%'"
            floor = [seconds(lambda: conn.exec_driver_sql(count).all()) for _ in range(20)]
        writes = [seconds(lambda: stored([one], as_new=False)) for one in others]  # noqa: B023
    timed = {
        "look_p50_ms": 1000 * percentile(looks, 0.5),
        "look_p99_ms": 1000 * percentile(looks, 0.99),
        "add_p50_ms": 1000 * percentile(writes, 0.5),
        "filled_per_s": methods / fill_s,
    }
    return timed, {"one_scan_of_the_texts_ms": 1000 * percentile(floor, 0.5)}


def random_method(chance: random.Random, texts: Sequence[str]) -> CheckedMethodology:
    """Return a methodology made of two written ones and a condition of its own."""
    one, other = chance.sample(texts, 2)
    own = f"{chance.choice(INDICATORS).replace('_', ' ')} {chance.choice(_MOVES)}"
    return _made(f"{one}. {other}. Confirm when {own} {chance.randrange(5, 200)}.", chance)


def narrow_method(chance: random.Random) -> CheckedMethodology:
    """Return a methodology of some sixty words, of which every other one has each."""
    first, second = chance.sample(_SUBJECTS, 2)
    text = (
        f"When {first} {chance.choice(_MOVES)} {chance.randrange(5, 95)} {chance.choice(_WHEN)} and"
        f" {second} {chance.choice(_MOVES)} its {chance.randrange(5, 200)} period mean, "
        f"{chance.choice(_THEN)}; leave {chance.choice(_WHEN)}."
    )
    return _made(text, chance)


def _made(text: str, chance: random.Random) -> CheckedMethodology:
    signal: PrimarySignal = chance.choice(SIGNALS)
    new = NewMethodology(text, "major_crypto", "bullish", "short", primary_signal=signal)
    return check_methodology(new, "owner")


def _pair(named: dict[str, Any]) -> MethodPair:
    def checked(text: str) -> CheckedMethodology:
        new = NewMethodology(
            text,
            named["asset_class"],
            named["direction"],
            named["timeframe"],
            primary_signal=named["primary_signal"],
        )
        return check_methodology(new, "owner")

    return MethodPair(
        checked(named["a"]), checked(named["b"]), named["same"], named["why"], named["split"]
    )


if __name__ == "__main__":
    answers(ask, methods=(int, 10_000, "stored methodologies of one class, direction, timeframe"))
