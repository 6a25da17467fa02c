"""The profile: named facts of the user."""

from collections.abc import Mapping

from afterword.pipeline.domain.memory.flags import Flag
from afterword.pipeline.views.blocks import Block, Paragraph, Table, View
from afterword.pipeline.views.flagged import flag_line


def profile_value_set(name: str, flag: Flag | None) -> View:
    """Return that a value was set.

    Args:
        flag: what it got because it reads like an order to the agent; None for most.
    """
    blocks: list[Block] = [Paragraph(f"{name} is set")]
    if flag is not None:
        blocks.append(Paragraph(flag_line(name, flag.name, flag.families)))
    return View(blocks)


def profile_list(values: Mapping[str, str]) -> View:
    """Return the values by name."""
    return View([Table(("key", "value"), list(values.items()), "the profile is empty")])


def profile_value_dropped(name: str) -> View:
    """Return that a value ended."""
    return View([Paragraph(f"{name} is dropped")])
