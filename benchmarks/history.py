"""How fast fills become rows, round trips and memories; with real fills if there are some."""

import os
from collections.abc import Sequence
from pathlib import Path

from afterword.pipeline.clock import system_clock
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.history.import_fills import import_fills
from afterword.pipeline.domain.venues.hyperliquid_api import parse_fills, read_fills_file
from afterword.pipeline.ids import random_uid
from benchmarks.answer import Answer, answers, note
from benchmarks.fills import api_rows
from benchmarks.host import a_host
from benchmarks.timing import seconds

LEADERS = "data/fills/hl_userfillsbytime_2026-07_leaders.json"
"""Real fills inside the folder that AFTERWORD_SHARED names."""


def ask(path: Path, fills: int) -> Answer:
    """Import each set twice: the second time nothing is new."""
    measured: dict[str, float] = {}
    sizes = {"invented": fills}
    if path.exists():
        real = read_fills_file(path, "real")
        sizes["real"] = len(real)
        measured |= _imported("real", real)
    else:
        note("history: no file of real fills; name one, or set AFTERWORD_SHARED")
    rows = api_rows(fills)
    invented: list[Fill] = []
    measured["parse_fills_per_s"] = fills / seconds(
        lambda: invented.extend(parse_fills(rows, "invented", "fills"))
    )
    measured |= _imported("invented", invented)
    return Answer("history", measured, targets={}, sizes=sizes)


def _shared() -> Path:
    """Return where real data lies, if it does: beside the repository, unless it is named."""
    beside = Path(__file__).resolve().parents[2] / "shared"
    return Path(os.environ.get("AFTERWORD_SHARED", beside)) / LEADERS


def _imported(name: str, fills: Sequence[Fill]) -> dict[str, float]:
    with a_host(fleet=False) as host:
        first, again = (
            seconds(lambda: import_fills(host.store, fills, system_clock, random_uid))
            for _ in range(2)
        )
    note(f"history: {len(fills)} {name} fills in {first:.1f} s, again in {again:.1f} s")
    return {
        f"{name}_fills_per_s": len(fills) / first,
        f"{name}_again_fills_per_s": len(fills) / again,
    }


if __name__ == "__main__":
    answers(
        ask,
        path=(Path, _shared(), "JSON of real fills, as the venue's API returns them"),
        fills=(int, 100_000, "invented fills"),
    )
