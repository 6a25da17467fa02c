"""Answer a write of one memory, and say if the same words stood before."""

from collections.abc import Sequence

from afterword.pipeline.domain.memory.model import NewMemory, WrittenMemory
from afterword.pipeline.domain.memory.same_words import same_words_hint
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.output import print_line


def answer_written(call: Call, written: WrittenMemory, new: NewMemory, line: str) -> None:
    """Print the ids of a memory just written, and what became of a rule with the same words.

    Args:
        line: the answer as text.
    """
    call.answer(written, lambda: _print(line, written, new))


def _print(line: str, written: WrittenMemory, new: NewMemory) -> None:
    print_line(line)
    if written.flagged:
        print_line(flag_line(f"memory {written.id}", str(written.id), written.flagged))
    if written.same_as is not None:
        print_line(same_words_hint(new.category, written.same_as))


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
