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

from afterword.pipeline.clock import Clock, Monotonic, to_micros
from afterword.pipeline.core.jobs.claim import Agenda, agenda, claim, promote, unsend
from afterword.pipeline.core.jobs.model import ALONE, ClaimedJob, QueueHead
from afterword.pipeline.core.jobs.reconcile import has_sent, resend_all
from afterword.pipeline.core.store import Store, Stores, writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.errors import PipelineError
from afterword.schedules.dispatcher.groups import Group, Groups
from afterword.workers.broker.broker import LedgerBroker
from afterword.workers.routes import Route

MESSAGES_PER_THREAD = 4
"""Messages of a queue that may wait in Redis, for each thread of the fleet that works it."""

ROWS_PER_CLAIM = 512
"""Rows marked sent in one transaction, which takes some 4 ms: every writer waits for it (count)."""

EPOCH_LOOK_S = 0.5
"""How often an idle relay asks whether Redis came back empty; seconds."""

TURN_S = 0.05
"""Longest time one step reads groups; the next step goes on where it stopped; seconds."""


@dataclass(frozen=True, slots=True)
class Batch:
    """The rows of one message."""

    kind: str
    urgent: bool
    suspect: bool
    ids: tuple[int, ...]


@dataclass(slots=True)
class QueueRoom:
    """How many more messages each queue may take."""

    left: dict[str, int]
    urgent: dict[str, int]

    def has_any(self, queue: str, urgent: bool) -> bool:
        """Say whether a queue takes another message."""
        return (self.urgent if urgent else self.left).get(queue, 0) > 0

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

    stores: Stores
    groups: Groups
    broker: LedgerBroker
    routes: Mapping[str, Route]
    clock: Clock
    monotonic: Monotonic
    _backlog: dict[str, None] = field(default_factory=dict)
    _asked_at: float = float("-inf")

    def step(self, threads: Mapping[str, int]) -> int:
        """Read groups that may have due work, for `TURN_S` at most, and send that work.

        Args:
            threads: fleet threads by queue; a queue nobody works gets nothing.

        Returns:
            How many jobs were sent.

        Raises:
            redis.RedisError: Redis does not answer; nothing was claimed.
        """
        self.groups.scan()
        now = self.monotonic()
        changed, unknown = (
            self.groups.changed_or_due(to_micros(self.clock())),
            self.groups.unknown(),
        )
        idle = not (changed or unknown or self._wants_room(threads))
        if idle and now - self._asked_at < EPOCH_LOOK_S:
            return 0
        known, waiting = self.broker.waiting(threads)
        self._asked_at = now
        if not known:
            self._start_over()
            changed = self.groups.changed_or_due(to_micros(self.clock()))
        room = _room(threads, waiting)
        backlog = self._with_room(changed, room)
        share = len(changed) + len(backlog)
        return (
            self._serve_some(changed, room, share)
            + self._serve_some(backlog, room, len(backlog))
            + self._serve_some(unknown, room, 1)
        )

    def _serve_some(self, wanted: Sequence[Group], room: QueueRoom, share: int) -> int:
        """Serve groups in order until the turn is over; the rest come in the next step.

        Args:
            share: how many groups divide the room among them; count.
        """
        sent, give_up_at = 0, self.monotonic() + TURN_S
        for place, group in enumerate(wanted):
            began = self.monotonic()
            if place and began >= give_up_at:
                break
            try:
                sent += self._serve(group, room, groups_left=max(1, share - place))
            except PipelineError as error:  # one damaged group must not stop the others
                self.groups.fail_look(group, began)
                emit("relay.skipped", group=group.name, error=str(error))
        return sent

    def _wants_room(self, threads: Mapping[str, int]) -> bool:
        """Say whether any group has jobs ready for a queue that is worked."""
        groups = (self.groups.find(name) for name in self._backlog)
        return any(
            self._queue(head.kind, head.suspects) in threads
            for group in groups
            if group is not None
            for head in group.backlog
        )

    def _with_room(self, changed: Sequence[Group], room: QueueRoom) -> list[Group]:
        """Return groups whose backlog may go on, longest waiting first; the others stay closed."""
        served = {group.name for group in changed}
        found = []
        for name in list(self._backlog):
            group = self.groups.find(name)
            if group is None or not group.backlog:
                del self._backlog[name]
            elif name not in served and any(
                room.has_any(self._queue(head.kind, head.suspects), head.priority < 0)
                for head in group.backlog
            ):
                found.append(group)
        return found

    def _start_over(self) -> None:
        """Give every sent row back after Redis came back empty, and only then set the epoch key.

        A group that was not read yet follows at its first read. If this process ends before that,
        the reconciler sends its rows again after `resend_after_s`.
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
                    self.groups.fail_look(group, began)
                    emit("relay.skipped", group=group.name, error=str(error))
        self.broker.begin_epoch()
        emit("relay.epoch", jobs=resent)

    def _resend(self, group: Group) -> int:
        if not self.stores.look(group.name, has_sent):
            return 0
        with writing(self.stores.group(group.name)) as conn:
            return resend_all(conn)

    def _serve(self, group: Group, room: QueueRoom, groups_left: int) -> int:
        self.groups.begin_look(group)
        now = self.clock()
        agenda = self._read(group)
        if group.resend and agenda.in_flight:
            self._resend(group)
            agenda = self._read(group)
        group.resend = False
        if agenda.next_due is not None and agenda.next_due <= to_micros(now):
            with writing(self.stores.group(group.name)) as conn:
                promote(conn, now)
            agenda = self._read(group)
        # It goes to the end of the backlog: else a deep group would take all free room.
        self._backlog.pop(group.name, None)
        sent = 0
        try:
            sent = self._claim_and_send(group, agenda.heads, room, groups_left, now)
        finally:
            if sent:
                agenda = self._read(group)
            if agenda.heads:
                self._backlog[group.name] = None
            self.groups.end_look(group, agenda.next_due, tuple(agenda.heads), agenda.in_flight)
        return sent

    def _read(self, group: Group) -> Agenda:
        return self.stores.look(group.name, lambda conn: agenda(conn, self.routes))

    def _served(self, wanted: Iterable[QueueHead], room: QueueRoom) -> list[QueueHead]:
        """Return the ready work whose queue is worked by a live process."""
        return [head for head in wanted if self._queue(head.kind, head.suspects) in room.left]

    def _queue(self, kind: str, suspects: bool) -> str:
        return ALONE if suspects else self.routes[kind].queue

    def _claim_and_send(
        self,
        group: Group,
        wanted: Sequence[QueueHead],
        room: QueueRoom,
        groups_left: int,
        now: datetime,
    ) -> int:
        wanted = self._served(wanted, room)
        if not wanted:
            return 0
        store = self.stores.group(group.name)
        batches: list[Batch] = []
        with writing(store) as conn:
            for head in wanted:
                most = self.routes[head.kind].kind.batch
                size = min(most, head.batch_limit or most) if head.suspects else most
                urgent = head.priority < 0
                queue = self._queue(head.kind, head.suspects)
                free = (room.urgent if urgent else room.left).get(queue, 0)
                share = -(-free // groups_left)  # a fair one, rounded up
                messages = min(share, max(1, ROWS_PER_CLAIM // size))
                if messages <= 0:
                    continue
                rows = claim(conn, head.kind, messages * size, now, suspects=head.suspects)
                found = cut(head.kind, rows, most)
                # Rows that run by themselves need more messages than there is room for.
                unsend(conn, [job_id for batch in found[messages:] for job_id in batch.ids])
                room.take(queue, urgent, len(found[:messages]))
                batches += found[:messages]
        emit("relay.claimed", group=store.name, messages=len(batches))
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
            emit("relay.sent", kind=batch.kind, jobs=len(batch.ids))
            sent += len(batch.ids)
        return sent

    def _message(self, store: Store, batch: Batch) -> "dramatiq.Message[Any]":
        queue = self._queue(batch.kind, batch.suspect)
        return dramatiq.Message(queue, batch.kind, (store.name, list(batch.ids)), {}, {})


def _room(threads: Mapping[str, int], waiting: Mapping[str, int]) -> QueueRoom:
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
    return QueueRoom(left, urgent)


def cut(kind: str, rows: Iterable[ClaimedJob], size: int) -> list[Batch]:
    """Cut claimed rows into messages; urgent rows do not wait for usual ones.

    Args:
        rows: in the order to run them.
        size: most rows of one message of the kind; a row's own limit may be lower.
    """
    found: list[Batch] = []
    alike = groupby(rows, key=lambda row: (row.priority < 0, row.crashes > 0, row.batch_limit))
    for (urgent, suspect, limit), group in alike:
        ids = [row.id for row in group]
        step = min(size, limit or size)
        found += [
            Batch(kind, urgent, suspect, tuple(ids[start : start + step]))
            for start in range(0, len(ids), step)
        ]
    return found
