"""The types in which a room declares itself: frozen plain data, and names to load later.

Each room with tables, jobs, settings, metrics, commands or tools has an `area.py` with one `Area`;
it imports this package only. `afterword.pipeline.areas` has the tuple of all areas, and every list
of the program (commands, routes, schedule, doctor, …) is a loop over it.

Code that is loaded later is given as a dotted name, `package.module:name`. Parts of different areas
in one list stand by their numbers: the smallest first. The parts are named tuples, since
dataclasses would double the time that they take at start.

Reading order: `storage` (what it keeps), `jobs` (its work), `doors` (its callers), `metrics`, and
`model` (a room as a whole).
"""

from afterword.pipeline.core.area.doors import (
    ADDS,
    READS,
    AgentTool,
    AreaAction,
    AreaCommand,
    AreaPage,
    AreaRoute,
    AreaSection,
    RouteMethod,
    SitePart,
    ToolEffect,
)
from afterword.pipeline.core.area.jobs import (
    AreaJob,
    AreaStep,
    CronLine,
    Kind,
    Misfire,
    Overlap,
    SwitchTask,
)
from afterword.pipeline.core.area.metrics import (
    RUN_S,
    MetricEvent,
    MetricSpec,
    MetricType,
    counter,
    gauge,
    seconds,
)
from afterword.pipeline.core.area.model import Area, OrderedPart, in_order, load
from afterword.pipeline.core.area.storage import (
    AreaExport,
    AreaLineage,
    AreaTable,
    DoctorCheck,
    DoctorFix,
    DoctorScope,
    ExportTrust,
    ForgetPlace,
)

__all__ = [
    "ADDS",
    "READS",
    "RUN_S",
    "AgentTool",
    "Area",
    "AreaAction",
    "AreaCommand",
    "AreaExport",
    "AreaJob",
    "AreaLineage",
    "AreaPage",
    "AreaRoute",
    "AreaSection",
    "AreaStep",
    "AreaTable",
    "CronLine",
    "DoctorCheck",
    "DoctorFix",
    "DoctorScope",
    "ExportTrust",
    "ForgetPlace",
    "Kind",
    "MetricEvent",
    "MetricSpec",
    "MetricType",
    "Misfire",
    "OrderedPart",
    "Overlap",
    "RouteMethod",
    "SitePart",
    "SwitchTask",
    "ToolEffect",
    "counter",
    "gauge",
    "in_order",
    "load",
    "seconds",
]
