"""`afterword health`: ask the processes of this host or container whether they are alive."""

import json
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final

import typer

from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.output import print_table
from afterword.pipeline.errors import UnavailableError
from afterword.workers.observability.scrape import (
    ScrapeTarget,
    pid_namespace,
    scrape_folder,
    targets,
)

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


def health(ctx: typer.Context) -> None:
    """Ask this host's processes whether they are alive and ready; exit 1 if one is not alive.

    Example: afterword health
    """
    call = Call(ctx)
    here = pid_namespace()
    folder = scrape_folder(call.settings)
    asked = [one for one in targets(folder) if one.pid_namespace == here]
    if not asked:
        raise UnavailableError(
            f"no process of this host is listed in {folder}; start one, with "
            "AFTERWORD_METRICS_PORT above 0"
        )
    with ThreadPoolExecutor(len(asked)) as pool:
        found = list(pool.map(_ask, asked))
    rows = [
        [one.process, str(one.pid), one.address, _word(one.alive), _word(one.ready), one.says]
        for one in found
    ]
    columns = ("process", "pid", "address", "alive", "ready", "why not")
    call.answer(found, lambda: print_table(columns, rows))
    if not all(one.alive for one in found):
        raise typer.Exit(1)


def _ask(target: ScrapeTarget) -> Condition:
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


def _word(yes: bool) -> str:
    return "yes" if yes else "no"
