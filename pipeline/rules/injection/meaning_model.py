"""What `benchmarks.train_injection` wrote of meanings; see `meaning.bin`."""

from typing import Final

MEANING_SHA256: Final = "cda97bcc9122f1dbe70c969cffd5b18d3d70f0049489a130756ac83fdcc7a705"

HIDDEN: Final = 512
UNIT: Final = 6.94186381481689e-13
"""What one step of a score is worth, as log odds."""

THRESHOLD: Final = 1.103
"""A text with a higher score is an order."""
