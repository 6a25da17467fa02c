"""The injection scan of a methodology: every text that a prompt could show."""

from collections.abc import Mapping, Sequence
from typing import Any

from afterword.pipeline.domain.methodologies.checks import CheckedMethodology
from afterword.pipeline.rules.injection import scan_for_injection


def scan_methodology_for_injection(new: CheckedMethodology) -> Sequence[Mapping[str, Any]]:
    """Return the payloads found in a methodology, as they are stored (R5).

    Returns:
        For each its family as `kind`, and the `field` it stands in; without its text, which would
        be one more copy to forget.
    """
    plan = [
        text
        for phase in new.phases
        for text in (phase.name, *phase.criteria, *phase.tools_used)
        if text
    ]
    texts = {
        "name": new.name,
        "methodology": new.methodology,
        "evidence": new.evidence,
        "phases": "\n".join(plan),
    }
    payloads = [
        (payload.family, field)
        for field, text in texts.items()
        if text
        for payload in scan_for_injection(text)
    ]
    return [{"kind": kind, "field": field} for kind, field in dict.fromkeys(payloads)]
