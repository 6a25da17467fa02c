"""Check the preferences of a group; the doctor activates none (R1)."""

from collections.abc import Iterator

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.preferences.read import known_preferences
from afterword.pipeline.operations.doctor.model import Finding, SoundFile

_SEE = "`afterword preference ls` shows them"


def check_preferences(file: SoundFile) -> Iterator[Finding]:
    """Count preferences, and name what waits for the owner or is broken by what is done."""
    subject = f"preferences of {file.name}"
    with reading(file.store) as conn:
        known = known_preferences(conn, None)
    if not known:
        return
    active = [one for one in known if one.preference.state == "active"]
    proposed = [one for one in known if one.preference.state == "proposed"]
    yield Finding(subject, "fine", f"{len(active)} active, {len(proposed)} proposed")
    if waiting := sum(one.preference.is_hard for one in proposed):
        are = "hard constraint waits" if waiting == 1 else "hard constraints wait"
        said = f"{waiting} {are} for its owner" if waiting == 1 else f"{waiting} {are} for you"
        yield Finding(subject, "note", said, "`afterword preference approve ID` on a terminal")
    broken = [
        one
        for one in active
        if one.preference.is_hard and one.record.contradicted > one.record.followed
    ]
    if broken:
        said = f"{len(broken)} active hard constraints are contradicted more often than followed"
        yield Finding(subject, "wrong", said, _SEE)
