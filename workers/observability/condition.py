"""Ask one process of this host whether it is alive and ready."""

import json
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import Any, Final

from afterword.workers.observability.scrape import ScrapeTarget

ANSWERS_WITHIN_S: Final = 5.0
"""A process that does not answer within this time counts as not alive; seconds."""


_LOOPBACK: Final = urllib.request.build_opener(urllib.request.ProxyHandler({}))  # past any proxy


@dataclass(frozen=True, slots=True)
class Condition:
    """The answer of one process.

    Args:
        alive: whether its loops run.
        ready: whether it could run and settle a job now.
        says: why it is not alive or not ready; empty if it is both.
    """

    process: str
    pid: int
    address: str
    alive: bool
    ready: bool
    says: str


def ask(target: ScrapeTarget) -> Condition:
    """Return what a process says of itself; one that does not answer is not alive."""
    try:
        alive = _get(f"http://{target.address}/healthz")
        ready = _get(f"http://{target.address}/readyz")
    except (OSError, ValueError) as error:
        says = f"it does not answer ({getattr(error, 'reason', error)})"
        return Condition(target.process, target.pid, target.address, False, False, says)
    stuck = [f"its loop {loop} is stuck" for loop in alive["stuck"]]
    reasons = [f"{name}: {why}" for name, why in ready["reasons"].items()]
    return Condition(
        target.process,
        target.pid,
        target.address,
        bool(alive["alive"]),
        bool(ready["ready"]),
        "; ".join(stuck + reasons),
    )


def _get(url: str) -> dict[str, Any]:
    try:
        with _LOOPBACK.open(url, timeout=ANSWERS_WITHIN_S) as answer:
            body = answer.read()
    except urllib.error.HTTPError as refused:
        with refused:  # 503 has the reasons in its body
            body = refused.read()
    found: dict[str, Any] = json.loads(body)
    return found
