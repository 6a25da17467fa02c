"""Answer a write of one memory, and say if the same words stood before."""

from afterword.pipeline.domain.memory.model import NewMemory, WrittenMemory
from afterword.pipeline.domain.memory.same_words import same_words_hint
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.output import print_line
from afterword.pipeline.views.flagged import flag_line


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
