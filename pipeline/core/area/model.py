"""All that one room declares, and the parts of all rooms in one order."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol, TypeVar

from afterword.pipeline.core.area.doors import (
    AgentTool,
    AreaAction,
    AreaCommand,
    AreaPage,
    AreaRoute,
    AreaSection,
)
from afterword.pipeline.core.area.jobs import AreaJob, CronLine, SwitchTask
from afterword.pipeline.core.area.metrics import MetricSpec
from afterword.pipeline.core.area.storage import (
    AreaExport,
    AreaLineage,
    AreaTable,
    DoctorCheck,
    DoctorFix,
    ForgetPlace,
)


def load(dotted: str) -> Any:
    """Import and return the object of a dotted name, `package.module:name`.

    Raises:
        ImportError: there is no such module.
        AttributeError: the module has no such name.
    """
    module, _, name = dotted.partition(":")
    return getattr(import_module(module), name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Area:
    """One room's declaration.

    Args:
        name: the name of the room, or the word that operators use for it.
        numbers: dotted names of what reads those of its metrics that are numbers of a group
            (`afterword.pipeline.core.telemetry.numbers.GroupNumbers`), each called with the parts
            of the process that shows them.
        settings: the names of its fields in `afterword.pipeline.settings.Settings`.
    """

    name: str
    tables: tuple[AreaTable, ...] = ()
    jobs: tuple[AreaJob, ...] = ()
    switches: tuple[SwitchTask, ...] = ()
    cron: tuple[CronLine, ...] = ()
    places: tuple[ForgetPlace, ...] = ()
    checks: tuple[DoctorCheck, ...] = ()
    fixes: tuple[DoctorFix, ...] = ()
    sections: tuple[AreaSection, ...] = ()
    lineage: tuple[AreaLineage, ...] = ()
    exports: tuple[AreaExport, ...] = ()
    commands: tuple[AreaCommand, ...] = ()
    routes: tuple[AreaRoute, ...] = ()
    pages: tuple[AreaPage, ...] = ()
    actions: tuple[AreaAction, ...] = ()
    tools: tuple[AgentTool, ...] = ()
    metrics: tuple[MetricSpec, ...] = ()
    numbers: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()


class OrderedPart(Protocol):
    """A part with a place in one list that holds the parts of all areas."""

    @property
    def order(self) -> int:
        """The smallest comes first."""


_Part = TypeVar("_Part", bound=OrderedPart)


def in_order(areas: Iterable[Area], parts: Callable[[Area], Iterable[_Part]]) -> list[_Part]:
    """Return the parts of one type of all areas, the smallest `order` first."""
    every = (part for area in areas for part in parts(area))
    return sorted(every, key=lambda part: part.order)
