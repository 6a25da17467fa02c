"""Declares the command that opens the pages, and the pages of no single area."""

from typing import Final

from afterword.pipeline.core.area import Area, AreaCommand, AreaPage

AREA: Final = Area(
    name="web",
    commands=(
        AreaCommand(
            "open",
            "afterword.pipeline.doors.commands.open_pages:open_pages",
            "Open the pages in a browser, for traders and operators.",
            order=115,
        ),
        AreaCommand(
            "browsers",
            "afterword.pipeline.doors.commands.browsers:app",
            "List and end the browsers that were let in, and see what they did.",
            order=118,
        ),
    ),
    pages=(
        AreaPage(
            "/actions",
            "afterword.pipeline.doors.web.operator.actions:actions",
            "Actions",
            "operator",
            order=290,
            needs_group=False,
        ),
    ),
    settings=("page_idle_s", "page_life_s"),
)
