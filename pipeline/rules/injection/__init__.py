"""Recognise text that gives an agent orders instead of telling it something: `scan_for_injection`.

A smoke alarm: it flags what is written plainly or in a common disguise, and never refuses a text.
Reading order: `scan`, `finding`, `readings` (the text without its disguise), `rule` (how a pattern
is written), then the patterns: `english`, `finance`, `european` (Spanish, German, French),
`russian`, `chinese` and `markers` (tags and turns of a model's chat format); beside them the learned
arm, a linear model over concepts: `learned`, `weights`, `learned_model`, `concepts`, `languages` and
`lexicon`, with `meaning` and `meaning_model` (what a small language model says of a text); and `records` (what JSON says).
"""

from functools import cache
from typing import Protocol

from afterword.pipeline.rules.injection.finding import InjectionFinding

__all__ = ["InjectionFinding", "scan_for_injection"]


def scan_for_injection(text: str, *, by_meaning: bool = True) -> tuple[InjectionFinding, ...]:
    """Return the reasons to take a text for orders to the agent; empty if there are none.

    A smoke alarm: it finds plain injections and common disguises, and misses subtle ones. The caller
    keeps the text in quarantine or flags it, and never relies on an empty answer.

    Args:
        by_meaning: whether the local model is asked what a suspicious text means: 10 to 50 ms each.
    """
    return _scan()(text, by_meaning=by_meaning)


class _Scan(Protocol):
    def __call__(self, text: str, *, by_meaning: bool) -> tuple[InjectionFinding, ...]: ...


@cache
def _scan() -> _Scan:
    # Imported here: it makes hundreds of patterns, for which the start of an agent does not wait.
    from afterword.pipeline.rules.injection.scan import scan

    return scan
