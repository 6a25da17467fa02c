"""What is said of a text that reads like an order to the agent."""

from collections.abc import Sequence

from afterword.pipeline.domain.memory.model import Memory


def flag_line(subject: str, name: str, families: Sequence[str]) -> str:
    """Return what a flag of a text means, and how its owner clears it."""
    return (
        f"{subject} reads like an order to the agent ({', '.join(families)}) and is flagged: it is "
        f"found by its words, and left out of prompts until `afterword memory unflag {name}`"
    )


def flagged_count(number: int) -> str:
    """Return the end of a line that says how many texts were flagged; empty for none."""
    if not number:
        return ""
    return f"; {number:,} read like orders to the agent: see `afterword memory flagged`"


def marked_text(memory: Memory) -> str:
    """Return the text of a memory, behind a mark if it is flagged."""
    mark = f"(flagged: {', '.join(memory.flagged)}) " if memory.flagged else ""
    return mark + memory.content
