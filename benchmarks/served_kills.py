"""Whether 32 clients of the network door lose or double anything while its processes are killed."""

from pathlib import Path
from tempfile import TemporaryDirectory

from afterword.pipeline.testing.network_door import NetworkDoor
from afterword.pipeline.testing.redis_server import RedisServer
from afterword.pipeline.testing.served_fleet import CROWD_SIZE, ServedFleet, run_crowd
from benchmarks.answer import Answer, Target, answers, note

DRAIN_S = 600.0
"""How long the jobs may take to end afterwards; seconds."""


def ask(for_s: float, seed: int) -> Answer:
    """Let clients write and read under kills, and count what is missing or there twice.

    Args:
        for_s: how long the kills go on; seconds.
        seed: of what is killed, and when.
    """
    with TemporaryDirectory() as folder:
        redis = RedisServer(Path(folder))
        redis.start()
        settings = {"session_max_stores": 10_000, "token_daily_writes": 1_000_000}
        with NetworkDoor(Path(folder) / "home", redis_url=redis.url, **settings) as door:
            fleet = ServedFleet(door, redis)
            fleet.start()
            try:
                outcome = run_crowd(fleet, for_s, seed, DRAIN_S)
            finally:
                fleet.stop()
                redis.stop()
    for problem in outcome.problems[:20]:
        note(problem)
    measured = {
        "lost": outcome.lost,
        "most_of_one": max(outcome.most.values()),
        "open_jobs": outcome.open_jobs,
        "problems": len(outcome.problems),
        "acknowledged": outcome.acknowledged,
        "repeated": outcome.repeats,
        "read": outcome.reads,
        "connections_cut": outcome.cuts,
        "jobs_done": outcome.jobs_done,
        **{f"kills_of_{name}": times for name, times in sorted(outcome.kills.items())},
    }
    targets = {
        "lost": Target(at_most=0),
        "most_of_one": Target(at_most=1),
        "open_jobs": Target(at_most=0),
        "problems": Target(at_most=0),
        "acknowledged": Target(at_least=1_000),
    }
    return Answer("served_kills", measured, targets, {}, {"clients": CROWD_SIZE, "for_s": for_s})


if __name__ == "__main__":
    answers(ask, for_s=(float, 600.0, "of kills; s"), seed=(int, 29, "of the kills"))
