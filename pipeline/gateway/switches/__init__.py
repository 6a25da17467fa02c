"""Feature flags of the model tasks: each task is `on`, `off` or in `shadow` mode.

Reading order: `model` (modes and tasks), `switches` (read and set them), `area`, `rows`.

A composition root reads the mode once, when a task begins, and passes the effects to the verb:

    effects = switches.mode("judge_facts").choose(real, shadow=..., off=...)

The verb never reads the mode: it reads its input and writes its results through the effects.
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
