"""What may run: each task of a model's is on, off, or in the shadow.

Reading order: `model` (modes and tasks), `switches` (how they are read and set), `rows`.

A composition root reads the mode once, when a task begins, and hands the verb its effects:

    effects = switches.mode("judge_facts").choose(real, shadow=..., off=...)

The verb never asks for the mode: it reads what waits and writes what was decided through them.
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
