"""Whatever happens in whatever order, each job takes effect once, or is dead with its payload.

Random histories of adds, claims, lost messages, leases, kills, freezes, hangs, failures, clock
steps and late commits, held against the simplest model there is: a set of what was asked for.
"""

import shutil
import tempfile
from collections import Counter
from datetime import timedelta
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, invariant, multiple, rule

from afterword.pipeline.core.area import Kind
from afterword.pipeline.core.jobs.add import add, add_many
from afterword.pipeline.core.jobs.claim import claim, promote, unsend
from afterword.pipeline.core.jobs.crashes import free_crashed
from afterword.pipeline.core.jobs.fail import fail, hand_back, postpone
from afterword.pipeline.core.jobs.inspect import listing
from afterword.pipeline.core.jobs.lease import LeaseLostError, Leases, lease
from afterword.pipeline.core.jobs.operate import redrive
from afterword.pipeline.core.jobs.reconcile import (
    free_frozen,
    free_hung,
    holders,
    resend_all,
    resend_stale,
)
from afterword.pipeline.core.store import StoreOptions, Stores, reading, writing
from afterword.pipeline.errors import InvalidInputError, UnavailableError
from afterword.pipeline.ids import seeded_random, seeded_uids
from afterword.pipeline.testing.clock import ManualClock
from afterword.schedules.dispatcher.relay import cut

WORK = Kind("do_work", batch=4, max_attempts=3)
OWNERS = ("a", "b", "c")


