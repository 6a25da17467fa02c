"""How well masking separates secrets from similar texts, and its cost on a text without secrets."""

from collections import defaultdict
from collections.abc import Callable, Sequence

from afterword.pipeline.rules.masking import mask
from benchmarks.answer import Answer, Target, answers, note
from benchmarks.texts import memories
from benchmarks.timing import seconds
from tests.corpora.secrets import SEED, Maker, base58, must, stay

PER = 200
"""Characters a cost is told for: a sentence or two."""


def ask(texts: int, rounds: int) -> Answer:
    """Mask the corpus, which loads the word lists, then time texts without secrets."""
    recall, leaks = _recall()
    changed = [text for _, text in stay() if mask(text) != text]
    for text in changed:
        note(f"changed: {text[:100]}")
    sentences = [memory.content for memory in memories(2 * texts)]
    ordinary = [
        f"{one} {other}" for one, other in zip(sentences[::2], sentences[1::2], strict=True)
    ]
    cost = {
        "ordinary": _cost(ordinary, rounds),
        "with_label_words": _cost([f"The key level: {text}" for text in ordinary], rounds),
        "with_ids": _cost(_with_ids(ordinary), rounds),
        "with_signatures": _cost(_with_signatures(ordinary), rounds),
    }
    return Answer(
        "masking",
        {
            "leaks": leaks,
            "false_positives": len(changed),
            **{f"recall_{family}": share for family, share in recall.items()},
            **{f"{name}_us_per_{PER}_chars": us for name, us in cost.items()},
        },
        targets={
            "leaks": Target(at_most=0),
            "false_positives": Target(at_most=0),
            f"ordinary_us_per_{PER}_chars": Target(at_most=8),
        },
        floor={f"lower_us_per_{PER}_chars": _cost(ordinary, rounds, str.lower)},
        sizes={
            "must": len(list(must())),
            "stay": len(list(stay())),
            "texts": texts,
            "chars": sum(map(len, ordinary)) // texts,
        },
    )


def _recall() -> tuple[dict[str, float], int]:
    """Return the share of texts by family of which no secret is left, and how many leak."""
    kept: defaultdict[str, list[bool]] = defaultdict(list)
    for planted in must():
        left = mask(planted.text)
        is_clean = not any(secret in left for secret in planted.secrets)
        kept[planted.family.partition(":")[0].replace("-", "_")].append(is_clean)
        if not is_clean:
            note(f"left: {planted.text[:100]}")
    shares = {family: sum(clean) / len(clean) for family, clean in kept.items()}
    return shares, sum(not one for clean in kept.values() for one in clean)


def _cost(texts: Sequence[str], rounds: int, call: Callable[[str], str] = mask) -> float:
    """Return the best time of several rounds; µs for 200 characters."""

    def once() -> None:
        for text in texts:
            call(text)

    best = min(seconds(once) for _ in range(rounds))
    return best * 1e6 / sum(map(len, texts)) * PER


def _with_ids(texts: Sequence[str]) -> list[str]:
    make = Maker(SEED)
    return [
        f"{text} tx {make.evm_hash()} from {make.evm_address()}, order {make.uuid()}"
        for text in texts
    ]


def _with_signatures(texts: Sequence[str]) -> list[str]:
    make = Maker(SEED)
    return [f"{text} signature {base58(make.signature())}" for text in texts]


if __name__ == "__main__":
    answers(
        ask,
        texts=(int, 200, "texts timed"),
        rounds=(int, 25, "rounds, of which the best counts"),
    )
