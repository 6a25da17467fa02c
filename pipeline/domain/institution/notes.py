"""What a person says of a run: a snapshot that feeds nothing, and that no prompt is told."""

import hashlib
from typing import Final

from afterword.pipeline.core.store import writing
from afterword.pipeline.domain.institution import reflection_rows
from afterword.pipeline.domain.institution.read import find_run
from afterword.pipeline.domain.memory.audit_log import ChangedRow
from afterword.pipeline.domain.memory.audit_log import record as audit
from afterword.pipeline.domain.memory.checks import check_text
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.rules.masking import mask

MAX_NOTE: Final = 4_000
"""Characters of a note."""


def note_run(by: Writer, key: str, note: str) -> bool:
    """Keep what somebody says of a run; False if the same was said before.

    Args:
        key: the id of the run, or its number.

    Raises:
        InvalidInputError: the note is blank or too long.
        NotFoundError: there is no such run.
        UnavailableError: the store cannot be written now.
    """
    check_text(note, MAX_NOTE, "note")
    text = mask(note)
    with writing(by.store) as conn:
        now = by.clock()
        run = find_run(conn, key, now)
        digest = hashlib.sha256(text.encode()).hexdigest()
        is_new = reflection_rows.keep_note(conn, run.id, "manual", text, digest, now)
        touched = [ChangedRow(run.id, by.session)] if is_new else []
        audit(conn, now, by.actor, "institution.note", "institution_runs", touched)
    return is_new
