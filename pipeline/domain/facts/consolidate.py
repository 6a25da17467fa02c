"""The pass by rule: settle pending facts, oldest first, and retire restatements."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import Clock, to_micros
from afterword.pipeline.core.jobs.add import add
from afterword.pipeline.core.jobs.lease import Leases
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.facts import event_rows, rows
from afterword.pipeline.domain.facts.area import CONSOLIDATE_FACTS, JUDGE_FACTS
from afterword.pipeline.domain.facts.effects import FactEffects
from afterword.pipeline.domain.facts.fingerprint import fingerprint
from afterword.pipeline.domain.facts.model import NewEvent, is_as_trusted
from afterword.pipeline.domain.facts.rows import FactVersion, SettledFact
from afterword.pipeline.domain.memory.supersede import supersede_many

CONSOLIDATE_BATCH: Final = 250
"""Facts of one transaction: it holds the only writer for some 10 ms."""

_MAX_DRAINED: Final = 20_000
"""Facts of one run; the next run does the rest."""


@dataclass(frozen=True, slots=True)
class ConsolidationCounts:
    """Facts a pass settled and retired; counts."""

    settled: int = 0
    retired: int = 0

    def __add__(self, other: "ConsolidationCounts") -> "ConsolidationCounts":
        return ConsolidationCounts(self.settled + other.settled, self.retired + other.retired)


@dataclass(frozen=True, slots=True)
class Restatement:
    """A fact that is retired for an older one with the same statement."""

    loser: SettledFact
    survivor: SettledFact


def consolidate_facts(
    store: Store, leases: Leases, clock: Clock, *, judging: FactEffects
) -> ConsolidationCounts:
    """Do the job `consolidate_facts`: drain what is pending, then ask for judging if it is on.

    Args:
        judging: the effects of judging facts; `NoFactEffects` while there is no judge.

    Raises:
        LeaseLostError: the job runs elsewhere by now; what was settled stays settled.
    """
    done = consolidate_pending(store, clock)
    with writing(store, finishing=leases) as conn:
        now = clock()
        if rows.pending(conn, after=0, limit=1):
            add(conn, CONSOLIDATE_FACTS, {}, now, key="more")
        if judging.unjudged(conn, limit=1):
            add(conn, JUDGE_FACTS, {}, now, key="judge")
    return done


def consolidate_pending(
    store: Store, clock: Clock, limit: int = _MAX_DRAINED
) -> ConsolidationCounts:
    """Settle pending facts oldest first; retire each restatement of a settled fact.

    Two statements match if their fingerprints do. The older one survives; the newer is retired,
    superseded in memory by the older, and never removed. A repeated call changes nothing.

    Args:
        limit: facts of this call.
    """
    done, after = ConsolidationCounts(), 0
    for start in range(0, limit, CONSOLIDATE_BATCH):
        with reading(store) as conn:
            pending = rows.pending(conn, after, min(CONSOLIDATE_BATCH, limit - start))
        if not pending:
            break
        # No transaction is open while fingerprints are computed: that is most of the work.
        marked = [(fact, fingerprint(fact.content)) for fact in pending]
        with writing(store) as conn:
            done += _settle(conn, marked, clock)
        after = pending[-1].id
    if done != ConsolidationCounts():
        emit("fact.consolidated", settled=done.settled, retired=done.retired)
    return done


def decide(pending: Sequence[SettledFact], settled: Sequence[SettledFact]) -> list[Restatement]:
    """Return which facts are retired for which, taking pending facts in their order.

    Args:
        pending: the facts to settle, oldest first.
        settled: settled facts that share a fingerprint with one of them, oldest first.
    """
    survivors: defaultdict[str, list[SettledFact]] = defaultdict(list)
    for fact in settled:
        survivors[fact.fingerprint].append(fact)
    restated = []
    for fact in pending:
        others = survivors[fact.fingerprint]
        # A fact restored after younger ones settled is still the older statement.
        older = [one for one in others if one.id < fact.id and _may_stand_for(one, fact)]
        younger = [one for one in others if one.id > fact.id and _may_stand_for(fact, one)]
        if older:
            restated.append(Restatement(fact, older[0]))
            continue
        restated += [Restatement(one, fact) for one in younger]
        survivors[fact.fingerprint] = [fact, *(one for one in others if one not in younger)]
    return restated


def _may_stand_for(survivor: SettledFact, loser: SettledFact) -> bool:
    return is_as_trusted(survivor.origin, loser.origin)


def _settle(
    conn: Connection, marked: Sequence[tuple[FactVersion, str]], clock: Clock
) -> ConsolidationCounts:
    """Write the result of a batch; facts that changed since they were read are left out."""
    unchanged = rows.unchanged(conn, [(fact.id, fact.version) for fact, _ in marked], "pending")
    pending = [_settled_fact(fact, print_) for fact, print_ in marked if fact.id in unchanged]
    now = clock()
    restated = decide(pending, rows.settled_with(conn, {fact.fingerprint for fact in pending}))
    losers = {one.loser.id for one in restated}
    was_pending = {fact.id for fact in pending}
    settled = [fact for fact in pending if fact.id not in losers]
    rows.settle(conn, [(fact.id, fact.fingerprint) for fact in settled])
    rows.retire(conn, [(one.loser.id, one.survivor.id, one.loser.fingerprint) for one in restated])
    rows.set_said_at(conn, list(_last_said(restated).items()))
    supersede_many(conn, [(one.loser.id, one.survivor.id) for one in restated], now)
    events = [*map(_settled, settled), *map(_retired, restated)]
    event_rows.keep(conn, events, to_micros(now))
    return ConsolidationCounts(len(settled), len(losers & was_pending))


def _settled_fact(fact: FactVersion, print_: str) -> SettledFact:
    return SettledFact(fact.id, print_, fact.origin, fact.version, fact.said_at)


def _last_said(restated: Sequence[Restatement]) -> dict[int, int]:
    """Return when each survivor was last stated, by itself or by a restatement."""
    last: dict[int, int] = {}
    for restatement in restated:
        latest = max(restatement.loser.said_at, restatement.survivor.said_at)
        last[restatement.survivor.id] = max(latest, last.get(restatement.survivor.id, 0))
    return last


def _settled(fact: SettledFact) -> NewEvent:
    detail = {"reason": "new_statement", "said_at": fact.said_at}
    return NewEvent("settled", fact.id, None, fact.version + 1, "rule", detail)


def _retired(restatement: Restatement) -> NewEvent:
    loser, survivor = restatement.loser, restatement.survivor
    detail = {
        "reason": "same_normal_form",
        "said_at": loser.said_at,
        "other_said_at": survivor.said_at,
        "other_version": survivor.version,
    }
    return NewEvent("retired", loser.id, survivor.id, loser.version + 1, "rule", detail)
