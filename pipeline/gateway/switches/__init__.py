"""What may run: each task of a model's is on, off, or in the shadow.

Reading order: `model` (modes and tasks), `switches` (how they are read and set), `tables`, `rows`.

A composition root reads the mode once, when a task begins, and hands the verb its effects:

    effects = switches.mode("judge_facts").choose(real, shadow=..., off=...)

The verb never asks for the mode: it reads what waits and writes what was decided through them.
"""

from afterword.pipeline.gateway.switches.model import TASKS, Mode, Switch, unset
from afterword.pipeline.gateway.switches.switches import Switches

__all__ = ["TASKS", "Mode", "Switch", "Switches", "unset"]
