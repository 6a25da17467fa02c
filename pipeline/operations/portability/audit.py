"""The line of an imported file in the audit log: what became of it, and under which name."""

import re
from hashlib import sha256
from typing import Final

from afterword.pipeline.core.store import writing
from afterword.pipeline.domain.memory.audit_log import ChangedRow, record
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.operations.portability.model import ImportedFile

_OWN_NAME: Final = re.compile(
    r"data/[a-z_]{1,40}\.jsonl|(methodologies|preferences)/[a-z_0-9]{1,40}/[0-9a-f]{32}\.md"
)
_NAME_CHARS: Final = 16


def audit_file(by: Writer, number: int, file: ImportedFile, *, is_signed: bool) -> None:
    """Write `memory_import.signed` or `memory_import.unsigned` for a file, taken or refused.

    A name that Afterword did not give may hold anything, so a digest stands for it. What differs
    from a file of an export is kept here, for the next export to list.
    """
    name, differs = file.path, dict(file.notes)
    if _OWN_NAME.fullmatch(name) is None:
        name, differs = f"sha256:{sha256(name.encode()).hexdigest()[:_NAME_CHARS]}", {}
    detail = {
        "file": name,
        "outcome": file.outcome,
        "channel": file.channel,
        "new": file.new,
        "known": file.known,
        "refused": file.refused,
        **({"differs": differs} if differs else {}),
    }
    with writing(by.store) as conn:
        touched = ChangedRow(number, by.session, detail)
        # Two literal names: a test finds every action of the audit log in the source.
        if is_signed:
            record(conn, by.clock(), by.actor, "memory_import.signed", "imports", [touched])
        else:
            record(conn, by.clock(), by.actor, "memory_import.unsigned", "imports", [touched])
