"""Wait for something to become true, never for time to pass."""

import time
from collections.abc import Callable


def wait_until(condition: Callable[[], object], timeout_s: float = 20.0) -> float:
    """Return the seconds it took until the condition held.

    Raises:
        TimeoutError: it did not hold in time.
    """
    started = time.monotonic()
    while not condition():
        if time.monotonic() - started > timeout_s:
            raise TimeoutError(f"still not true after {timeout_s:g} s")
        time.sleep(0.005)
    return time.monotonic() - started
