"""Check the runs of an institution of one group, and whether their ladders are answered."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Final

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.institution import reflection_rows
from afterword.pipeline.operations.doctor.model import Finding, SoundFile

UNANSWERED: Final = timedelta(hours=24)
"""How long a measured window may wait for its answer: its job and the schedule look each quarter
of an hour. An unmeasured one may wait as long for its prices."""


def check_runs(file: SoundFile) -> Iterator[Finding]:
    """Count the runs of one group; there is no finding if it has none."""
    with reading(file.store) as conn:
        numbers = reflection_rows.numbers(conn)
        unmeasured = reflection_rows.count_unmeasured(conn, to_micros(file.now() - UNANSWERED))
    if not numbers.runs:
        return
    subject = f"memory of {file.name}"
    answers = ", ".join(
        f"{number:,} {answer}" for answer, number in sorted(numbers.answers.items())
    )
    said = f"institution runs: {numbers.runs:,}; windows answered: {answers or 'none'}"
    yield Finding(subject, "fine", said)
    if not file.settings.institution_learning_enabled:
        said = "institution runs: captures and answers are off"
        yield Finding(subject, "note", said, "AFTERWORD_INSTITUTION_LEARNING_ENABLED=true")
        return
    if numbers.unanswered is not None and file.now() - numbers.unanswered > UNANSWERED:
        said = "institution runs: measured windows wait for their answer for more than 24 h"
        remedy = (
            "`afterword switch ls` shows reflect_institution; `afterword institution run reflect` "
            "answers them now"
        )
        yield Finding(subject, "note", said, remedy)
    elif unmeasured:
        said = f"institution runs: {unmeasured:,} windows are over for 24 h and have no price"
        yield Finding(subject, "note", said, "afterword prices fetch or import; nothing is guessed")
