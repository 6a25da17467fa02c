"""What `benchmarks.train_injection` wrote of meanings; see `meaning.bin`."""

from typing import Final

MEANING_SHA256: Final = "920a9c27a3d1807632caa7ef6e3ef036663f649c235947949b0daaae9a752006"

HIDDEN: Final = 512
UNIT: Final = 1.1602056206289356e-12
"""What one step of a score is worth, as log odds."""

THRESHOLD: Final = 4.034
"""A text with a higher score, of concepts and meaning together, is an order."""
