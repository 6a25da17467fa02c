"""Kill this process at a named event, so that a test can stop it at any point."""

import os
import signal
from typing import Any

from afterword.pipeline.core.telemetry import listen


def die_at(point: str) -> None:
    """Kill this process, as `kill -9` would, when an event is emitted.

    Args:
        point: name of an event, such as `jobs.leased`; `name:3` waits for its third occurrence.
    """
    name, _, number = point.partition(":")
    left = [int(number or 1)]

    def fall(action: str, _facts: dict[str, Any]) -> None:
        if action == name:
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    listen(fall)
