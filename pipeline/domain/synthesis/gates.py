"""Decide who is promising, graduated or demoted, by both gates, from the records alone."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from afterword.pipeline.domain.methodologies.lifecycle import StateChange
from afterword.pipeline.domain.methodologies.model import MethodGate
from afterword.pipeline.domain.methodologies.scores import MethodFigures, figures_of
from afterword.pipeline.domain.synthesis.model import GateRules, GateVerdict, WeighedMethod
from afterword.pipeline.rules.evidence.graduation import (
    DEMOTED_BELOW,
    LOST_AT,
    graduating,
    graduation_bar,
    is_demoted,
    is_literally_demoted,
    is_literally_graduated,
    is_promising,
    literal_confidence,
    selected,
)
from afterword.pipeline.rules.evidence.method_record import method_record


def decide_gates(
    weighed: Sequence[WeighedMethod], rules: GateRules, frozen: Collection[int] = ()
) -> GateVerdict:
    """Return the changes of both gates, and the figures of every methodology after them.

    Args:
        frozen: row ids of methodologies whose market is under stress: none is graduated. Those
            that fail are demoted all the same.
    """
    changes: list[StateChange] = []
    current: list[WeighedMethod] = []
    for one in weighed:
        lost = _demotions(one)
        changes += lost
        current.append(_restarted(one, {change.gate for change in lost}))
    tried = {
        one.standing.id: one.record.evidence
        for one in current
        if one.has_voted and not one.standing.is_placebo
    }
    bar = graduation_bar(tried.values(), rules.fdr)
    for one in current:
        changes += _promises(one)
    chosen = graduating(
        tried,
        [one.standing.id for one in current if _may_graduate(one, frozen) and _is_told(one)],
        rules.fdr,
    )
    for one in current:
        if one.standing.id in chosen and one.standing.strict_since is None:
            numbers = strict_numbers(one) | {"tried": len(tried), "fdr": rules.fdr}
            reason = f"{_right(one)}; e-value {one.record.evidence:.1f} of {len(tried)} tried"
            changes.append(StateChange(one.standing.id, "graduated", "strict", reason, numbers))
        if _may_graduate(one, frozen) and one.standing.literal_since is None:
            changes += _literal_graduation(one)
    figures = {
        one.standing.id: figures_after(one, rules.in_force, _own_bar(one, tried, bar, rules.fdr))
        for one in current
    }
    among = selected(tried.values(), rules.fdr)
    return GateVerdict(tuple(changes), figures, len(tried), bar, among)


def _own_bar(one: WeighedMethod, tried: Mapping[int, float], bar: float, fdr: float) -> float:
    """Return the e-value that graduates a methodology: its own counts for nothing in it."""
    if one.record.evidence < bar:
        return bar
    others = {method: value for method, value in tried.items() if method != one.standing.id}
    return graduation_bar([*others.values(), 0.0], fdr)


def figures_after(one: WeighedMethod, gate: MethodGate, bar: float) -> MethodFigures:
    """Return the figures of a methodology as they are stored; see `figures_of`."""
    return figures_of(one.record, one.used, one.correct, gate, one.standing.timeframe, bar)


def strict_numbers(one: WeighedMethod) -> dict[str, Any]:
    """Return the numbers on which the strict gate decides."""
    record = one.record
    return {
        "n_eff": record.n_eff,
        "hits": round(record.hits, 6),
        "base": round(record.base, 6),
        "lower": round(record.lower, 6),
        "e_value": round(record.evidence, 6),
        "reverse_bet": round(record.reverse, 6),
    }


def _demotions(one: WeighedMethod) -> list[StateChange]:
    found = []
    standing, record = one.standing, one.record
    if standing.strict_since is not None and is_demoted(record):
        reason = (
            f"no edge is left: the bet on that stands at {record.reverse:.1f}"
            if record.reverse >= LOST_AT
            else f"its lower bound {record.lower:.2f} is below {DEMOTED_BELOW:.2f}"
        )
        found.append(StateChange(standing.id, "demoted", "strict", reason, strict_numbers(one)))
    if standing.literal_since is not None and is_literally_demoted(one.correct, one.used):
        reason = f"right {one.correct} of {one.used}: its lower bound is below {DEMOTED_BELOW:.2f}"
        found.append(StateChange(standing.id, "demoted", "literal", reason, _literal_numbers(one)))
    return found


def _restarted(one: WeighedMethod, lost: Collection[MethodGate]) -> WeighedMethod:
    """Return a methodology whose evidence begins anew in the gates that demoted it."""
    standing = one.standing
    if "strict" in lost:
        standing = replace(standing, strict_since=None, promising_since=None)
        one = replace(one, standing=standing, record=method_record(()))
    if "literal" in lost:
        standing = replace(standing, literal_since=None)
        one = replace(one, standing=standing, used=0, correct=0)
    return one


def _promises(one: WeighedMethod) -> list[StateChange]:
    standing = one.standing
    is_told = _is_told(one) and not standing.is_gone
    if is_told and standing.promising_since is None:
        reason = f"{_right(one)}; e-value {one.record.evidence:.1f}"
        return [StateChange(standing.id, "promising", "strict", reason, strict_numbers(one))]
    if not is_told and standing.promising_since is not None:
        reason = f"{_right(one)}; e-value {one.record.evidence:.1f}"
        return [StateChange(standing.id, "not_promising", "strict", reason, strict_numbers(one))]
    return []


def _is_told(one: WeighedMethod) -> bool:
    return is_promising(one.record)


def _may_graduate(one: WeighedMethod, frozen: Collection[int]) -> bool:
    standing = one.standing
    is_open = not standing.is_gone and not standing.is_placebo and standing.is_clean
    return is_open and standing.id not in frozen


def _literal_graduation(one: WeighedMethod) -> list[StateChange]:
    if not is_literally_graduated(one.correct, one.used):
        return []
    numbers = _literal_numbers(one)
    reason = f"right {one.correct} of {one.used} windows"
    return [StateChange(one.standing.id, "graduated", "literal", reason, numbers)]


def _literal_numbers(one: WeighedMethod) -> dict[str, Any]:
    confidence = literal_confidence(one.correct, one.used)
    return {
        "times_used": one.used,
        "times_correct": one.correct,
        "confidence": round(confidence, 6),
    }


def _right(one: WeighedMethod) -> str:
    record = one.record
    return f"right {record.hits:.1f} of {record.n_eff} stretches, base {record.expected:.1f}"
