"""The pass by rule: pending facts settle, oldest first, and restatements give way."""

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
from afterword.pipeline.domain.facts.fingerprint import fingerprint
from afterword.pipeline.domain.facts.model import NewEvent, is_as_trusted
from afterword.pipeline.domain.facts.rows import FactVersion, SettledFact
from afterword.pipeline.domain.memory.supersede import supersede_many
from afterword.pipeline.gateway.switches import Mode

BATCH: Final = 250
"""Facts of one transaction: it holds the only writer for some 10 ms."""

MAX_DRAINED: Final = 20_000
"""Facts of one run; what is left is the next one's."""


@dataclass(frozen=True, slots=True)
class ConsolidationCounts:
    """What a pass did; counts of facts."""

    settled: int = 0
    retired: int = 0

    def __add__(self, other: "ConsolidationCounts") -> "ConsolidationCounts":
        return ConsolidationCounts(self.settled + other.settled, self.retired + other.retired)


@dataclass(frozen=True, slots=True)
class Restatement:
    """A fact that gives way to an older one of the same words."""

    loser: SettledFact
    survivor: SettledFact


def consolidate_facts(
    store: Store, leases: Leases, clock: Clock, *, judging: Mode
) -> ConsolidationCounts:
    """Do the job `consolidate_facts`: drain what is pending, then ask for judging if it is on.

    Args:
        judging: whether facts are judged, and whether that counts; off while there is no judge.

    Raises:
        LeaseLostError: the job runs elsewhere by now; what was settled stays settled.
    """
    done = consolidate_pending(store, clock)
    with writing(store, finishing=leases) as conn:
        now = clock()
        if rows.pending(conn, after=0, limit=1):
            add(conn, CONSOLIDATE_FACTS, {}, now, key="more")
        waits = judging.is_enabled and rows.unjudged(
            conn, after=0, limit=1, in_shadow=not judging.has_effect
        )
        if waits:
            add(conn, JUDGE_FACTS, {}, now, key="judge")
    return done


def consolidate_pending(
    store: Store, clock: Clock, limit: int = MAX_DRAINED
) -> ConsolidationCounts:
    """Settle pending facts oldest first; each restatement of a standing fact gives way to it.

    Two statements match where their fingerprints do. The older one survives; the newer is
    retired, superseded in memory by the older, and never removed. Repeated, it does nothing.

    Args:
        limit: facts of this call.
    """
    done, after = ConsolidationCounts(), 0
    for start in range(0, limit, BATCH):
        with reading(store) as conn:
            found = rows.pending(conn, after, min(BATCH, limit - start))
        if not found:
            break
        # No transaction is open while words are read: that is most of the work.
        marked = [(fact, fingerprint(fact.content)) for fact in found]
        with writing(store) as conn:
            done += _settle(conn, marked, clock)
        after = found[-1].id
    if done != ConsolidationCounts():
        emit("fact.consolidated", settled=done.settled, retired=done.retired)
    return done


def decide(pending: Sequence[SettledFact], standing: Sequence[SettledFact]) -> list[Restatement]:
    """Return which facts give way to which, every pending one taken in its order.

    Args:
        pending: the facts to settle, oldest first.
        standing: settled facts that share a fingerprint with one of them, oldest first.
    """
    stands: defaultdict[str, list[SettledFact]] = defaultdict(list)
    for fact in standing:
        stands[fact.fingerprint].append(fact)
    restated = []
    for fact in pending:
        others = stands[fact.fingerprint]
        # A fact that was away while younger ones settled is still the older statement.
        older = [one for one in others if one.id < fact.id and _may_stand_for(one, fact)]
        younger = [one for one in others if one.id > fact.id and _may_stand_for(fact, one)]
        if older:
            restated.append(Restatement(fact, older[0]))
            continue
        restated += [Restatement(one, fact) for one in younger]
        stands[fact.fingerprint] = [fact, *(one for one in others if one not in younger)]
    return restated


def _may_stand_for(survivor: SettledFact, loser: SettledFact) -> bool:
    return is_as_trusted(survivor.origin, loser.origin)


def _settle(
    conn: Connection, marked: Sequence[tuple[FactVersion, str]], clock: Clock
) -> ConsolidationCounts:
    """Write down what becomes of a batch; facts that changed since they were read are left out."""
    still = rows.still(conn, [(fact.id, fact.version) for fact, _ in marked], "pending")
    pending = [_standing(fact, print_) for fact, print_ in marked if fact.id in still]
    now = clock()
    restated = decide(pending, rows.standing(conn, {fact.fingerprint for fact in pending}))
    losers = {one.loser.id for one in restated}
    was_pending = {fact.id for fact in pending}
    settled = [fact for fact in pending if fact.id not in losers]
    rows.settle(conn, [(fact.id, fact.fingerprint) for fact in settled])
    rows.retire(conn, [(one.loser.id, one.survivor.id, one.loser.fingerprint) for one in restated])
    said = _said_again(restated)
    rows.say_again(conn, list(said.items()))
    supersede_many(conn, [(one.loser.id, one.survivor.id) for one in restated], now)
    events = [*map(_settled, settled), *map(_retired, restated)]
    event_rows.keep(conn, events, to_micros(now))
    return ConsolidationCounts(len(settled), len(losers & was_pending))


def _standing(fact: FactVersion, print_: str) -> SettledFact:
    return SettledFact(fact.id, print_, fact.origin, fact.version, fact.said_at)


def _said_again(restated: Sequence[Restatement]) -> dict[int, int]:
    """Return when each survivor was last stated, by itself or by what gave way to it."""
    said: dict[int, int] = {}
    for one in restated:
        latest = max(one.loser.said_at, one.survivor.said_at)
        said[one.survivor.id] = max(latest, said.get(one.survivor.id, 0))
    return said


def _settled(fact: SettledFact) -> NewEvent:
    detail = {"reason": "new_statement", "said_at": fact.said_at}
    return NewEvent("settled", fact.id, None, fact.version + 1, "rule", detail)


def _retired(one: Restatement) -> NewEvent:
    loser, survivor = one.loser, one.survivor
    detail = {
        "reason": "same_normal_form",
        "said_at": loser.said_at,
        "other_said_at": survivor.said_at,
        "other_version": survivor.version,
    }
    return NewEvent("retired", loser.id, survivor.id, loser.version + 1, "rule", detail)
