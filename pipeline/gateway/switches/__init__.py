"""Feature flags of the model tasks: each task is `on`, `off` or in `shadow` mode.

Reading order: `model` (modes and tasks), `switches` (read and set them), `tables`, `rows`.

A verb reads its mode once at its start and keeps it until its end:

    mode = switches.mode("judge_facts")
    if not mode.is_enabled: end without effect
    … compute …
    settle(…) if mode.has_effect else record the result only
"""

from afterword.pipeline.gateway.switches.model import TASKS, Mode, Switch, unset
from afterword.pipeline.gateway.switches.switches import Switches

__all__ = ["TASKS", "Mode", "Switch", "Switches", "unset"]
