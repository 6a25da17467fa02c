"""The pass by judge: a fact is compared with its neighbours, and rules overrule the answers."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import Clock, from_micros, to_micros
from afterword.pipeline.core.jobs.add import add
from afterword.pipeline.core.jobs.lease import Leases
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.facts import event_rows, rows
from afterword.pipeline.domain.facts.agreement import (
    Signature,
    signature,
    why_not_instead,
    why_not_same,
)
from afterword.pipeline.domain.facts.area import JUDGE_FACTS
from afterword.pipeline.domain.facts.judge import (
    MAX_REASON,
    FactJudge,
    FactQuestion,
    FactVerdict,
    Relation,
    Statement,
    check_guidance,
)
from afterword.pipeline.domain.facts.likeness import (
    content_words,
    likeness,
    spaced_words,
    unspaced_pairs,
)
from afterword.pipeline.domain.facts.model import EventKind, NewEvent, is_as_trusted
from afterword.pipeline.domain.facts.normalise import plain
from afterword.pipeline.domain.facts.rows import FactVersion
from afterword.pipeline.domain.facts.shadow import ShadowJudge
from afterword.pipeline.domain.memory.checks import is_storable
from afterword.pipeline.domain.memory.supersede import supersede_many
from afterword.pipeline.gateway.switches import Mode
from afterword.pipeline.rules.entities.entities import extract_entities

MAX_CANDIDATES: Final = 5
"""Older facts one fact is compared with."""

MAX_ASKED: Final = 10
"""Facts judged in one run of the job: its deadline holds as many slow answers."""

_POOL: Final = 20  # neighbours by words and by entity that the candidates are chosen from
_MAX_TERMS: Final = 40  # words looked for; a fact may have 400

_EVENT_OF: Final[dict[Relation, EventKind]] = {
    "keep": "kept",
    "merge": "retired",
    "supersede": "superseded",
}


@dataclass(frozen=True, slots=True)
class FactCase:
    """A fact and the older facts it is compared with, as they were read."""

    fact: FactVersion
    others: tuple[FactVersion, ...]


@dataclass(frozen=True, slots=True)
class PairDecision:
    """What becomes of a pair.

    Args:
        other: the candidate.
        relation: what is done, after the rules.
        refused: the rule that overruled the judge, if one did.
        verdict: what the judge said.
        likeness: share of words the two have in common.
    """

    other: FactVersion
    relation: Relation
    refused: str | None
    verdict: FactVerdict
    likeness: float

    def loser(self, fact: FactVersion) -> FactVersion | None:
        """Return which of the pair gives way: of a merge the younger, else the one replaced."""
        if self.relation == "keep":
            return None
        is_younger = self.relation == "merge" and self.other.id < fact.id
        return fact if is_younger else self.other


def judge_facts(
    store: Store,
    leases: Leases,
    judge: FactJudge,
    guidance: str,
    clock: Clock,
    mode: Mode = Mode.ON,
) -> int:
    """Do the job `judge_facts`: judge the facts that wait for it; what is left is the next one's.

    Args:
        mode: whether what the judge says counts (see `resolve_facts`).

    Returns:
        How many facts were judged.

    Raises:
        UnavailableError: the judge did not answer; what was judged before stays, the rest waits.
        LeaseLostError: the job runs elsewhere by now.
    """
    done = resolve_facts(store, judge, guidance, clock, mode=mode)
    with writing(store, finishing=leases) as conn:
        if done and rows.unjudged(conn, after=0, limit=1, in_shadow=not mode.has_effect):
            add(conn, JUDGE_FACTS, {}, clock(), key="more")
    return done


def resolve_facts(
    store: Store,
    judge: FactJudge,
    guidance: str,
    clock: Clock,
    limit: int = MAX_ASKED,
    mode: Mode = Mode.ON,
) -> int:
    """Compare facts with their older neighbours, ask the judge, and do what the rules allow.

    Each fact is settled in a write of its own, after its answer: a failing judge or a crash costs
    one question. A fact that changed while the judge thought is asked about again.

    Args:
        guidance: the owner's wish; no rule heeds it.
        limit: facts of this call.
        mode: in the shadow all is kept, and each fact is asked about again once the judge counts;
            the shadow remembers for itself what it has asked.

    Returns:
        How many facts were judged.

    Raises:
        InvalidInputError: the guidance is too long.
        UnavailableError: the judge did not answer.
    """
    check_guidance(guidance)
    in_shadow = not mode.has_effect
    asked = ShadowJudge(judge) if in_shadow else judge
    with reading(store) as conn:
        waiting = rows.unjudged(conn, after=0, limit=limit, in_shadow=in_shadow)
    for fact in waiting:
        with reading(store) as conn:
            case = gather(conn, fact)
        verdicts = asked.judge(_question(case), guidance, store.name) if case.others else ()
        decisions = decide(case, verdicts)
        with writing(store) as conn:
            _settle(conn, case, decisions, clock, in_shadow=in_shadow)
    if waiting:
        emit("fact.judged", facts=len(waiting))
    return len(waiting)


def gather(conn: Connection, fact: FactVersion) -> FactCase:
    """Return a fact with the older ones most like it, in a fixed order."""
    lowered = plain(fact.content).lower()
    entities = extract_entities(fact.content)
    pool = rows.neighbours(conn, fact, _any_of(lowered), entities, _POOL)
    mine = content_words(lowered)
    alike = {
        other.id: likeness(mine, content_words(plain(other.content).lower())) for other in pool
    }
    # The most alike first; of two alike the older.
    ranked = sorted(pool, key=lambda other: (-alike[other.id], other.id))
    return FactCase(fact, tuple(ranked[:MAX_CANDIDATES]))


def decide(case: FactCase, verdicts: Sequence[FactVerdict]) -> list[PairDecision]:
    """Return what becomes of each pair: what the judge said, unless a rule forbids it.

    Verdicts about facts nobody asked about, and second ones about the same, are left out. At most
    one merge is done: a fact gives way once.
    """
    said: dict[int, FactVerdict] = {}
    for verdict in verdicts:
        said.setdefault(verdict.other_id, verdict)
    mine = signature(case.fact.content)
    decisions = []
    has_given_way = False
    for other in case.others:
        verdict = said.get(other.id, FactVerdict(other.id, "keep"))
        theirs = signature(other.content)
        refused = why_refused(case.fact, mine, other, theirs, verdict.relation)
        if verdict.relation == "merge" and other.id < case.fact.id and refused is None:
            refused, has_given_way = ("merged_already" if has_given_way else None), True
        relation: Relation = "keep" if refused else verdict.relation
        shared = likeness(mine.words, theirs.words)
        decisions.append(PairDecision(other, relation, refused, verdict, shared))
    return decisions


def why_refused(
    fact: FactVersion, mine: Signature, other: FactVersion, theirs: Signature, relation: Relation
) -> str | None:
    """Return the rule that forbids what a judge wants; None if all allow it."""
    if relation == "merge":
        survivor, loser = sorted((fact, other), key=lambda one: one.id)
        if not is_as_trusted(survivor.origin, loser.origin):
            return "trust"
        return why_not_same(mine, theirs)
    if relation == "supersede":
        if not is_as_trusted(fact.origin, other.origin):
            return "trust"
        if fact.said_at <= other.said_at:
            return "order"
        return why_not_instead(mine, theirs)
    return None if relation == "keep" else "unknown_relation"


def _any_of(lowered: str) -> str:
    """Return an expression of the words index that finds facts with one of these words."""
    terms = dict.fromkeys([*spaced_words(lowered), *unspaced_pairs(lowered)])
    quoted = " OR ".join(f'"{term}"' for term in [*terms, ""][:_MAX_TERMS])
    return f'category : "fact" AND {{content grams}} : ({quoted})'


def _question(case: FactCase) -> FactQuestion:
    return FactQuestion(_statement(case.fact), tuple(map(_statement, case.others)))


def _statement(said: FactVersion) -> Statement:
    return Statement(said.id, said.content, from_micros(said.said_at))


def _settle(
    conn: Connection,
    case: FactCase,
    decisions: Sequence[PairDecision],
    clock: Clock,
    *,
    in_shadow: bool,
) -> None:
    """Do what was decided, where both facts still are as they were read."""
    fact = case.fact
    held = [(one.id, one.version) for one in (fact, *case.others)]
    still = rows.still(conn, held, "settled")
    decisions = [_as_it_is(one, still, fact) for one in decisions]
    now = clock()
    # What gives way to the fact first: it may give way itself.
    for one in sorted(decisions, key=lambda one: one.loser(fact) is fact):
        loser = one.loser(fact)
        if loser is not None:
            survivor = fact if loser is one.other else one.other
            rows.retire(conn, [(loser.id, survivor.id, None)])
            supersede_many(conn, [(loser.id, survivor.id)], now)
            if survivor.said_at < loser.said_at:
                rows.say_again(conn, [(survivor.id, loser.said_at)])
    event_rows.keep(conn, [_event(fact, one) for one in decisions], to_micros(now))
    if fact.id in still:
        rows.judged(conn, fact.id, fact.said_at, in_shadow=in_shadow)


def _as_it_is(decision: PairDecision, still: set[int], fact: FactVersion) -> PairDecision:
    """Leave a pair alone of which one changed while the judge thought."""
    if decision.relation == "keep" or {fact.id, decision.other.id} <= still:
        return decision
    return replace(decision, relation="keep", refused="changed_meanwhile")


def _event(fact: FactVersion, one: PairDecision) -> NewEvent:
    loser = one.loser(fact)
    about, other = (fact, one.other) if loser is None or loser is fact else (one.other, fact)
    detail = {
        "reason": one.refused or f"judge_{one.relation}",
        "judge": one.verdict.relation,
        "likeness": round(one.likeness, 3),
        "said_at": about.said_at,
        "other_said_at": other.said_at,
        "other_version": other.version,
    }
    said = one.verdict.reason[:MAX_REASON]
    return NewEvent(
        kind="refused" if one.refused else _EVENT_OF[one.relation],
        memory_id=about.id,
        other_id=other.id,
        version=about.version + (loser is not None),
        decided_by="rule" if one.refused else "judge",
        detail=detail,
        said=said if is_storable(said) else "",
    )
