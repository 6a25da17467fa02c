"""How many jobs per second the ledger moves through all states, without a worker."""

import json
from collections.abc import Iterator
from typing import Any

from afterword.pipeline.clock import system_clock, to_micros
from afterword.pipeline.core.jobs.add import add_many
from afterword.pipeline.core.jobs.claim import claim
from afterword.pipeline.core.jobs.lease import lease
from afterword.pipeline.core.store import Store, writing
from afterword.pipeline.core.store.opening import connect
from afterword.schedules.dispatcher.relay import ROWS_PER_CLAIM
from afterword.workers.testing import NOTHING_KIND
from benchmarks.answer import Answer, Target, answers, note
from benchmarks.host import a_host
from benchmarks.timing import Split

BATCH = NOTHING_KIND.batch
"""Jobs of one message: leased in one transaction, finished in another."""

ADDED = 8_192
"""Jobs added in one transaction, as a bulk write does."""

_ADD = """
INSERT INTO jobs (kind, payload, state, available_at, created_at) VALUES (?, ?, 'ready', ?, ?)
"""
_SEND = """
UPDATE jobs SET state = 'sent', sent_at = ? WHERE id IN
  (SELECT id FROM jobs WHERE state = 'ready' AND kind = ? ORDER BY priority, id LIMIT ?)
RETURNING id
"""
_LEASE = """
UPDATE jobs SET state = 'running', epoch = epoch + 1, attempts = attempts + 1, leased_at = ?,
  lease_owner = 'me', lease_until = ?
WHERE id IN (SELECT value FROM json_each(?)) AND state = 'sent' RETURNING id, payload, epoch
"""
_LOG = """
INSERT INTO job_runs
  (job_id, kind, outcome, attempt, owner, started_at, ended_at, waited_us, ran_us)
SELECT id, kind, 'done', attempts, lease_owner, leased_at, ?, 0, 0
FROM jobs WHERE id IN (SELECT value FROM json_each(?))
"""
_END = "DELETE FROM jobs WHERE id IN (SELECT value FROM json_each(?)) AND state = 'running'"


def ask(adds: int, rounds: int) -> Answer:
    """Carry the same jobs through the ledger and through bare SQL, in turn."""
    jobs = adds * ADDED * rounds
    measured: dict[str, float] = {}
    floor: dict[str, float] = {}
    for synchronous in ("FULL", "NORMAL"):
        ours, bare = _carried(synchronous, adds, rounds)
        name = synchronous.lower()
        measured[f"jobs_per_s_{name}"] = jobs / ours.total
        floor[f"jobs_per_s_{name}"] = jobs / bare.total
        for step, spent in ours.spent.items():
            measured[f"{step}_us_{name}"] = spent / jobs * 1e6
            floor[f"{step}_us_{name}"] = bare.spent[step] / jobs * 1e6
        note(f"ledger {synchronous}: {jobs / ours.total:,.0f} /s, bare {jobs / bare.total:,.0f} /s")
    targets = {"jobs_per_s_full": Target(at_least=40_000)}
    sizes = {"jobs": jobs, "added": ADDED, "sent": ROWS_PER_CLAIM, "leased": BATCH}
    return Answer("ledger", measured, targets, floor, sizes)


def _carried(synchronous: str, adds: int, rounds: int) -> tuple[Split, Split]:
    ours, bare = Split(), Split()
    with a_host(synchronous, fleet=False) as host:
        conn = connect(host.stores.group("bare", create=True).path, host.options)
        for _ in range(rounds):
            _carry(host.store, adds, ours)
            _carry_bare(conn, adds, bare)
        conn.close()
        assert host.is_drained()
    return ours, bare


def _carry(store: Store, adds: int, split: Split) -> None:
    payloads = [{"id": index} for index in range(ADDED)]
    for _ in range(adds):
        with split.step("add"), writing(store) as conn:
            add_many(conn, NOTHING_KIND, payloads, system_clock())
    for _ in range(adds * ADDED // ROWS_PER_CLAIM):
        with split.step("send"), writing(store) as conn:
            sent = [
                row.id for row in claim(conn, NOTHING_KIND.name, ROWS_PER_CLAIM, system_clock())
            ]
        for ids in _batches(sent):
            with split.step("lease"), writing(store) as conn:
                leases = lease(conn, ids, "me", system_clock, NOTHING_KIND)
            with split.step("finish"), writing(store, finishing=leases):
                pass


def _carry_bare(conn: Any, adds: int, split: Split) -> None:
    now = to_micros(system_clock())
    rows = [(NOTHING_KIND.name, f'{{"id":{index}}}', now, now) for index in range(ADDED)]
    for _ in range(adds):
        with split.step("add"):
            conn.execute("BEGIN IMMEDIATE")
            conn.executemany(_ADD, rows)
            conn.execute("COMMIT")
    for _ in range(adds * ADDED // ROWS_PER_CLAIM):
        with split.step("send"):
            conn.execute("BEGIN IMMEDIATE")
            sent = [row[0] for row in conn.execute(_SEND, (now, NOTHING_KIND.name, ROWS_PER_CLAIM))]
            conn.execute("COMMIT")
        for ids in _batches(sent):
            named = json.dumps(ids)
            with split.step("lease"):
                conn.execute("BEGIN IMMEDIATE")
                conn.execute(_LEASE, (now, now, named)).fetchall()
                conn.execute("COMMIT")
            with split.step("finish"):
                conn.execute("BEGIN IMMEDIATE")
                conn.execute(_LOG, (now, named))
                conn.execute(_END, (named,))
                conn.execute("COMMIT")


def _batches(ids: list[int]) -> Iterator[list[int]]:
    return (ids[start : start + BATCH] for start in range(0, len(ids), BATCH))


if __name__ == "__main__":
    answers(
        ask,
        adds=(int, 3, f"transactions of {ADDED} jobs that a round adds"),
        rounds=(int, 3, "rounds, ours and bare in turn"),
    )
