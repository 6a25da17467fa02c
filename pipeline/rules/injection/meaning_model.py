"""What `benchmarks.train_injection` wrote of meanings; see `meaning.bin`."""

from typing import Final

MEANING_SHA256: Final = "4f66c5c79b2825fb6fa622390e69e36ddbbefaedd872decdb2bbf9563c79d5ed"

HIDDEN: Final = 512
UNIT: Final = 1.3385018468660845e-12
"""What one step of a score is worth, as log odds."""

THRESHOLD: Final = 4.150
"""A text with a higher score, of concepts and meaning together, is an order."""
