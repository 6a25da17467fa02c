"""What the doctor says of moods."""

from collections.abc import Iterator

from moods import rows

from afterword.pipeline.core.store import reading
from afterword.pipeline.operations.doctor.model import Finding, SoundFile


def check_moods(file: SoundFile) -> Iterator[Finding]:
    """Say how many moods a group has."""
    with reading(file.store) as conn:
        moods = sum(rows.count_moods(conn).values())
    yield Finding(f"moods of {file.name}", "fine", f"{moods} moods")
