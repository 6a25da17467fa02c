"""Recognise text that gives an agent orders instead of telling it something: `scan_for_injection`.

A smoke alarm: it flags what is written plainly or in a common disguise, and never refuses a text.
Reading order: `scan`, `finding`, `readings` (the text without its disguise), `rule` (how a pattern
is written), then the patterns: `english`, `finance`, `european` (Spanish, German, French),
`russian`, `chinese` and `markers` (tags and turns of a model's chat format).
"""

from afterword.pipeline.rules.injection.finding import FAMILIES, InjectionFinding
from afterword.pipeline.rules.injection.scan import scan_for_injection

__all__ = ["FAMILIES", "InjectionFinding", "scan_for_injection"]
