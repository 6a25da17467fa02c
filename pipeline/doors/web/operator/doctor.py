"""What the doctor finds."""

from afterword.pipeline.clock import monotonic
from afterword.pipeline.doors.web.caller import PageCaller
from afterword.pipeline.doors.web.model import PageContent
from afterword.pipeline.operations.doctor.examine import examine
from afterword.pipeline.views.blocks import Fields, View
from afterword.pipeline.views.cells import Ref
from afterword.pipeline.views.operator.doctor import finding_list


def doctor(by: PageCaller) -> PageContent:
    """Return what was checked, and what to do where it is not fine."""
    parts = by.parts
    found = finding_list(list(examine(by.settings, parts.clock, monotonic, parts.ids)))
    way = Ref("Count what can be repaired", "repairs")
    return PageContent([found, View([Fields({"repairs": way})])])
