"""The material of a judge: what it sees of a case as JSON, for a prompt and for the record."""

import json
from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any, Final

from afterword.pipeline.clock import iso
from afterword.pipeline.domain.decisions.frozen_context import FrozenJson
from afterword.pipeline.domain.decisions.judge_evidence import freeze_evidence
from afterword.pipeline.domain.memory.flags import shown
from afterword.pipeline.domain.outcomes.tools import Evidence
from afterword.pipeline.domain.reflection.case import Case
from afterword.pipeline.domain.reflection.judge import JudgeOpinion
from afterword.pipeline.rules.masking import mask
from afterword.pipeline.rules.text.line import one_line

VERSION: Final = 1
"""Version of the form in which evidence is stored."""


MOST_CONTEXT: Final = 24_000
"""Characters of a frozen context shown to a model: its beginning and its end."""

_CUT: Final = " [...] "

_LEFT_OUT: Final = frozenset({"subject_kind", "subject_id", "known_at"})


def evidence_of(case: Case, opinion: JudgeOpinion, judge: str) -> FrozenJson:
    """Return what a judge saw of a case when it gave its opinion.

    A frozen context stands there by its digest, under which it is stored. Texts of sources and of
    the model's prompts are masked; everything else was masked when it was recorded.

    Args:
        judge: its name.
    """
    decision, probe = case.decision, case.role.reflection_policy.outcome_probe
    seen: dict[str, Any] = {
        "version": VERSION,
        "judge": judge,
        "role": {"id": case.role.id, "probe": probe.kind, "failures": case.role.failure_modes},
        "decision": {
            "uid": decision.uid,
            "decided_at": iso(decision.decided_at),
            "asset": decision.asset,
            "direction": decision.direction,
            "confidence": decision.confidence,
            "decision": decision.decision,
            "inputs": decision.inputs,
            "context": decision.context_hash,
        },
        "measured": case.measured,
        "outcome": _numbers(case),
        "record": None if case.standing is None else case.standing.numbers,
        "known": items(case.known),
        "later": items(case.later),
        "failed": [
            {"source": failure.source, "problem": failure.problem} for failure in case.failed
        ],
        "lessons": [{"decision": lesson.uid, "text": lesson.text} for lesson in case.lessons],
    }
    if opinion.asked:
        seen["asked"] = dict(opinion.asked)
    return freeze_evidence(seen)


def items(evidence: tuple[Evidence, ...]) -> list[dict[str, str]]:
    """Return items of evidence as JSON, each text safe for a prompt."""
    return [
        {"source": item.source, "known_at": iso(item.known_at), "text": prompt_text(item.text)}
        for item in evidence
    ]


def prompt_json(material: Mapping[str, Any], allowed: Collection[str] = ()) -> str:
    """Return material as JSON for a prompt: every text in it masked, without fences or labels.

    A text that reads like an order is withheld.

    Args:
        allowed: texts that are shown in any case, since their row has no flag.
    """
    return json.dumps(_safe(material, allowed), ensure_ascii=False, indent=1)


def prompt_text(text: str, allowed: Collection[str] = ()) -> str:
    """Return a text for a prompt as `prompt_json` does, on one line."""
    line = one_line(mask(text))
    return line if text in allowed else shown(line)


def shortened(context: Any) -> Any:
    """Return a context, or its beginning and end as text if it is too long for a prompt."""
    text = json.dumps(context, ensure_ascii=False)
    if len(text) <= MOST_CONTEXT:
        return context
    half = (MOST_CONTEXT - len(_CUT)) // 2
    return text[:half] + _CUT + text[-half:]


def _safe(value: Any, allowed: Collection[str]) -> Any:
    """Return a value with every text in it, names too, masked and safe for a prompt."""
    match value:
        case str():
            return _safe_lines(value) if value in allowed else shown(_safe_lines(value))
        case Mapping():
            return {_safe_name(name, allowed): _safe(part, allowed) for name, part in value.items()}
        case list():
            return [_safe(part, allowed) for part in value]
    return value


def _safe_name(name: str, allowed: Collection[str]) -> str:
    return _safe_lines(name) if name in allowed else _shown_name(name)


@lru_cache(maxsize=512)  # most names stand in every question
def _shown_name(name: str) -> str:
    return shown(_safe_lines(name))


def _safe_lines(text: str) -> str:
    return "\n".join(one_line(line, MOST_CONTEXT) for line in mask(text).splitlines())


def _numbers(case: Case) -> dict[str, Any]:
    """Return the stored outcome by name, without row numbers and the moment of measuring."""
    numbers = {} if case.outcome is None else case.outcome._asdict()
    return {
        name: value
        for name, value in numbers.items()
        if value is not None and name not in _LEFT_OUT
    }
