"""What a room declares for its callers: commands, routes, pages, actions and tools."""

from typing import Final, Literal, NamedTuple

RouteMethod = Literal["GET", "POST", "PATCH", "PUT", "DELETE"]
SitePart = Literal["trades", "memory", "operator", ""]
"""The parts of the navigation of the site, in their order."""


class AreaSection(NamedTuple):
    """A part of the page about an asset.

    Args:
        section: dotted name of a `PageSection`.
    """

    section: str
    order: int


class AreaCommand(NamedTuple):
    """A command of `afterword`.

    Args:
        command: dotted name of its function, or of its group of commands.
        help: its line in the list of commands.
    """

    name: str
    command: str
    help: str
    order: int


class AreaRoute(NamedTuple):
    """A route of the network door.

    Args:
        path: with the names of its parts in braces, such as `/v1/memory/{memory}`.
        handler: dotted name of its function in `afterword.pipeline.doors.http.routes`.
        callers: the roles of tokens that may call it; separated by blanks.
    """

    method: RouteMethod
    path: str
    handler: str
    callers: str


class AreaPage(NamedTuple):
    """A page of the site in the browser.

    Args:
        path: with the names of its parts in braces, such as `/jobs/{job}`.
        handler: dotted name of a function that returns a `PageContent`
            (`afterword.pipeline.doors.web.model`). Its first argument is the `PageCaller`; the
            others are the parts of the path and what the address asks for, by name.
        title: in the navigation, and above the page unless it says another one.
        section: the part of the navigation that lists it; empty for a page that others link to.
        order: among the pages of all areas.
        callers: the roles that may see it; separated by blanks.
        shows: the kind of thing whose page it is, as a `Ref` of a view calls it; empty for none.
        needs_group: whether it shows what a group has; such a page says how to begin while nothing
            was ever written there.
    """

    path: str
    handler: str
    title: str
    section: SitePart
    order: int
    callers: str = "owner observer"
    shows: str = ""
    needs_group: bool = True


class AreaAction(NamedTuple):
    """What a form of a page does.

    Args:
        path: to which the form is sent, such as `/jobs/{job}/retry`.
        handler: dotted name of a function that returns a `ActionAnswer`
            (`afterword.pipeline.doors.web.model`). Its first argument is the `PageCaller`; the
            others are the parts of the path and the fields of the form, by name.
        callers: the roles that may do it; separated by blanks.
    """

    path: str
    handler: str
    callers: str = "owner"


class ToolEffect(NamedTuple):
    """What one tool does to what is remembered, as a client tells its user before a call.

    Args:
        writes: whether it changes anything.
        replaces: whether it may change, replace or hide what was there before.
        repeats: whether a second call with the same arguments adds something again.
    """

    writes: bool
    replaces: bool = False
    repeats: bool = False


READS: Final = ToolEffect(writes=False)
"""The effect of a tool that only reads."""
ADDS: Final = ToolEffect(writes=True, repeats=True)
"""The effect of a tool that adds something with each call."""


class AgentTool(NamedTuple):
    """A tool that a model may call.

    Args:
        tool: dotted name of its function.
        effect: a test runs each tool and compares the tables before and after.
    """

    name: str
    tool: str
    effect: ToolEffect
    order: int
