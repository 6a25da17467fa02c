"""What may run: each task of a model's is on, off, or in the shadow.

Reading order: `model` (modes and tasks), `switches` (how they are read and set), `tables`, `rows`.

A verb reads its mode once, at its start, and carries it to the end:

    mode = switches.mode("judge_facts")
    if not mode.runs: end without effect
    … compute …
    settle(…) if mode.counts else record what would have been done
"""

from afterword.pipeline.gateway.switches.model import TASKS, Mode, Switch, unset
from afterword.pipeline.gateway.switches.switches import Switches

__all__ = ["TASKS", "Mode", "Switch", "Switches", "unset"]
