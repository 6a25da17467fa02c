"""The floor of a job: a worker process of plain dramatiq on Redis with an empty actor.

As a program, `python -m benchmarks.bare_loop URL MESSAGES THREADS`, it is that process: it works
what waits and prints the seconds from its first message to its last.
"""

import itertools
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import dramatiq
from dramatiq.brokers.redis import RedisBroker


def jobs_per_s(url: str, messages: int, threads: int, prefetch: int | None) -> float:
    """Return how many messages a second one worker process gets through.

    Args:
        url: a Redis database that nobody else uses.
        messages: how many wait before the process starts.
        threads: how many it works at once.
        prefetch: how many it holds at once; None for dramatiq's default, two for each thread.
    """
    nothing = _actor(RedisBroker(url=url), lambda: None)  # type: ignore[no-untyped-call]  # dramatiq
    for _ in range(messages):
        nothing.send()
    environment = dict(os.environ)
    if prefetch is not None:
        environment["dramatiq_queue_prefetch"] = str(prefetch)
    command = [sys.executable, "-m", __name__, url, str(messages), str(threads)]
    root = Path(__file__).parent.parent  # this package is not installed
    done = subprocess.run(command, env=environment, cwd=root, stdout=subprocess.PIPE, check=True)
    return messages / float(done.stdout)


def work(url: str, messages: int, threads: int) -> float:
    """Work the messages that wait and return the seconds from the first to the last."""
    broker = RedisBroker(url=url)  # type: ignore[no-untyped-call]  # dramatiq
    numbers, done = itertools.count(1), threading.Event()
    moments: list[float] = []

    def nothing() -> None:
        number = next(numbers)
        if number in (1, messages):
            moments.append(time.perf_counter())
        if number == messages:
            done.set()

    _actor(broker, nothing)
    worker = dramatiq.Worker(broker, worker_threads=threads)
    worker.start()
    done.wait()
    worker.stop()
    return moments[1] - moments[0]


def _actor(broker: RedisBroker, run: Callable[[], None]) -> "dramatiq.Actor[[], None]":
    return dramatiq.actor(broker=broker, actor_name="do_nothing")(run)


if __name__ == "__main__":
    print(work(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
