"""What may run: each task of a model's is on, off, or in the shadow.

Reading order: `model` (modes and tasks), `switches` (how they are read and set), `rows`.

A verb reads its mode once, at its start, and carries it to the end:

    mode = switches.mode("judge_facts")
    if not mode.runs: end without effect
    … compute …
    settle(…) if mode.counts else record what would have been done
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
