"""The speed of reflection: a backlog with the free judge, and a fleet that asks a model.

The floor of the fleet is the model itself, as bare clients on so many threads see it beforehand:
half a second, and what its own process and the loopback add.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from http.client import HTTPConnection
from pathlib import Path
from random import Random
from typing import Final

from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.read_rows import counts
from afterword.pipeline.domain.decisions.record import MAX_DECISIONS, record_decisions
from afterword.pipeline.domain.decisions.tally import Tally
from afterword.pipeline.domain.decisions.triggers import begin
from afterword.pipeline.domain.prices.keep import keep_bars
from afterword.pipeline.domain.prices.stored import StoredPrices
from afterword.pipeline.domain.reflection.heuristic import HeuristicJudge
from afterword.pipeline.domain.reflection.model import Reflector
from afterword.pipeline.domain.reflection.reflect import reflect_role
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.domain.skills.discover import load_roles
from afterword.pipeline.ids import random_uid
from afterword.pipeline.testing.model_server import read_meter
from afterword.pipeline.testing.roles import HOUR, book
from afterword.pipeline.testing.wait import wait_until
from benchmarks.answer import Answer, Target, answers, note
from benchmarks.host import Host, a_host
from benchmarks.timing import seconds

ROLES: Final = 32
THREADS: Final = 16
LATENCY_S: Final = 0.5
ASSETS: Final = ("BTC", "ETH", "SOL", "DOGE", "AVAX", "LINK", "UNI", "AAVE")
HOURS: Final = 6_000

BARE_CALLS: Final = 20
"""What each bare client asks: ten seconds of the model."""

QUESTION: Final = json.dumps(
    {
        "model": "claude-haiku-5-5",
        "max_tokens": 256,
        "messages": [{"role": "user", "content": "What went wrong? " * 100}],
        "tools": [{"name": "answer", "input_schema": {"type": "object", "properties": {}}}],
        "tool_choice": {"type": "tool", "name": "answer"},
    }
)

SKILL: Final = """
from afterword.pipeline.domain.skills import PriceDelta, ReflectionPolicy, Role, Skill
POLICY = ReflectionPolicy(PriceDelta(24), 24, 24_000, ("on_price_fetch",))
BENCH = Skill("bench", tuple(
    Role(f"bench.role{number}", "Bench", ("late", "against the trend"), "{decision}", POLICY)
    for number in range(%d)
))
"""


def ask(decisions: int, asked: int) -> Answer:
    """Drain a backlog by rule, then one by a model of half a second."""
    measured = {"backlog_s": _backlog(decisions)} | _fleet(asked)
    bare_s = measured.pop("bare_s")
    return Answer(
        "reflections",
        measured,
        targets={
            "backlog_s": Target(at_most=20 * decisions / 10_000),
            "share_of_the_models_rate": Target(at_least=0.9),
            "overhead_ms_per_call": Target(at_most=10),
        },
        floor={"model_calls_per_s": THREADS / LATENCY_S, "bare_call_ms": 1000 * bare_s},
        sizes={"decisions": decisions, "asked": asked, "roles": ROLES, "threads": THREADS},
    )


def _backlog(decisions: int) -> float:
    with a_host(fleet=False) as host:
        registry = prepare(host.store, host.home, decisions, roles=1)
        reflector = Reflector(host.store, registry, HeuristicJudge(), StoredPrices, system_clock)
        role = next(role.id for role in registry if role.id.startswith("bench."))
        tallies: list[Tally] = []
        took = seconds(lambda: tallies.append(reflect_role(reflector, role)))
        assert sum(tallies[0].reflected.values()) == decisions, tallies
        note(f"{decisions:,} decisions by rule: {took:.1f} s ({dict(tallies[0].reflected)})")
        return took


def _fleet(asked: int) -> dict[str, float]:
    with a_host() as host:
        meter = host.home.with_name("meter")
        server = _serve(meter)
        try:
            assert server.stdout is not None
            origin = server.stdout.readline().strip()
            bare_s = _bare(origin)
            asked_before = len(read_meter(meter))
            _set(origin)
            registry = prepare(host.store, host.home, asked, roles=ROLES, falling=True)
            host.dispatcher()
            host.worker(threads=THREADS, queues=("llm",))
            with writing(host.store) as conn:
                for role in registry:
                    if role.id.startswith("bench."):
                        begin(conn, role, system_clock())
            wait_until(lambda: _is_done(host), 600)
        finally:
            server.kill()
            server.wait()
        # The first tenth and the last, when not every thread has work, are left out.
        moments = sorted(one.at for one in read_meter(meter)[asked_before:])
        first, last = len(moments) // 10, len(moments) * 9 // 10
        rate = (last - first) / (moments[last] - moments[first])
        note(
            f"{len(moments):,} calls of {LATENCY_S} s by {THREADS} threads: {rate:.1f} calls/s; "
            f"a bare client waits {1000 * bare_s:.1f} ms"
        )
        return {
            "calls_per_s": rate,
            "share_of_the_models_rate": rate * LATENCY_S / THREADS,
            "overhead_ms_per_call": 1000 * (THREADS / rate - bare_s),
            "bare_s": bare_s,
        }


def _bare(origin: str) -> float:
    """Return what a call of the model takes who only sends and reads it; seconds, the mean."""
    with ThreadPoolExecutor(THREADS) as pool:
        return sum(pool.map(_bare_client, [origin.removeprefix("http://")] * THREADS)) / THREADS


def _bare_client(address: str) -> float:
    connection = HTTPConnection(address)

    def call() -> None:
        connection.request("POST", "/v1/messages", QUESTION, {"Content-Type": "application/json"})
        assert connection.getresponse().read()

    def calls() -> None:
        for _ in range(BARE_CALLS):
            call()

    try:
        return seconds(calls) / BARE_CALLS
    finally:
        connection.close()


def prepare(
    store: Store, home: Path, decisions: int, roles: int, falling: bool = False
) -> RoleRegistry:
    """Keep prices of some markets, and record decisions of the roles on them."""
    (home / "skills").mkdir()
    (home / "skills" / "bench.py").write_text(SKILL % roles)
    registry = load_roles(home)
    chance, now = Random(7), system_clock()
    start = now.replace(minute=0, second=0, microsecond=0) - (HOURS + 1) * HOUR
    for asset in ASSETS:
        prices = book(f"{asset}USDT", start, _walk(chance, falling))
        (series,) = prices.series(asset)
        keep_bars(store, series, prices.bars(series, start, now, now), system_clock)
    news = [_decision(chance, start, number, roles, falling) for number in range(decisions)]
    for begin_at in range(0, decisions, MAX_DECISIONS):
        record_decisions(
            store, registry, news[begin_at : begin_at + MAX_DECISIONS], system_clock, random_uid
        )
    return registry


def _walk(chance: Random, falling: bool) -> Sequence[float]:
    """Return closes that wander by 1 % an hour, or fall a little more than they wander."""
    closes = [100.0]
    drift = -0.003 if falling else 0.0
    for _ in range(HOURS - 1):
        closes.append(max(closes[-1] * (1 + chance.gauss(drift, 0.003)), 1e-3))
    return closes


def _decision(
    chance: Random, start: datetime, number: int, roles: int, falling: bool
) -> NewDecision:
    hour = chance.randrange(200, 600 if falling else HOURS - 30)
    return NewDecision(
        f"bench.role{chance.randrange(roles)}",
        f"Take a position, number {number}",
        {"rsi": chance.randrange(100)},
        asset=chance.choice(ASSETS),
        direction="long" if falling else chance.choice(("long", "short", "neutral")),
        decided_at=start + hour * HOUR,
        context={"prompt": f"market {number % 100}"},
    )


def _serve(meter: Path) -> "subprocess.Popen[str]":
    line = ("-m", "afterword.pipeline.testing.model_server", "--meter", str(meter))
    return subprocess.Popen(
        [sys.executable, *line, "--latency-s", str(LATENCY_S)], stdout=subprocess.PIPE, text=True
    )


def _set(origin: str) -> None:
    os.environ |= {
        "AFTERWORD_ROLE_JUDGE": "model",
        "AFTERWORD_ROLE_QUESTIONS_AT_ONCE": "1",
        "AFTERWORD_LLM_PROVIDER": "anthropic",
        "AFTERWORD_LLM_BASE_URL": origin,
        "AFTERWORD_LEARNING_DAILY_CAP_USD": "100000",
        "AFTERWORD_LEARNING_MONTHLY_CAP_USD": "100000",
    }


def _is_done(host: Host) -> bool:
    time.sleep(0.2)  # each look takes a moment from those who work
    with reading(host.store) as conn:
        return all(state == "reflected" for _, state, *_ in counts(conn))


if __name__ == "__main__":
    answers(
        ask,
        decisions=(int, 10_000, "decisions of the backlog that is judged by rule"),
        asked=(int, 640, "decisions a model is asked about"),
    )
