"""What rebuilds work with."""

from collections.abc import Callable
from dataclasses import dataclass

from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.gateway.llm import Llm
from afterword.pipeline.gateway.switches import Mode
from afterword.pipeline.settings import Settings


@dataclass(frozen=True, slots=True)
class RebuildParts:
    """What rebuilds work with.

    Args:
        by: the system, and the store of the group.
        llm: the model that words what was computed; None for templates only.
        mode: of the switch of a task, by its name.
    """

    by: Writer
    settings: Settings
    llm: Llm | None
    mode: Callable[[str], Mode]
