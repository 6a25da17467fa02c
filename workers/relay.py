"""Due rows become messages: in batches, urgent first, each group in turn, never too many at once.

Only a window of messages waits in Redis; the backlog itself, with its order, priorities and
fairness, stays in the ledger.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from typing import Any

import dramatiq
import redis

from pipeline.clock import Clock, Monotonic, to_micros
from pipeline.errors import PipelineError
from pipeline.jobs.claim import claim, heads, next_later, promote, unsend
from pipeline.jobs.model import ALONE, Claimed
from pipeline.jobs.reconcile import resend_all
from pipeline.store import Shelf, Store, reading, writing
from pipeline.telemetry import tell
from workers.broker import LedgerBroker
from workers.routes import Route

MESSAGES_PER_THREAD = 4
"""Messages of a queue that may wait in Redis, for each thread of the fleet that works it."""

ROWS_PER_CLAIM = 512
"""Rows marked sent in one transaction, which takes some 4 ms: every writer waits for it (count)."""

FULL_LOOK_S = 1.0
"""How often a group with open work is looked at without any sign of a write; seconds."""

IDLE_LOOK_S = 30.0
"""The same for a group that had none; its file would otherwise never be closed."""

EPOCH_LOOK_S = 0.5
"""How often an idle relay asks whether Redis came back empty; seconds."""

YOUNG_NS = 50_000_000
"""A write-ahead log touched this recently may change again within its time stamp's grain."""


@dataclass(slots=True)
class _Seen:
    """What the relay remembers of one group between looks."""

    signature: tuple[int, int] = (0, 0)
    looked_at: float = float("-inf")
    next_due: int | None = None
    open: bool = True
    hungry: bool = False


@dataclass(frozen=True, slots=True)
class Batch:
    """The rows of one message."""

    kind: str
    urgent: bool
    suspect: bool
    ids: tuple[int, ...]


@dataclass(slots=True)
class Room:
    """How many more messages each queue may take."""

    left: dict[str, int]
    urgent: dict[str, int]

    def take(self, queue: str, urgent: bool, messages: int) -> None:
        """Count messages in."""
        taken = self.urgent if urgent else self.left
        taken[queue] -= messages


