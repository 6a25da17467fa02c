"""What `benchmarks.train_injection` wrote of meanings; see `meaning.bin`."""

from typing import Final

MEANING_SHA256: Final = "2ad84ed44bffada909bc069557223c976709a5aa0621379d15712a67dd3eba27"

HIDDEN: Final = 512
UNIT: Final = 3.47005611241715e-13
"""What one step of a score is worth, as log odds."""

THRESHOLD: Final = 0.722
"""A text with a higher score is an order."""
