"""Sources of ids and random numbers: random in production, seeded in replays and tests."""

import os
import random
from collections.abc import Callable

IdSource = Callable[[], str]
"""Returns a new uid at each call."""

RandomSource = Callable[[], float]
"""Returns a number in [0, 1) at each call, for jitter."""


def random_uid() -> str:
    """Return a fresh uid: 32 lower-case hexadecimal digits; for composition roots only."""
    return os.urandom(16).hex()


def seeded_uids(seed: int) -> IdSource:
    """Return a source that gives the same uids in the same order for the same seed."""
    source = random.Random(seed)
    return lambda: f"{source.getrandbits(128):032x}"


system_random: RandomSource = random.random
"""The machine's random source; for composition roots only."""


def seeded_random(seed: int) -> RandomSource:
    """Return a source that gives the same numbers in the same order for the same seed."""
    return random.Random(seed).random
