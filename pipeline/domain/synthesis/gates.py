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
    for method in weighed:
        lost = _demotions(method)
        changes += lost
        current.append(_restarted(method, {change.gate for change in lost}))
    tried = {
        method.standing.id: method.record.evidence
        for method in current
        if method.has_voted and not method.standing.is_placebo
    }
    bar = graduation_bar(tried.values(), rules.fdr)
    for method in current:
        changes += _promises(method)
    chosen = graduating(
        tried,
        [
            method.standing.id
            for method in current
            if _may_graduate(method, frozen) and _is_told(method)
        ],
        rules.fdr,
    )
    for method in current:
        if method.standing.id in chosen and method.standing.strict_since is None:
            numbers = strict_numbers(method) | {"tried": len(tried), "fdr": rules.fdr}
            reason = f"{_right(method)}; e-value {method.record.evidence:.1f} of {len(tried)} tried"
            changes.append(StateChange(method.standing.id, "graduated", "strict", reason, numbers))
        if _may_graduate(method, frozen) and method.standing.literal_since is None:
            changes += _literal_graduation(method)
    figures = {
        method.standing.id: figures_after(
            method, rules.in_force, _own_bar(method, tried, bar, rules.fdr)
        )
        for method in current
    }
    among = selected(tried.values(), rules.fdr)
    return GateVerdict(tuple(changes), figures, len(tried), bar, among)


def _own_bar(method: WeighedMethod, tried: Mapping[int, float], bar: float, fdr: float) -> float:
    """Return the e-value that graduates a methodology: its own counts for nothing in it."""
    if method.record.evidence < bar:
        return bar
    others = {row_id: value for row_id, value in tried.items() if row_id != method.standing.id}
    return graduation_bar([*others.values(), 0.0], fdr)


def figures_after(method: WeighedMethod, gate: MethodGate, bar: float) -> MethodFigures:
    """Return the figures of a methodology as they are stored; see `figures_of`."""
    return figures_of(
        method.record, method.used, method.correct, gate, method.standing.timeframe, bar
    )


def strict_numbers(method: WeighedMethod) -> dict[str, Any]:
    """Return the numbers on which the strict gate decides."""
    record = method.record
    return {
        "n_eff": record.n_eff,
        "hits": round(record.hits, 6),
        "base": round(record.base, 6),
        "lower": round(record.lower, 6),
        "e_value": round(record.evidence, 6),
        "reverse_bet": round(record.reverse, 6),
    }


def _demotions(method: WeighedMethod) -> list[StateChange]:
    changes = []
    standing, record = method.standing, method.record
    if standing.strict_since is not None and is_demoted(record):
        reason = (
            f"no edge is left: the bet on that stands at {record.reverse:.1f}"
            if record.reverse >= LOST_AT
            else f"its lower bound {record.lower:.2f} is below {DEMOTED_BELOW:.2f}"
        )
        changes.append(
            StateChange(standing.id, "demoted", "strict", reason, strict_numbers(method))
        )
    if standing.literal_since is not None and is_literally_demoted(method.correct, method.used):
        reason = (
            f"right {method.correct} of {method.used}: its lower bound is below {DEMOTED_BELOW:.2f}"
        )
        changes.append(
            StateChange(standing.id, "demoted", "literal", reason, _literal_numbers(method))
        )
    return changes


def _restarted(method: WeighedMethod, lost: Collection[MethodGate]) -> WeighedMethod:
    """Return a methodology whose evidence begins anew in the gates that demoted it."""
    standing = method.standing
    if "strict" in lost:
        standing = replace(standing, strict_since=None, promising_since=None)
        method = replace(method, standing=standing, record=method_record(()))
    if "literal" in lost:
        standing = replace(standing, literal_since=None)
        method = replace(method, standing=standing, used=0, correct=0)
    return method


def _promises(method: WeighedMethod) -> list[StateChange]:
    standing = method.standing
    is_told = _is_told(method) and not standing.is_gone
    if is_told and standing.promising_since is None:
        reason = f"{_right(method)}; e-value {method.record.evidence:.1f}"
        return [StateChange(standing.id, "promising", "strict", reason, strict_numbers(method))]
    if not is_told and standing.promising_since is not None:
        reason = f"{_right(method)}; e-value {method.record.evidence:.1f}"
        return [StateChange(standing.id, "not_promising", "strict", reason, strict_numbers(method))]
    return []


def _is_told(method: WeighedMethod) -> bool:
    return is_promising(method.record)


def _may_graduate(method: WeighedMethod, frozen: Collection[int]) -> bool:
    standing = method.standing
    is_open = not standing.is_gone and not standing.is_placebo and standing.is_clean
    return is_open and standing.id not in frozen


def _literal_graduation(method: WeighedMethod) -> list[StateChange]:
    if not is_literally_graduated(method.correct, method.used):
        return []
    numbers = _literal_numbers(method)
    reason = f"right {method.correct} of {method.used} windows"
    return [StateChange(method.standing.id, "graduated", "literal", reason, numbers)]


def _literal_numbers(method: WeighedMethod) -> dict[str, Any]:
    confidence = literal_confidence(method.correct, method.used)
    return {
        "times_used": method.used,
        "times_correct": method.correct,
        "confidence": round(confidence, 6),
    }


def _right(method: WeighedMethod) -> str:
    record = method.record
    return f"right {record.hits:.1f} of {record.n_eff} stretches, base {record.expected:.1f}"
