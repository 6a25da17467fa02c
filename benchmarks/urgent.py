"""How soon an urgent job starts behind a deep backlog."""

import random
import time
from statistics import median

from sqlalchemy import text

from afterword.pipeline.clock import from_micros, system_clock
from afterword.pipeline.core.jobs.add import add
from afterword.pipeline.core.jobs.model import URGENT
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.memory.area import EXTRACT_EDGES
from afterword.workers.testing import NOTE_KIND
from benchmarks.answer import Answer, Target, answers, note
from benchmarks.backlog import fill_edges
from benchmarks.host import Host, a_host

LONGEST_PAUSE_S = 0.3
"""Between two tries at most, so that they meet the worker in any state."""

_STARTED = text("""
SELECT started_at FROM job_runs WHERE kind = :kind AND outcome = 'done' ORDER BY id DESC LIMIT 1
""")


def ask(jobs: int, tries: int) -> Answer:
    """Add urgent jobs one after the other while one worker process drains edge jobs."""
    chance = random.Random(1)
    with a_host() as host:
        fill_edges(host, jobs)
        host.worker()
        host.dispatcher()
        host.wait_done(EXTRACT_EDGES.name, 1)
        waits = []
        for number in range(tries):
            waits.append(_wait_ms(host, number))
            time.sleep(chance.uniform(0, LONGEST_PAUSE_S))
        left = jobs - host.done(EXTRACT_EDGES.name)
    assert left > 0, "the backlog ended before the tries: give it more --jobs"
    note(f"urgent: {median(waits):.0f} ms, {left} jobs of the backlog left")
    return Answer(
        "urgent",
        {"p50_ms": median(waits), "max_ms": max(waits)},
        targets={"p50_ms": Target(at_most=80), "max_ms": Target(at_most=250)},
        sizes={"backlog": jobs, "tries": tries, "left": left},
    )


def _wait_ms(host: Host, number: int) -> float:
    """Return the time from a job's commit to its start; ms."""
    with writing(host.store) as conn:
        add(conn, NOTE_KIND, {"id": number}, system_clock(), priority=URGENT)
    committed = system_clock()
    host.wait_done(NOTE_KIND.name, number + 1)
    with reading(host.store) as conn:
        started = conn.execute(_STARTED, {"kind": NOTE_KIND.name}).scalar_one()
    return (from_micros(started) - committed).total_seconds() * 1000


if __name__ == "__main__":
    answers(
        ask,
        jobs=(int, 100_000, "edge jobs of the backlog"),
        tries=(int, 20, "urgent jobs, one after the other"),
    )
