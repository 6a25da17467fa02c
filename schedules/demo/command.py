"""`afterword demo`: real prices, a rule's trades and one decision, every job run, and recall."""

import tempfile
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Final

import typer

from pipeline.budget.amounts import usd
from pipeline.cli.call import Call
from pipeline.cli.options import given
from pipeline.cli.output import print_fields, print_line
from pipeline.cli.progress import Told, progress
from pipeline.cli.words import duration, shorten
from pipeline.clock import Clock, Monotonic, monotonic, system_clock
from pipeline.errors import UnavailableError
from pipeline.history.import_fills import Imported, import_fills
from pipeline.history.parse import parse_fills
from pipeline.ids import IdSource, random_uid
from pipeline.jobs.inspect import open_jobs, totals
from pipeline.memory import edge_rows, rows
from pipeline.memory.model import NewMemory
from pipeline.memory.write import write_memory
from pipeline.recall.search import search
from pipeline.store import Store, reading
from schedules.demo.decided import GROUP, Decided, decide, print_decided
from schedules.demo.prices import demo_bars
from schedules.demo.recalled import Recalled, print_recalled, recall
from schedules.demo.trades import demo_fills
from schedules.up import Up
from workers.app import build_context

ACCOUNT: Final = "demo"

QUESTIONS: Final = ("AAPL short", "category:trade_outcome long AND GOOG", "watching MSFT above $42")

SINGLE_WRITES: Final = 100
"""Memories written one at a time, each timed until its edges are there."""

PATIENCE_S: Final = 90.0
"""The demo promises less than two minutes; a job that never ends must not hold it up for ever."""


@dataclass(frozen=True, slots=True)
class Report:
    """What the demo measured.

    Args:
        jobs: runs by outcome.
        jobs_per_s: jobs finished per second while the backlog drained.
        p50_ms, p99_ms: from the call of a single write until its edges were in the table.
    """

    imported: Imported
    memories: int
    edges: int
    jobs: dict[str, int]
    jobs_per_s: float
    p50_ms: float
    p99_ms: float
    spent_usd: str
    answers: dict[str, list[str]]
    recalled: Recalled
    decided: Decided
    home: Path
    took_s: float


def demo(ctx: typer.Context) -> None:
    """Watch the whole loop on real prices, in one process."""
    call = Call(ctx)
    chosen = given(ctx, "home")
    home = Path(chosen) if chosen else Path(tempfile.mkdtemp(prefix="afterword-demo-"))
    settings = call.settings.model_copy(update={"home": home.absolute(), "redis_url": ""})
    up = Up(build_context(settings), table=())
    try:
        with progress() as told:
            report = run_demo(up, told, system_clock, monotonic, random_uid)
    finally:
        up.stop()
    call.answer(asdict(report), lambda: _print(report))


