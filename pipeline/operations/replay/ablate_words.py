"""The words of an ablation: its verdict in a sentence, and what it cannot tell."""

from collections.abc import Iterator, Mapping

from afterword.pipeline.operations.replay.model import ReplaySettings
from afterword.pipeline.rules.evidence.gated import Gate, GateRecord
from afterword.pipeline.rules.evidence.paired import PairedVerdict


def verdict_words(found: PairedVerdict, kept: int, methods: int) -> str:
    """Return the verdict on graduation in a sentence.

    Args:
        kept: decisions with an outcome that cite a method graduated by then; count.
        methods: that were ever graduated; count.
    """
    if not methods:
        return "Cannot tell yet: no method has graduated, so there is nothing to follow."
    if not kept:
        return "Cannot tell yet: no decision with an outcome cites a method graduated by then."
    if not found.n:
        return (
            "Cannot tell yet: on no bar did a decision cite a graduated method while another one "
            "did not, so there is nothing to compare with."
        )
    seen = (
        f"{found.mean:+.3f} hits above base a decision, beside the others on the same bars, in "
        f"{_counted(found.n, 'stretch', 'stretches')}"
    )
    if found.verdict == "helps":
        return f"Following graduated methods helps: {seen} (at least {found.interval[0]:+.3f})."
    if found.verdict == "hurts":
        return f"Following graduated methods hurts: {seen} (at most {found.interval[1]:+.3f})."
    if found.needed is None:
        return f"Cannot tell yet: {seen}; at this rate no verdict is in sight."
    return f"Cannot tell yet: {seen}; about {found.needed:,} more like these would tell."


def limits_of(settings: ReplaySettings, records: Mapping[Gate, GateRecord]) -> Iterator[str]:
    """Yield what an ablation cannot tell, a sentence each."""
    yield (
        "Whether an agent that is shown these methods decides better: the decisions are the same "
        "under every gate. --model asks one."
    )
    yield (
        "Skill from a trend that lasts: a gate that lets through what was right of late knows "
        "which way prices drift, and that counts."
    )
    yield "Whether it holds in other markets or at other times than those of this replay."
    yield (
        "Anything about bars on which one side alone decides: they are in the counts and the "
        "results, not in the verdict."
    )
    if any(one.kind in ("decisions", "group") for one in settings.inputs):
        yield (
            "Whether the maker of the recorded decisions knew what came later, as a model may "
            "that was trained since."
        )
    drawn = records["random"].against_rest
    if drawn is not None and drawn.verdict != "cannot tell yet":
        yield (
            f"Whether this is luck: the random gate {drawn.verdict} too, as it does in up to 1 of "
            "20 runs for each of the two verdicts. Try another --seed."
        )


def _counted(number: int, one: str, many: str) -> str:
    return f"{number:,} {one if number == 1 else many}"