class Ledger(RuleBasedStateMachine):
    """A ledger whose messages and workers do everything they may do wrong."""

    messages = Bundle("messages")
    runs = Bundle("runs")

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        self.clock = ManualClock()
        options = StoreOptions(synchronous="NORMAL", mmap_bytes=0)
        self.stores = Stores(self.folder, options, self.clock, seeded_uids(1))
        self.store = self.stores.group("main", create=True)
        self.asked: set[int] = set()
        self.effects: Counter[int] = Counter()
        self.chance = seeded_random(1)

    def teardown(self) -> None:
        self.everybody_dies_and_honest_workers_finish()
        self.stores.close()
        shutil.rmtree(self.folder)

    @rule(number=st.integers(1, 6), later=st.booleans())
    def add_some(self, number: int, later: bool) -> None:
        first = len(self.asked)
        run_at = self.clock() + timedelta(minutes=5) if later else None
        with writing(self.store) as conn:
            payloads = [{"n": first + place} for place in range(number)]
            add_many(conn, WORK, payloads, self.clock(), run_at=run_at)
        self.asked |= set(range(first, first + number))

    @rule(target=messages, most=st.integers(1, 6), isolated=st.booleans())
    def claim_and_send(self, most: int, isolated: bool):
        with writing(self.store) as conn:
            promote(conn, self.clock())
            rows = claim(conn, WORK.name, most, self.clock(), isolated=isolated)
        return multiple(*[list(batch.ids) for batch in cut(WORK.name, rows, WORK.batch)])

    @rule(message=messages)
    def take_back(self, message: list[int]) -> None:
        with writing(self.store) as conn:
            unsend(conn, message)

    @rule(message=consumes(messages))
    def lose_message(self, message: list[int]) -> None:
        """It vanishes without a trace."""

    @rule(target=runs, message=messages, owner=st.sampled_from(OWNERS), alone=st.booleans())
    def deliver(self, message: list[int], owner: str, alone: bool):
        """A message may be delivered any number of times, to anybody."""
        with writing(self.store) as conn:
            leases = lease(conn, message, owner, self.clock, WORK, alone)
        return leases if leases.held else multiple()

    @rule(run=runs)
    def finish(self, run: Leases) -> None:
        """A run may come to its end at any time, also long after it was given up."""
        try:
            with writing(self.store, finishing=run):
                pass
        except LeaseLostError:
            return
        self.effects.update(one.payload["n"] for one in run)

    @rule(
        run=runs,
        error=st.sampled_from(
            [ValueError("x"), UnavailableError("y"), InvalidInputError("z", "bad", "good")]
        ),
    )
    def fail(self, run: Leases, error: Exception) -> None:
        try:
            with writing(self.store) as conn:
                fail(conn, run, WORK, error, "trace", self.chance)
        except LeaseLostError:
            pass

    @rule(run=runs)
    def give_back(self, run: Leases) -> None:
        try:
            with writing(self.store) as conn:
                hand_back(conn, run, "stopped")
        except LeaseLostError:
            pass

    @rule(run=runs)
    def hang(self, run: Leases) -> None:
        try:
            with writing(self.store) as conn:
                free_hung(conn, run, WORK)
        except LeaseLostError:
            pass

    @rule(owner=st.sampled_from(OWNERS), frozen=st.booleans())
    def owner_is_lost(self, owner: str, frozen: bool) -> None:
        with writing(self.store) as conn:
            (free_frozen if frozen else free_crashed)(conn, owner, self.clock())

    @rule(message=messages)
    def gate_holds(self, message: list[int]) -> None:
        with writing(self.store) as conn:
            until = self.clock() + timedelta(minutes=1)
            postpone(conn, message, until, "budget", self.clock())

    @rule()
    def redis_comes_back_empty(self) -> None:
        with writing(self.store) as conn:
            resend_all(conn)

    @rule(minutes=st.sampled_from([-120, -1, 1, 10, 120]))
    def clock_steps(self, minutes: int) -> None:
        self.clock.advance(minutes=minutes)
        with writing(self.store) as conn:
            resend_stale(conn, {WORK.name: 20.0}, self.clock())

    @rule()
    def operator_redrives(self) -> None:
        with writing(self.store) as conn:
            redrive(conn, None, self.clock())

    @rule()
    def producers_add_dead_work_again(self) -> None:
        with writing(self.store) as conn:
            dead = [job.payload for job in listing(conn, "dead", limit=10_000)]
            assert add_many(conn, WORK, dead, self.clock()) == 0

    @invariant()
    def nothing_is_lost_or_doubled(self) -> None:
        with reading(self.store) as conn:
            kept = [job.payload["n"] for job in listing(conn, limit=10_000)]
        assert not [n for n, times in self.effects.items() if times != 1]
        assert sorted(kept + list(self.effects)) == sorted(self.asked)

    def everybody_dies_and_honest_workers_finish(self) -> None:
        for _ in range(200):
            self.clock.advance(hours=3)
            with writing(self.store) as conn:
                for owner in holders(conn):
                    free_frozen(conn, owner, self.clock())
                resend_all(conn)
                redrive(conn, None, self.clock())
                promote(conn, self.clock())
                rows = claim(conn, WORK.name, 1, self.clock()) or claim(
                    conn, WORK.name, 1, self.clock(), isolated=True
                )
                run = lease(
                    conn, [row.id for row in rows], "honest", self.clock, WORK, isolated=True
                )
                is_over = not listing(conn)
            if is_over:
                break
            # A clock that was set back leaves jobs for later: they are due in a further round.
            self.finish(run)
        assert self.effects == Counter(self.asked)


Ledger.TestCase.settings = settings(max_examples=60, stateful_step_count=40, deadline=None)
test_random_histories = Ledger.TestCase
test_random_histories.__name__ = "TestRandomHistories"


def test_a_key_is_open_once_whatever_the_order(store, clock):
    """The same for keys: adds while it waits or runs leave one row, and while it is dead none."""
    with writing(store) as conn:
        for step in ("add", "run", "add", "add", "die", "add", "add"):
            if step == "add":
                add(conn, WORK, {}, clock(), key="k")
            elif step == "run":
                (row,) = claim(conn, WORK.name, 1, clock())
                held = lease(conn, [row.id], "me", clock, WORK)
            else:
                fail(conn, held, WORK, InvalidInputError("a", "b", "c"), "", seeded_random(1))
        states = sorted(job.state for job in listing(conn))
    assert states == ["dead"]
