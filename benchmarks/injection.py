"""How many injections the injection scan finds, how often true text raises the alarm, and its cost.

The sets are lines of JSON (`family`, `kind`, `text`). The scan was written with two of them
(`developed`); nobody looked at the results of the third (`unseen`) before the patterns were done,
and nothing is trained on it. The sets that others wrote (`others`) are measured where they lie.
"""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, Final
from unittest.mock import patch

from afterword.pipeline import local_model
from afterword.pipeline.rules.injection import scan_for_injection
from benchmarks.answer import Answer, Target, answers, note
from benchmarks.injection_sources import STRANGERS, strangers
from benchmarks.shared import SHARED
from benchmarks.texts import memories
from benchmarks.timing import seconds

SETS: Final = Path(__file__).parent / "injection_sets"
PARTS: Final = {"developed": ("first", "second"), "unseen": ("unseen",)}
BLIND: Final = ("first", "second", "third", "fourth", "fifth", "sixth")
"""Sets written blind: whoever wrote them had seen neither the scan nor its training texts.
`docs/injection.md` tells what each of them was looked at for; the last was opened at the end."""

PER: Final = 200
"""Characters a cost is told for: a sentence or two."""

_AT_LEAST: Final = {"overt": 0.80, "finance": 0.85, "obfuscated": 0.90}
_BLIND_AT_LEAST: Final = {"overt": 0.80, "finance": 0.85, "disguised": 0.90}
_FALSE_ALARMS: Final = 0.02
_SENTENCES: Final = re.compile(r"(?<=[.!?])\s+|\n")


