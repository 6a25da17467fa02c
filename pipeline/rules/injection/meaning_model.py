"""What `benchmarks.train_injection` wrote of meanings; see `meaning.bin`."""

from typing import Final

MEANING_SHA256: Final = "83a2b8dd69407f3eb948e8a0fb1b76a0bb2aee8cab034d7ba864f59828b3e6e8"

HIDDEN: Final = 512
UNIT: Final = 7.395344566454095e-13
"""What one step of a score is worth, as log odds."""

THRESHOLD: Final = 1.134
"""A text with a higher score is an order."""
