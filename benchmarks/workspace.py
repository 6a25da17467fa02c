"""How long a session waits for its workspace: read for the first time, kept, and shown anew."""

from collections.abc import Callable
from pathlib import Path
from statistics import median

from afterword.pipeline.clock import system_clock
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.sessions.sessions import begin_session
from afterword.pipeline.domain.workspace.source import WorkspaceSource
from afterword.pipeline.ids import random_uid
from afterword.pipeline.recall.workspace.preview import preview_workspace
from afterword.pipeline.recall.workspace.start import start_workspace
from benchmarks import texts
from benchmarks.answer import Answer, Target, answers, note
from benchmarks.host import a_host
from benchmarks.timing import percentile, seconds

USUAL: dict[str, int] = {"SOUL.md": 20, "AGENTS.md": 30, "USER.md": 10, "MEMORY.md": 60}
"""Lines of the files of a usual workspace, some 10,000 characters together; notes come beside."""

NOTES = 3
"""Notes of the last three days, with as many lines as USER.md (count)."""


def ask(asks: int) -> Answer:
    """Ask for the workspace of as many sessions."""
    measured: dict[str, float] = {}
    with a_host("NORMAL", fleet=False) as host:
        folder = host.home.with_name("files")
        characters = fill_folder(folder)
        source = WorkspaceSource(folder, is_ours=False)
        store, clock = host.store, system_clock
        writer = Writer(store, clock, random_uid)
        handles = iter([begin_session(writer).handle for _ in range(asks + 1)])
        kept = next(handles)
        start_workspace(store, kept, source, clock)
        calls: dict[str, Callable[[], object]] = {
            "begun": lambda: start_workspace(store, next(handles), source, clock),
            "kept": lambda: start_workspace(store, kept, source, clock),
            "shown": lambda: preview_workspace(source, clock()),
        }
        for name, call in calls.items():
            times = [seconds(call) for _ in range(asks)]
            measured[f"{name}_p50_ms"] = median(times) * 1000
            measured[f"{name}_p99_ms"] = percentile(times, 0.99) * 1000
        bare = [seconds(lambda: _bare(folder)) for _ in range(asks)]
    note(f"workspace: {characters:,} characters done")
    targets = {"begun_p50_ms": Target(at_most=5), "kept_p50_ms": Target(at_most=1)}
    floor = {"read_files_p50_ms": median(bare) * 1000}
    return Answer("workspace", measured, targets, floor, {"characters": characters, "asks": asks})


def fill_folder(folder: Path) -> int:
    """Write a usual workspace; return its characters."""
    (folder / "memory").mkdir(parents=True)
    lines = iter([new.content for new in texts.memories(1_000)])
    today = system_clock().date()
    files = USUAL | {f"memory/{today}-{number}.md": USUAL["USER.md"] for number in range(NOTES)}
    total = 0
    for name, count in files.items():
        text = "\n".join([f"# {name}", "", *(f"- {next(lines)}" for _ in range(count))])
        (folder / name).write_text(text)
        total += len(text)
    return total


def _bare(folder: Path) -> None:
    for path in folder.rglob("*.md"):
        path.read_bytes()


if __name__ == "__main__":
    answers(ask, asks=(int, 200, "times each is asked for"))
