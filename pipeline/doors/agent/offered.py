"""The tools that a client is offered: each costs its model the description."""

from typing import Final, Literal

from afterword.pipeline.doors.agent.call import TOOLS

SERVER_NAME: Final = "afterword"
"""Our name in every client. One large client has a server `memory` of its own, which hides others
of that name."""

Choice = Literal["usual", "all"]

USUAL_TOOLS: Final = (
    "memory_store",
    "memory_write",
    "memory_search",
    "memory_brief",
    "memory_delete",
    "memory_compiled_page",
    # A client starts with no text of ours: without it the model does not know whom it helps.
    "personalization_snapshot",
    "role_record",
    "role_recall",
)
"""Tools that are offered unless a setting asks for all: each costs the model its description."""


def offered(choice: Choice) -> tuple[str, ...]:
    """Return the names of the tools that a client is offered."""
    return USUAL_TOOLS if choice == "usual" else tuple(TOOLS)
