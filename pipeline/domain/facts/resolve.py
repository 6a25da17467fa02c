"""The pass by judge: compare a fact with its neighbours; rules can overrule the answers."""

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
from afterword.pipeline.domain.facts.effects import FactEffects
from afterword.pipeline.domain.facts.judge import (
    FACT_REASON_CHARS,
    FactJudge,
    FactQuestion,
    FactRelation,
    FactVerdict,
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
from afterword.pipeline.domain.memory.checks import is_storable
from afterword.pipeline.domain.memory.supersede import supersede_many
from afterword.pipeline.rules.entities.entities import extract_entities

MAX_CANDIDATES: Final = 5
"""Older facts that one fact is compared with."""

_MAX_ASKED: Final = 10
"""Facts judged in one run of the job: its deadline holds as many slow answers."""

_POOL: Final = 20  # neighbours by words and by entity that the candidates are chosen from
_MAX_TERMS: Final = 40  # words looked for; a fact may have 400

_EVENT_OF: Final[dict[FactRelation, EventKind]] = {
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
    """The decision about a pair of facts.

    Args:
        other: the candidate.
        relation: what is done, after the rules.
        refused: the rule that overruled the judge, if any.
        verdict: of the judge.
        likeness: Jaccard similarity of their words, in [0, 1].
    """

    other: FactVersion
    relation: FactRelation
    refused: str | None
    verdict: FactVerdict
    likeness: float

    def loser(self, fact: FactVersion) -> FactVersion | None:
        """Return the fact to retire: the younger of a merge, the replaced one of a supersede."""
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
    effects: FactEffects,
) -> int:
    """Do the job `judge_facts`: compare waiting facts; another job does the rest.

    Args:
        effects: what the verdicts do; see `effects_of`.

    Returns:
        How many facts were judged.

    Raises:
        UnavailableError: the judge did not answer; what was judged before stays, the rest waits.
        LeaseLostError: the job runs elsewhere by now.
    """
    done = resolve_facts(store, judge, guidance, clock, effects)
    with writing(store, finishing=leases) as conn:
        if done and effects.unjudged(conn, limit=1):
            add(conn, JUDGE_FACTS, {}, clock(), key="more")
    return done


def resolve_facts(
    store: Store,
    judge: FactJudge,
    guidance: str,
    clock: Clock,
    effects: FactEffects,
    limit: int = _MAX_ASKED,
) -> int:
    """Compare facts with their older neighbours: ask the judge, then do what the rules allow.

    Each fact is settled in a write of its own after its answer, so a failing judge or a crash
    costs one question. A fact that changed while the judge was asked is compared again.

    Args:
        guidance: the owner's wish; it changes no rule.
        effects: what the verdicts do; see `effects_of`.
        limit: facts of this call.

    Returns:
        How many facts were judged.

    Raises:
        InvalidInputError: the guidance is too long.
        UnavailableError: the judge did not answer.
    """
    check_guidance(guidance)
    with reading(store) as conn:
        waiting = effects.unjudged(conn, limit)
    for fact in waiting:
        with reading(store) as conn:
            case = gather(conn, fact)
        verdicts = judge.judge(_question(case), guidance, store.address) if case.others else ()
        decisions = decide(case, effects.effective(verdicts))
        with writing(store) as conn:
            _settle(conn, case, decisions, clock, effects)
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
    """Return the decision about each pair: the judge's verdict, unless a rule forbids it.

    Verdicts on other facts, and second verdicts on one fact, are ignored. At most one merge is
    done: a fact is retired once.
    """
    by_other: dict[int, FactVerdict] = {}
    for verdict in verdicts:
        by_other.setdefault(verdict.other_id, verdict)
    mine = signature(case.fact.content)
    decisions = []
    is_merged = False
    for other in case.others:
        verdict = by_other.get(other.id, FactVerdict(other.id, "keep"))
        theirs = signature(other.content)
        refused = why_refused(case.fact, mine, other, theirs, verdict.relation)
        if verdict.relation == "merge" and other.id < case.fact.id and refused is None:
            refused, is_merged = ("merged_already" if is_merged else None), True
        relation: FactRelation = "keep" if refused else verdict.relation
        shared = likeness(mine.words, theirs.words)
        decisions.append(PairDecision(other, relation, refused, verdict, shared))
    return decisions


def why_refused(
    fact: FactVersion,
    mine: Signature,
    other: FactVersion,
    theirs: Signature,
    relation: FactRelation,
) -> str | None:
    """Return the rule that forbids a relation; None if all allow it."""
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
    """Return a full-text expression that finds facts with one of these words."""
    terms = dict.fromkeys([*spaced_words(lowered), *unspaced_pairs(lowered)])
    quoted = " OR ".join(f'"{term}"' for term in [*terms, ""][:_MAX_TERMS])
    return f'category : "fact" AND {{content grams}} : ({quoted})'


def _question(case: FactCase) -> FactQuestion:
    return FactQuestion(_statement(case.fact), tuple(map(_statement, case.others)))


def _statement(fact: FactVersion) -> Statement:
    return Statement(fact.id, fact.content, from_micros(fact.said_at))


def _settle(
    conn: Connection,
    case: FactCase,
    decisions: Sequence[PairDecision],
    clock: Clock,
    effects: FactEffects,
) -> None:
    """Write the decisions; only where both facts are unchanged since they were read."""
    fact = case.fact
    versions = [(one.id, one.version) for one in (fact, *case.others)]
    unchanged = rows.unchanged(conn, versions, "settled")
    decisions = [_unless_changed(one, unchanged, fact) for one in decisions]
    now = clock()
    # Facts retired for this one first: it may be retired itself.
    for decision in sorted(decisions, key=lambda one: one.loser(fact) is fact):
        loser = decision.loser(fact)
        if loser is not None:
            survivor = fact if loser is decision.other else decision.other
            rows.retire(conn, [(loser.id, survivor.id, None)])
            supersede_many(conn, [(loser.id, survivor.id)], now)
            if survivor.said_at < loser.said_at:
                rows.set_said_at(conn, [(survivor.id, loser.said_at)])
    event_rows.keep(conn, [_event(fact, one) for one in decisions], to_micros(now))
    if fact.id in unchanged:
        effects.mark_judged(conn, fact)


def _unless_changed(decision: PairDecision, unchanged: set[int], fact: FactVersion) -> PairDecision:
    """Keep a pair if one of its facts changed while the judge was asked."""
    if decision.relation == "keep" or {fact.id, decision.other.id} <= unchanged:
        return decision
    return replace(decision, relation="keep", refused="changed_meanwhile")


def _event(fact: FactVersion, decision: PairDecision) -> NewEvent:
    loser = decision.loser(fact)
    about, other = (
        (fact, decision.other) if loser is None or loser is fact else (decision.other, fact)
    )
    detail = {
        "reason": decision.refused or f"judge_{decision.relation}",
        "judge": decision.verdict.relation,
        "likeness": round(decision.likeness, 3),
        "said_at": about.said_at,
        "other_said_at": other.said_at,
        "other_version": other.version,
    }
    reason = decision.verdict.reason[:FACT_REASON_CHARS]
    return NewEvent(
        kind="refused" if decision.refused else _EVENT_OF[decision.relation],
        memory_id=about.id,
        other_id=other.id,
        version=about.version + (loser is not None),
        decided_by="rule" if decision.refused else "judge",
        detail=detail,
        said=reason if is_storable(reason) else "",
    )
