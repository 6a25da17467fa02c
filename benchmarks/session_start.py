"""How long a session waits for all that its prompt starts with, in a large store.

That is the workspace, the portrait, the snapshot and the brief: made at the first call, and frozen
from then on. The processor's time is told beside the time that passed: it says the same on a busy
machine.
"""

from collections.abc import Callable
from pathlib import Path
from statistics import median
from time import process_time

from sqlalchemy import text

from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.history.import_fills import import_fills
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import write_memories
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.profile.declare import upsert_tag
from afterword.pipeline.domain.sessions.sessions import begin_session
from afterword.pipeline.domain.venues.hyperliquid_api import parse_fills
from afterword.pipeline.domain.workspace.source import WorkspaceSource
from afterword.pipeline.doors.agent import Agent
from afterword.pipeline.doors.agent.door import Door
from afterword.pipeline.ids import random_uid
from benchmarks.answer import Answer, Target, answers, note
from benchmarks.fills import api_rows
from benchmarks.host import Host, a_host
from benchmarks.prompts import fill_store
from benchmarks.timing import percentile, seconds
from benchmarks.workspace import fill_folder

RECENT_FILLS = 3_000
"""Fills of the last 30 days, of which the portrait tells what they say of the user (count)."""

ABOUT_USER = 200
"""Memories about the user (count)."""

_FLOOR = text("SELECT category, content FROM memories ORDER BY updated_at DESC, id DESC LIMIT 50")
_PARTS = ("workspace", "personalization", "snapshot", "start_brief")


def ask(memories: int, asks: int) -> Answer:
    """Start as many sessions, and ask each of them again."""
    with a_host("NORMAL", fleet=False) as host:
        folder = host.home.with_name("files")
        fill_folder(folder)
        fill_store(host, memories)
        _fill_user(host)
        note(f"session_start: {memories:,} memories done")
        begin = _beginner(host, folder)
        kept = begin()
        _start(kept)
        measured: dict[str, float] = {}
        agents = iter([begin() for _ in range(asks * (1 + len(_PARTS)))])
        calls: dict[str, Callable[[], object]] = {
            "begun": lambda: _start(next(agents)),
            "frozen": lambda: _start(kept),
            **{
                f"{part}_begun": lambda part=part: getattr(next(agents), part)()  # type: ignore[misc]
                for part in _PARTS
            },
        }
        for name, call in calls.items():
            times, spent = zip(*(_timed(call) for _ in range(asks)), strict=True)
            measured[f"{name}_p50_ms"] = median(times) * 1000
            measured[f"{name}_p99_ms"] = percentile(list(times), 0.99) * 1000
            measured[f"{name}_cpu_p50_ms"] = median(spent) * 1000
        bare = [seconds(lambda: _bare(host.store, folder)) for _ in range(asks)]
    targets = {"begun_p50_ms": Target(at_most=25), "frozen_p50_ms": Target(at_most=5)}
    floor = {"select_50_and_read_files_p50_ms": median(bare) * 1000}
    sizes = {"memories": memories, "asks": asks, "fills": RECENT_FILLS}
    return Answer("session_start", measured, targets, floor, sizes)


def _beginner(host: Host, folder: Path) -> Callable[[], Agent]:
    source = WorkspaceSource(folder, is_ours=False)
    writer = Writer(host.store, system_clock, random_uid)
    return lambda: Agent(Door(writer, begin_session(writer).handle, workspace=source))


def _start(agent: Agent) -> list[object]:
    return [getattr(agent, part)() for part in _PARTS]


def _timed(call: Callable[[], object]) -> tuple[float, float]:
    began = process_time()
    return seconds(call), process_time() - began


def _fill_user(host: Host) -> None:
    """Let a user have tags, memories of the self, and trades of the last month."""
    owner = Writer(host.store, system_clock, random_uid, actor="owner")
    for dimension, value in (("risk", "conservative"), ("finance_knowledge", "level_2")):
        upsert_tag(owner, dimension, value)
    traits = [NewMemory("personalization", f"Habit {n} of the user") for n in range(ABOUT_USER)]
    write_memories(owner, traits)
    rows = api_rows(RECENT_FILLS)
    newest_ms = max(row["time"] for row in rows)
    month_ms, span_ms = 29 * 86_400_000, newest_ms - min(row["time"] for row in rows)
    now_ms = int(system_clock().timestamp() * 1000)
    for row in rows:
        row["time"] = now_ms - (newest_ms - row["time"]) * month_ms // max(1, span_ms)
    import_fills(host.store, parse_fills(rows, "recent", "fills"), system_clock, random_uid)


def _bare(store: Store, folder: Path) -> None:
    with reading(store) as conn:
        conn.execute(_FLOOR).all()
    for path in folder.rglob("*.md"):
        path.read_bytes()


if __name__ == "__main__":
    answers(
        ask,
        memories=(int, 100_000, "memories in the store"),
        asks=(int, 60, "sessions of each kind"),
    )
