"""Send due jobs as messages: in batches, urgent jobs first, each group in turn.

Only a few messages per worker thread wait in Redis. The backlog stays in the ledger, which keeps
its order, its priorities and a fair share for each group.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from typing import Any

import dramatiq
import redis
from sqlalchemy import Connection

from afterword.pipeline.clock import Clock, Monotonic, to_micros
from afterword.pipeline.core.jobs.claim import Agenda, agenda, claim, promote, unsend
from afterword.pipeline.core.jobs.model import ISOLATION_QUEUE, ClaimedJob, QueueHead
from afterword.pipeline.core.jobs.reconcile import has_sent, resend_all
from afterword.pipeline.core.store import Store, Stores, writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.errors import PipelineError
from afterword.schedules.dispatcher.groups import GroupTracker, TrackedGroup
from afterword.workers.broker.broker import LedgerBroker
from afterword.workers.routes import Route

MESSAGES_PER_THREAD = 4
"""Messages of a queue that may wait in Redis, for each live thread that serves it (count)."""

ROWS_PER_CLAIM = 512
"""Rows that are marked as sent in one transaction (count). It takes some 4 ms, and every other
writer waits for it."""

EPOCH_CHECK_S = 0.5
"""How often an idle relay checks whether Redis has lost its messages; seconds."""

_STEP_S = 0.05
"""Longest time that one step reads groups; seconds. The next step continues with the rest."""


@dataclass(frozen=True, slots=True)
class Batch:
    """The jobs of one message."""

    kind: str
    urgent: bool
    isolated: bool
    ids: tuple[int, ...]


@dataclass(slots=True)
class QueueCapacity:
    """How many more messages each queue may take.

    Args:
        left: for usual messages, by queue (count).
        urgent: for urgent messages, by queue (count).
    """

    left: dict[str, int]
    urgent: dict[str, int]

    def has_any(self, queue: str, urgent: bool) -> bool:
        """Say whether a queue takes another message."""
        return self.free(queue, urgent) > 0

    def free(self, queue: str, urgent: bool) -> int:
        """Return how many more messages a queue takes."""
        return (self.urgent if urgent else self.left).get(queue, 0)

    def take(self, queue: str, urgent: bool, messages: int) -> None:
        """Note that messages were sent to a queue."""
        taken = self.urgent if urgent else self.left
        taken[queue] -= messages


@dataclass(slots=True)
class Relay:
    """Sends due jobs; it may run in any number of processes.

    Args:
        routes: by kind name; jobs of other kinds are not sent.
        epoch: the key that shows whether Redis lost the messages of these groups. A replay has its
            own: whoever sets a key has sent the jobs of its own groups again, and no others.
        note_work: called in the first read of a group, since opening a file takes longer than all
            that is read in it.
    """

    stores: Stores
    groups: GroupTracker
    broker: LedgerBroker
    routes: Mapping[str, Route]
    clock: Clock
    monotonic: Monotonic
    epoch: str = "epoch"
    note_work: Callable[[Connection, TrackedGroup], None] = lambda _conn, _group: None
    _backlog: dict[str, None] = field(default_factory=dict)
    _checked_at: float = float("-inf")

    def step(self, threads: Mapping[str, int]) -> int:
        """Read groups that may have due work, for `_STEP_S` at most, and send that work.

        Args:
            threads: live threads by queue; jobs for any other queue are not sent.

        Returns:
            How many jobs were sent.

        Raises:
            redis.RedisError: Redis does not answer; nothing was claimed.
        """
        self.groups.scan()
        now = self.monotonic()
        changed = self.groups.changed_or_due(to_micros(self.clock()))
        unknown = self.groups.unknown()
        is_idle = not (changed or unknown or self._has_backlog(threads))
        if is_idle and now - self._checked_at < EPOCH_CHECK_S:
            return 0
        has_epoch, waiting = self.broker.waiting(threads, self.epoch)
        self._checked_at = now
        if not has_epoch:
            self._resend_all()
            changed = self.groups.changed_or_due(to_micros(self.clock()))
        capacity = _capacity(threads, waiting)
        backlog = self._backlog_groups(changed, capacity)
        share = len(changed) + len(backlog)
        return (
            self._serve_some(changed, capacity, share)
            + self._serve_some(backlog, capacity, len(backlog))
            + self._serve_some(unknown, capacity, 1)
        )

    def _serve_some(
        self, wanted: Sequence[TrackedGroup], capacity: QueueCapacity, share: int
    ) -> int:
        """Send jobs of groups in order until the time is over; the rest follow in the next step.

        Args:
            share: how many groups share the capacity (count).
        """
        sent, stop_at = 0, self.monotonic() + _STEP_S
        for place, group in enumerate(wanted):
            began = self.monotonic()
            if place and began >= stop_at:
                break
            try:
                sent += self._serve(group, capacity, groups_left=max(1, share - place))
            except PipelineError as error:  # one damaged group must not stop the others
                self.groups.fail_read(group, began)
                emit("relay.skipped", group=group.name, error=str(error))
        return sent

    def _has_backlog(self, threads: Mapping[str, int]) -> bool:
        """Say whether any group has ready jobs for a queue that is served."""
        groups = (self.groups.find(name) for name in self._backlog)
        return any(
            self._queue(head.kind, head.isolated) in threads
            for group in groups
            if group is not None
            for head in group.backlog
        )

    def _backlog_groups(
        self, changed: Sequence[TrackedGroup], capacity: QueueCapacity
    ) -> list[TrackedGroup]:
        """Return the groups whose backlog has capacity, the longest waiting first."""
        served = {group.name for group in changed}
        found = []
        for name in list(self._backlog):
            group = self.groups.find(name)
            if group is None or not group.backlog:
                del self._backlog[name]
            elif name not in served and any(
                capacity.has_any(self._queue(head.kind, head.isolated), head.priority < 0)
                for head in group.backlog
            ):
                found.append(group)
        return found

    def _resend_all(self) -> None:
        """Make every sent job ready again because Redis lost its messages, then set the epoch key.

        A group that was not read yet follows at its first read. If this process ends before that,
        the reconciler sends its jobs again after `resend_after_s`.
        """
        resent = 0
        self.groups.scan(at_once=True)
        for group in self.groups:
            group.resend = not group.is_known
            if group.is_known and self.groups.may_be_in_flight(group):
                began = self.monotonic()
                try:
                    resent += self._resend(group)
                except PipelineError as error:
                    group.resend = True
                    self.groups.fail_read(group, began)
                    emit("relay.skipped", group=group.name, error=str(error))
        self.broker.begin_epoch(self.epoch)
        emit("relay.epoch", jobs=resent)

    def _resend(self, group: TrackedGroup) -> int:
        if not self.stores.look(group.name, has_sent):
            return 0
        with writing(self.stores.at(group.name)) as conn:
            return resend_all(conn)

    def _serve(self, group: TrackedGroup, capacity: QueueCapacity, groups_left: int) -> int:
        self.groups.begin_read(group)
        now = self.clock()
        agenda = self._read(group) if group.is_known else self._read_first(group)
        if group.resend and agenda.in_flight:
            self._resend(group)
            agenda = self._read(group)
        group.resend = False
        if agenda.next_due is not None and agenda.next_due <= to_micros(now):
            with writing(self.stores.at(group.name)) as conn:
                promote(conn, now)
            agenda = self._read(group)
        # Move it to the end of the backlog: else a group with many jobs would take all capacity.
        self._backlog.pop(group.name, None)
        sent = 0
        try:
            sent = self._claim_and_send(group, agenda.heads, capacity, groups_left, now)
        finally:
            if sent:
                agenda = self._read(group)
            if agenda.heads:
                self._backlog[group.name] = None
            self.groups.end_read(group, agenda.next_due, tuple(agenda.heads), agenda.in_flight)
        return sent

    def _read(self, group: TrackedGroup) -> Agenda:
        return self.stores.look(group.name, lambda conn: agenda(conn, self.routes))

    def _read_first(self, group: TrackedGroup) -> Agenda:
        is_settled = self.groups.is_settled(group)

        def read(conn: Connection) -> Agenda:
            if is_settled:  # else the work that is found would not count
                self.note_work(conn, group)
            return agenda(conn, self.routes)

        return self.stores.look(group.name, read)

    def _served(self, wanted: Iterable[QueueHead], capacity: QueueCapacity) -> list[QueueHead]:
        """Return the ready jobs whose queue is served by a live process."""
        return [head for head in wanted if self._queue(head.kind, head.isolated) in capacity.left]

    def _queue(self, kind: str, isolated: bool) -> str:
        return ISOLATION_QUEUE if isolated else self.routes[kind].queue

    def _claim_and_send(
        self,
        group: TrackedGroup,
        wanted: Sequence[QueueHead],
        capacity: QueueCapacity,
        groups_left: int,
        now: datetime,
    ) -> int:
        wanted = self._served(wanted, capacity)
        if not wanted:
            return 0
        store = self.stores.at(group.name)
        batches: list[Batch] = []
        with writing(store) as conn:
            for head in wanted:
                most = self.routes[head.kind].kind.batch
                size = min(most, head.batch_limit or most) if head.isolated else most
                urgent = head.priority < 0
                queue = self._queue(head.kind, head.isolated)
                share = -(-capacity.free(queue, urgent) // groups_left)  # rounded up
                messages = min(share, max(1, ROWS_PER_CLAIM // size))
                if messages <= 0:
                    continue
                rows = claim(conn, head.kind, messages * size, now, isolated=head.isolated)
                found = cut(head.kind, rows, most)
                # Unbatched rows may need more messages than there is capacity for.
                unsend(conn, [job_id for batch in found[messages:] for job_id in batch.ids])
                capacity.take(queue, urgent, len(found[:messages]))
                batches += found[:messages]
        emit("relay.claimed", group=store.address, messages=len(batches))
        return self._send(store, batches)

    def _send(self, store: Store, batches: Sequence[Batch]) -> int:
        """Send the claimed jobs; if the transport fails, make the rest ready again at once."""
        sent = 0
        for place, batch in enumerate(batches):
            try:
                self.broker.send([self._message(store, batch)], batch.urgent)
            except redis.RedisError:
                with writing(store) as conn:
                    unsend(conn, [job_id for left in batches[place:] for job_id in left.ids])
                raise
            emit("relay.sent", kind=batch.kind, jobs=len(batch.ids))
            sent += len(batch.ids)
        return sent

    def _message(self, store: Store, batch: Batch) -> "dramatiq.Message[Any]":
        queue = self._queue(batch.kind, batch.isolated)
        return dramatiq.Message(queue, batch.kind, (store.address, list(batch.ids)), {}, {})


def _capacity(threads: Mapping[str, int], waiting: Mapping[str, int]) -> QueueCapacity:
    """Return how many messages each queue may take; a queue is refilled when it is half empty.

    Refilling it after every message would cost a transaction per message, and workers would wait
    for it. There is always capacity for urgent jobs: they go in front.
    """
    left = {}
    for queue, number in threads.items():
        window = MESSAGES_PER_THREAD * number
        free = max(0, window - waiting[queue])
        left[queue] = free if 2 * free >= window else 0
    urgent = {queue: max(number, left[queue]) for queue, number in threads.items()}
    return QueueCapacity(left, urgent)


def cut(kind: str, rows: Iterable[ClaimedJob], size: int) -> list[Batch]:
    """Split claimed rows into messages; urgent and usual rows never share a message.

    Args:
        rows: in the order to run them.
        size: most rows of a message of this kind; the limit of a row may be lower.
    """
    found: list[Batch] = []
    alike = groupby(rows, key=lambda row: (row.priority < 0, row.crashes > 0, row.batch_limit))
    for (urgent, isolated, limit), group in alike:
        ids = [row.id for row in group]
        step = min(size, limit or size)
        found += [
            Batch(kind, urgent, isolated, tuple(ids[start : start + step]))
            for start in range(0, len(ids), step)
        ]
    return found
