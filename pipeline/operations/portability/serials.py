"""SQL that numbers the exports of a group, in the file of the installation."""

from datetime import datetime

from sqlalchemy import text

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import Store, writing

_BEGIN = text("""
INSERT INTO group_exports (group_name, serial, is_signed, begun_at)
SELECT :group, coalesce(max(serial), 0) + 1, :is_signed, :now
FROM group_exports WHERE group_name = :group
RETURNING serial
""")
_FINISH = text("""
UPDATE group_exports SET finished_at = max(:now, begun_at)
WHERE group_name = :group AND serial = :serial AND finished_at IS NULL
""")


def begin(instance: Store, group: str, is_signed: bool, now: datetime) -> int:
    """Return the number of a new export; one that is killed has used its number."""
    values = {"group": group, "is_signed": is_signed, "now": to_micros(now)}
    with writing(instance) as conn:
        return int(conn.execute(_BEGIN, values).scalar_one())


def finish(instance: Store, group: str, serial: int, now: datetime) -> None:
    """Note that an export is whole."""
    with writing(instance) as conn:
        conn.execute(_FINISH, {"group": group, "serial": serial, "now": to_micros(now)})
