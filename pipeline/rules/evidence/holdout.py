"""The draw that leaves a lesson out of some prompts: what makes "it helped" an experiment."""

from hashlib import sha256
from typing import Final

MILLION: Final = 1_000_000
"""Parts of a share."""


def is_left_out(share_ppm: int, occasion: str, lesson: str) -> bool:
    """Return whether a prompt goes without a lesson; asked again, the answer is the same.

    Args:
        share_ppm: the share of prompts that go without it; millionths, 0 to 1,000,000.
        occasion: names the decision that the prompt is for.
        lesson: names the lesson. Each is drawn by itself.
    """
    drawn = int.from_bytes(sha256(f"{occasion}\n{lesson}".encode()).digest()[:8])
    return drawn * MILLION < share_ppm << 64