def run_demo(up: Up, told: Told, clock: Clock, watch: Monotonic, ids: IdSource) -> Report:
    """Import the sample, judge a decision, run every job, time single writes, ask the questions.

    Args:
        up: not started yet.

    Raises:
        UnavailableError: the sample prices are not installed, or the jobs do not end.
    """
    started = watch()
    store = up.context.shelf.group("main", create=True)
    fills = parse_fills(demo_fills(), ACCOUNT, "demo")
    told("import", 0, len(fills))
    imported = import_fills(store, fills, clock, ids)
    told("import", len(fills), len(fills))
    decided = decide(up.context.shelf.group(GROUP, create=True), up.context.roles, ids)
    up.start()
    drained_s = _drain(store, told, watch)
    latencies = _time_writes(store, clock, watch, ids)
    recalled = recall(store, clock, ids)
    return replace(
        _look(up, store, imported, recalled, decided),
        jobs_per_s=round(imported.memories / drained_s, 1) if drained_s else 0.0,
        p50_ms=round(1000 * latencies[len(latencies) // 2], 1),
        p99_ms=round(1000 * latencies[-1 - len(latencies) // 100], 1),
        took_s=round(watch() - started, 1),
    )


def _drain(store: Store, told: Told, watch: Monotonic) -> float:
    """Wait until no job is open, and return the seconds it took."""
    started = watch()
    most = left = _open(store)
    while left:
        if watch() - started > PATIENCE_S:
            raise UnavailableError(f"{left} jobs did not end; look with `afterword jobs ls`")
        time.sleep(0.01)
        left = _open(store)
        told("jobs", most - left, most)
    return watch() - started


def _open(store: Store) -> int:
    with reading(store) as conn:
        return open_jobs(conn)


def _time_writes(store: Store, clock: Clock, watch: Monotonic, ids: IdSource) -> Sequence[float]:
    """Return, sorted, the seconds from each single write to its effect."""
    found = []
    for number in range(SINGLE_WRITES):
        content = f"watching MSFT for a close above ${20 + number}"
        started = watch()
        written = write_memory(store, NewMemory("observation", content), clock, ids)
        while not _has_edges(store, written.id):
            if watch() - started > PATIENCE_S:
                raise UnavailableError("a written memory got no edges; see `afterword jobs ls`")
            time.sleep(0.001)
        found.append(watch() - started)
    return sorted(found)


def _has_edges(store: Store, memory_id: int) -> bool:
    with reading(store) as conn:
        return bool(edge_rows.kept(conn, [memory_id]))


def _look(up: Up, store: Store, imported: Imported, recalled: Recalled, decided: Decided) -> Report:
    with reading(store) as conn:
        runs: dict[str, int] = {}
        for total in totals(conn):
            runs[total.outcome] = runs.get(total.outcome, 0) + total.jobs
        memories, edges = rows.count(conn), edge_rows.count(conn)
    windows = up.context.budget.overview().categories
    answers = {
        question: [shorten(hit.memory.content, 110) for hit in search(store, question, limit=3)]
        for question in QUESTIONS
    }
    return Report(
        imported=imported,
        memories=memories,
        edges=edges,
        jobs=runs,
        jobs_per_s=0.0,
        p50_ms=0.0,
        p99_ms=0.0,
        spent_usd=usd(max(window.spent_micro_usd for window in windows)),
        answers=answers,
        recalled=recalled,
        decided=decided,
        home=up.context.settings.home,
        took_s=0.0,
    )


def _print(report: Report) -> None:
    bars = demo_bars()
    first = min(days[0].day for days in bars.values())
    last = max(days[-1].day for days in bars.values())
    print_line(
        f"The prices are real: {', '.join(sorted(bars))}, daily, {first} to {last}. "
        "The trades are a rule's, not a person's."
    )
    print_line("")
    imported, jobs = report.imported, report.jobs
    others = {name: number for name, number in jobs.items() if name != "done"}
    print_fields(
        {
            "fills": f"{imported.fills_new} new, {imported.fills_known} known before",
            "round trips": f"{imported.trips_new} closed, each a memory",
            "memories": report.memories,
            "edges": report.edges,
            "jobs": f"{jobs.get('done', 0)} done, {_listed(others)}",
            "backlog": f"drained at {report.jobs_per_s} jobs/s",
            "one write": f"edges after {report.p50_ms} ms (p50), {report.p99_ms} ms (p99)",
            "spent": f"{report.spent_usd} USD (no model is set)",
            "took": duration(report.took_s),
        }
    )
    for question, answers in report.answers.items():
        print_line("")
        print_line(f"search: {question}")
        for answer in answers or ["nothing found"]:
            print_line(f"  {answer}")
    print_recalled(report.recalled)
    print_decided(report.decided)
    home = f"afterword --home {report.home}"
    print_line("")
    print_line("Try next:")
    print_line(f"  {home} memory search 'MSFT short' --explain")
    print_line(f"  {home} page AAPL")
    print_line(f"  {home} memory write preference 'never short IBM before earnings'")
    print_line(f"  {home} --group {GROUP} role show 1")
    print_line(f"  {home} jobs ls")
    print_line(f"  {home} up                 # the worker that does what you just wrote down")


def _listed(others: dict[str, int]) -> str:
    if not others:
        return "none retried, none dead"
    return ", ".join(f"{number} {name}" for name, number in sorted(others.items()))
