"""How each model task runs, what changed that, and one switch to set."""

from typing import Literal

from afterword.pipeline.areas import all_areas
from afterword.pipeline.doors.web.caller import PageCaller
from afterword.pipeline.doors.web.model import ActionAnswer, PageContent, PageField, PageForm
from afterword.pipeline.errors import NotFoundError
from afterword.pipeline.gateway.switches import Mode, Switches, tasks_of
from afterword.pipeline.views.operator.switches import switch_changes, switch_list, switch_set

_CHANGES = 50


def switches(by: PageCaller) -> PageContent:
    """Return every switch, and the last changes."""
    switches = _switches(by)
    listed = switch_list(switches.all(), by.now())
    return PageContent([listed, switch_changes(switches.changes(_CHANGES), by.now())])


def switch(by: PageCaller, task: str) -> PageContent:
    """Return one switch, and the form that sets it."""
    known = [one for one in _switches(by).all() if one.task == task]
    if not known:
        raise NotFoundError("no task of this name has a switch")
    mode = known[0].mode.value
    choices = [(choice.value, choice.value) for choice in Mode]
    fields = [
        PageField("mode", "Mode", "select", mode, choices),
        PageField("note", "Reason", most=500),
    ]
    form = PageForm(f"/switches/{task}", "Set the mode", fields, {"shown": mode})
    return PageContent([switch_list(known, by.now()), form], title=task)


def set_switch(
    by: PageCaller, task: str, mode: Literal["on", "off", "shadow"], shown: str, note: str = ""
) -> ActionAnswer:
    """Set how a task runs from now on, if it is still as it was shown."""
    _switches(by).set(task, Mode(mode), note, shown=shown)
    return ActionAnswer(switch_set(task, Mode(mode)), f"/switches/{task}")


def _switches(by: PageCaller) -> Switches:
    return Switches(by.parts.stores.instance, by.parts.clock, tasks_of(all_areas()))
