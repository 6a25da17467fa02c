"""Wait for a condition, never for a fixed time."""

import time
from collections.abc import Callable


def wait_until(condition: Callable[[], object], timeout_s: float = 20.0) -> float:
    """Return the seconds until the condition was true.

    Raises:
        TimeoutError: it did not become true in time.
    """
    started = time.monotonic()
    while not condition():
        if time.monotonic() - started > timeout_s:
            raise TimeoutError(f"still not true after {timeout_s:g} s")
        time.sleep(0.005)
    return time.monotonic() - started
