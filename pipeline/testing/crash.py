"""Die at a named moment: the events the program tells are the places a test can kill it at."""

import os
import signal
from typing import Any

from afterword.pipeline.core.telemetry import listen


def die_at(point: str) -> None:
    """Kill this process, as `kill -9` would, when an event is told.

    Args:
        point: an event's name, such as `jobs.leased`; `name:3` waits for the third one.
    """
    name, _, number = point.partition(":")
    left = [int(number or 1)]

    def fall(action: str, _facts: dict[str, Any]) -> None:
        if action == name:
            left[0] -= 1
            if left[0] == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    listen(fall)
