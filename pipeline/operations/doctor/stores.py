"""Check that each file is sound and that its write-ahead log is not too large."""

from collections.abc import Iterator
from typing import Final

from afterword.pipeline.core.store.check import FileCheck
from afterword.pipeline.core.store.upgrade import copies_before_upgrade
from afterword.pipeline.operations.doctor.model import Finding

LARGEST_LOG_BYTES: Final = 64 * 1024 * 1024
"""Four times the size to which a log is shortened; a reader keeps a larger log open; bytes."""


def examine_store(checked: FileCheck) -> Iterator[Finding]:
    """Return the findings of one checked file."""
    subject = checked.name if checked.kind == "instance" else f"group {checked.name}"
    for problem in checked.problems:
        yield Finding(subject, "wrong", problem)
    if checked.problems:
        return
    said = f"sound, schema {checked.schema}, {checked.size / 1e6:.1f} MB"
    if checked.schema != checked.newest:
        said += f"; its next use upgrades it to schema {checked.newest}"
    for copy in copies_before_upgrade(checked.path):
        said += (
            f"; {copy.name} is a copy from before an upgrade, {copy.stat().st_size / 1e6:.1f} MB"
        )
    yield Finding(subject, "fine", said)
    if checked.wal_bytes > LARGEST_LOG_BYTES:
        yield Finding(
            subject,
            "wrong",
            f"its write-ahead log has {checked.wal_bytes / 1e6:.0f} MB",
            "a reader keeps it open: restart the workers and agents that use this group",
        )