@dataclass(slots=True)
class Relay:
    """Sends what is due; safe to run in any number of processes.

    Args:
        routes: by kind name.
    """

    shelf: Shelf
    broker: LedgerBroker
    routes: Mapping[str, Route]
    clock: Clock
    monotonic: Monotonic
    _seen: dict[str, _Seen] = field(default_factory=dict)
    _turn: int = 0
    _asked_at: float = float("-inf")

    def step(self, threads: Mapping[str, int]) -> int:
        """Look once at every group that may have due work, and send it.

        Args:
            threads: fleet threads by queue; a queue nobody works gets nothing.

        Returns:
            How many jobs were sent.

        Raises:
            redis.RedisError: Redis does not answer; nothing was claimed.
        """
        names = self._stirred()
        now = self.monotonic()
        if not names and now - self._asked_at < EPOCH_LOOK_S:
            return 0
        known, waiting = self.broker.waiting(threads)
        self._asked_at = now
        if not known:
            self._start_over()
            names = self._stirred()
        if not names:
            return 0
        room = _room(threads, waiting)
        self._turn += 1
        first = self._turn % len(names)
        sent = 0
        for place, name in enumerate(names[first:] + names[:first]):
            try:
                sent += self._serve(name, room, groups_left=len(names) - place)
            except PipelineError as error:  # one damaged group must not stop the others
                tell("relay.skipped", group=name, error=str(error))
        return sent

    def forget(self) -> None:
        """Look at every group anew, after rows were given back."""
        self._seen.clear()

    def _start_over(self) -> None:
        """Redis came back empty: give every sent row back, and only then say so."""
        resent = 0
        for name in self.shelf.groups():
            try:
                with writing(self.shelf.group(name)) as conn:
                    resent += resend_all(conn)
            except PipelineError as error:  # its rows are sent again after a while (reconcile)
                tell("relay.skipped", group=name, error=str(error))
        self.broker.begin_epoch()
        self.forget()
        tell("relay.epoch", jobs=resent)

    def _stirred(self) -> list[str]:
        """Return groups in which something may be due, without opening the files of the others."""
        now, due = self.monotonic(), to_micros(self.clock())
        found = []
        for name in self.shelf.groups():
            seen = self._seen.setdefault(name, _Seen())
            signature, young = self._signature(name)
            look_after = FULL_LOOK_S if seen.open else IDLE_LOOK_S
            if (
                seen.hungry
                or young
                or signature != seen.signature
                or now - seen.looked_at >= look_after
                or (seen.next_due is not None and seen.next_due <= due)
            ):
                seen.signature, seen.looked_at = signature, now
                found.append(name)
        return found

    def _signature(self, name: str) -> tuple[tuple[int, int], bool]:
        """Return time stamps that move with every commit, and whether they may be too coarse."""
        wal = self.shelf.wal_path(name)
        stamps = []
        for file in (wal.with_name(wal.name.removesuffix("-wal")), wal):
            try:
                stamps.append(file.stat().st_mtime_ns)
            except FileNotFoundError:
                stamps.append(0)
        young = abs(to_micros(self.clock()) * 1000 - max(stamps)) < YOUNG_NS
        return (stamps[0], stamps[1]), young

    def _serve(self, name: str, room: Room, groups_left: int) -> int:
        store = self.shelf.group(name)
        seen = self._seen[name]
        now = self.clock()
        with reading(store) as conn:
            due = next_later(conn)
            wanted = heads(conn, self.routes)
        if due is not None and due <= to_micros(now):
            with writing(store) as conn:
                promote(conn, now)
            with reading(store) as conn:
                due = next_later(conn)
                wanted = heads(conn, self.routes)
        seen.next_due = due
        seen.open = bool(wanted)
        wanted = [(kind, head) for kind, head in wanted if self.routes[kind].queue in room.left]
        sent = self._claim_and_send(store, wanted, room, groups_left, now) if wanted else 0
        # Whatever found no room is asked again at once, or a deep group would take all that frees.
        seen.hungry = bool(wanted) and self._has_ready(store, wanted)
        return sent

    def _has_ready(self, store: Store, wanted: Sequence[tuple[str, int]]) -> bool:
        with reading(store) as conn:
            return bool(heads(conn, [kind for kind, _head in wanted]))

    def _claim_and_send(
        self,
        store: Store,
        wanted: Sequence[tuple[str, int]],
        room: Room,
        groups_left: int,
        now: datetime,
    ) -> int:
        batches: list[Batch] = []
        with writing(store) as conn:
            for kind, head in wanted:
                route = self.routes[kind]
                urgent = head < 0
                free = (room.urgent if urgent else room.left).get(route.queue, 0)
                share = -(-free // groups_left)  # a fair one, rounded up
                messages = min(share, max(1, ROWS_PER_CLAIM // route.kind.batch))
                if messages <= 0:
                    continue
                rows = claim(conn, kind, messages * route.kind.batch, now)
                for batch in cut(kind, rows, route.kind.batch):
                    batches.append(batch)
                    room.take(route.queue, urgent, 1)
        tell("relay.claimed", group=store.name, messages=len(batches))
        return self._send(store, batches)

    def _send(self, store: Store, batches: Sequence[Batch]) -> int:
        """Send what was claimed; what the transport did not take is claimed back at once."""
        sent = 0
        for place, batch in enumerate(batches):
            try:
                self.broker.send([self._message(store, batch)], batch.urgent)
            except redis.RedisError:
                with writing(store) as conn:
                    unsend(conn, [job_id for left in batches[place:] for job_id in left.ids])
                raise
            tell("relay.sent", kind=batch.kind, jobs=len(batch.ids))
            sent += len(batch.ids)
        return sent

    def _message(self, store: Store, batch: Batch) -> "dramatiq.Message[Any]":
        queue = ALONE if batch.suspect else self.routes[batch.kind].queue
        return dramatiq.Message(queue, batch.kind, (store.name, list(batch.ids)), {}, {})


def _room(threads: Mapping[str, int], waiting: Mapping[str, int]) -> Room:
    """Return what fits; a window is refilled when half of it is free, many rows at once.

    Filling every gap as it opens would cost a transaction per message, in the workers' way. Urgent
    work always finds room: it goes in front.
    """
    left = {}
    for queue, number in threads.items():
        window = MESSAGES_PER_THREAD * number
        free = max(0, window - waiting[queue])
        left[queue] = free if 2 * free >= window else 0
    urgent = {queue: max(number, left[queue]) for queue, number in threads.items()}
    return Room(left, urgent)


def cut(kind: str, rows: Iterable[Claimed], size: int) -> list[Batch]:
    """Cut claimed rows into messages.

    Suspects and what failed in a batch travel alone; urgent rows do not wait for usual ones.

    Args:
        rows: in the order to run them.
        size: most rows of one message.
    """
    found: list[Batch] = []
    together = groupby(rows, key=lambda row: (row.priority < 0, row.solo or row.crashes > 0))
    for (urgent, alone), group in together:
        members = list(group)
        step = 1 if alone else size
        for start in range(0, len(members), step):
            part = members[start : start + step]
            ids = tuple(row.id for row in part)
            found.append(Batch(kind, urgent, part[0].crashes > 0, ids))
    return found