def ask(texts: int, rounds: int, path: Path) -> Answer:
    """Scan the sets, real text where the folder of real data is, and made memories for the cost."""
    measured = blind_alarms()
    with patch.object(local_model, "works", lambda: False):
        measured |= {f"{name}_by_concepts": share for name, share in blind_alarms().items()}
    counts: defaultdict[str, list[bool]] = defaultdict(list)
    for part, names in PARTS.items():
        measured.update(alarms(names, part))
    for part, text, is_true in others(path):
        name = f"others_{part}_{'alarms' if is_true else 'found'}"
        counts[name].append(bool(scan_for_injection(text)))
    measured |= {name: sum(all_) / len(all_) for name, all_ in sorted(counts.items())}
    real = list(_real(path))
    looks: list[float] = []
    with patch.object(local_model, "encode", partial(_timed, local_model.encode, looks)):
        found = [text for text in real if scan_for_injection(text)]
    measured |= {"looked_at_share": len(looks) / max(1, len(real))}
    measured |= {"look_ms": 1_000 * median(looks)} if looks else {}
    for text in found[:20]:
        note(f"real text: {text[:100]!a}")
    sentences = [memory.content for memory in memories(2 * texts)]
    ordinary = [
        f"{one} {other}" for one, other in zip(sentences[::2], sentences[1::2], strict=True)
    ]
    characters = sum(map(len, ordinary))
    cost = min(seconds(partial(_scan_all, ordinary)) for _ in range(rounds))
    bare = min(seconds(lambda: [text.lower() for text in ordinary]) for _ in range(rounds))
    return Answer(
        "injection",
        measured
        | {
            "real_text_alarms": len(found) / max(1, len(real)),
            f"us_per_{PER}_chars": cost / characters * PER * 1e6,
        },
        targets={
            f"{part}_{family}": Target(at_least=least)
            for part in PARTS
            for family, least in _AT_LEAST.items()
        }
        | {f"{part}_benign_finance": Target(at_most=_FALSE_ALARMS) for part in PARTS}
        | {f"blind_{family}": Target(at_least=least) for family, least in _BLIND_AT_LEAST.items()}
        | {"blind_true": Target(at_most=_FALSE_ALARMS)}
        | {f"us_per_{PER}_chars": Target(at_most=12)},
        floor={f"lower_us_per_{PER}_chars": bare / characters * PER * 1e6},
        sizes={"texts": texts, "real": len(real), "chars": characters // texts},
    )


def alarms(names: Sequence[str], part: str) -> dict[str, float]:
    """Return the share of texts that raise the alarm, by family, with disguised languages apart.

    Args:
        part: prefix of the names of the numbers.
    """
    found: defaultdict[str, list[bool]] = defaultdict(list)
    for name in names:
        for line in (SETS / f"{name}.jsonl").read_text().splitlines():
            row: dict[str, Any] = json.loads(line)
            is_alarm = bool(scan_for_injection(row["text"]))
            family, kind = row["family"], row["kind"]
            if family == "benign":
                found[f"benign_{kind}"].append(is_alarm)
                continue
            found[family].append(is_alarm)
            if family == "other_languages":  # hidden from a scan for English, so obfuscated too
                found["obfuscated"].append(is_alarm)
            elif family == "obfuscated":
                found["disguised"].append(is_alarm)
    return {f"{part}_{family}": sum(all_) / len(all_) for family, all_ in sorted(found.items())}


def blind_alarms(sets: Sequence[str] = BLIND) -> dict[str, float]:
    """Return the share of texts of blind sets that raise the alarm.

    Returns:
        by family as `blind_finance`, of each set as `blind_first_finance`; by language, of
        orders without a disguise, as `blind_vi`.
    """
    found: defaultdict[str, list[bool]] = defaultdict(list)
    for part in sets:
        for line in (SETS / f"blind_{part}.jsonl").read_text("utf-8").splitlines():
            row: dict[str, str] = json.loads(line)
            is_alarm = bool(scan_for_injection(row["text"]))
            family = row["family"]
            found[family].append(is_alarm)
            found[f"{part}_{family}"].append(is_alarm)
            if family in {"overt", "finance"}:
                found[row["language"]].append(is_alarm)
    return {f"blind_{name}": sum(all_) / len(all_) for name, all_ in sorted(found.items())}


def others(path: Path) -> Iterator[tuple[str, str, bool]]:
    """Yield the texts that others wrote: their set and part, the text, and whether it is true.

    Args:
        path: folder of real data; the published sets lie in its folder `injection_sources`.
    """
    reported = path / "repro" / "files" / "injection_dev.json"
    if reported.exists():
        rows = json.loads(reported.read_text("utf-8"))
        yield from (("reported", text, True) for text in rows["true"])
        yield from ((f"reported_{row['cls']}", row["text"], False) for row in rows["orders"])
    for source in STRANGERS:
        if found := source.found_in(path / "injection_sources"):
            name = source.name.split()[0].lower().replace("-", "_")
            for part, text in strangers(source, found):
                is_true = part == "harmless"
                shown = part.replace("language:", "") if part.startswith("language") else "all"
                yield f"{name}_{shown}", text, is_true


def _timed(encode: Callable[..., Any], looks: list[float], texts: Sequence[str]) -> Any:
    """Ask the local model, and keep how long it took in seconds."""
    began = perf_counter()
    vectors = encode(texts)
    looks.append(perf_counter() - began)
    return vectors


def _scan_all(texts: Sequence[str]) -> None:
    for text in texts:
        scan_for_injection(text)


def _real(path: Path) -> Iterator[str]:
    """Yield real texts: conversations, and sentences of our own pages."""
    conversations = path / "eval" / "locomo_dev.json"
    if conversations.exists():
        yield from _texts(json.loads(conversations.read_text()))
    for page in sorted(Path(__file__).parents[1].glob("docs/**/*.md")):
        if page.name not in {
            "injection.md",
            "0041-a-flag-not-a-refusal.md",
            "0093-a-learned-arm-beside-the-rules.md",
        }:
            yield from (one for one in _SENTENCES.split(page.read_text()) if " " in one)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str) and " " in value:
        yield value
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _texts(one)


if __name__ == "__main__":
    answers(
        ask,
        texts=(int, 2_000, "made memories whose scan is timed"),
        rounds=(int, 5, "repetitions of the timing"),
        path=(Path, SHARED, "folder of real data"),
    )
