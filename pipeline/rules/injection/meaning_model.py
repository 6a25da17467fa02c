"""What `benchmarks.train_injection` wrote of meanings; see `meaning.bin`."""

from typing import Final

MEANING_SHA256: Final = "8bd05c1743b8430fcf60fcf456298a817cb70688d697612e7004b89eb646dd65"

HIDDEN: Final = 512
UNIT: Final = 1.3135828655082252e-12
"""What one step of a score is worth, as log odds."""

THRESHOLD: Final = 4.027
"""A text with a higher score, of concepts and meaning together, is an order."""
