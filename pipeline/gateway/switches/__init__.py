"""Feature flags of the model tasks: each task is `on`, `off` or in `shadow` mode.

Reading order: `model` (modes and tasks), `switches` (read and set them), `rows`.

A verb reads its mode once at its start and keeps it until its end:

    mode = switches.mode("judge_facts")
    if not mode.is_enabled: end without effect
    … compute …
    settle(…) if mode.has_effect else record the result only
"""

from typing import TYPE_CHECKING

from afterword.pipeline.exports import on_first_use

if TYPE_CHECKING:
    from afterword.pipeline.gateway.switches.model import Mode, Switch, tasks_of, unset
    from afterword.pipeline.gateway.switches.switches import Switches
else:
    __getattr__ = on_first_use(
        __name__,
        model=("Mode", "Switch", "tasks_of", "unset"),
        switches=("Switches",),
    )

__all__ = ["Mode", "Switch", "Switches", "tasks_of", "unset"]
