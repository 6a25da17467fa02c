"""SQL over the tags that turns were told of, where a model was asked."""

import json
from typing import Final, NamedTuple

from sqlalchemy import Connection, text

from afterword.pipeline.recall.prompts.turn_choice import TurnChoice

_READ: Final = text("SELECT dimensions, proposed FROM turn_tags WHERE turn_id = :turn_id")
_COUNTS: Final = text("SELECT count(proposed), count(*) FROM turn_tags")
_KEEP: Final = text("""
INSERT INTO turn_tags (turn_id, dimensions, proposed, chosen_at)
VALUES (:turn_id, :dimensions, :proposed, :now) ON CONFLICT DO NOTHING
""")


class TurnTagCounts(NamedTuple):
    """Turns for which a model named tags, and those for which it did not answer; counts."""

    answered: int
    failed: int


def of_turn(conn: Connection, turn_id: int) -> TurnChoice | None:
    """Return what was chosen for a turn; None if no model was asked."""
    row = conn.execute(_READ, {"turn_id": turn_id}).one_or_none()
    if row is None:
        return None
    proposed = None if row.proposed is None else tuple(json.loads(row.proposed))
    return TurnChoice(tuple(json.loads(row.dimensions)), proposed)


def keep(conn: Connection, turn_id: int, choice: TurnChoice, now: int) -> None:
    """Keep what was chosen for a turn (microseconds); what is there already stays."""
    values = {
        "turn_id": turn_id,
        "dimensions": json.dumps(choice.dimensions),
        "proposed": None if choice.proposed is None else json.dumps(choice.proposed),
        "now": now,
    }
    conn.execute(_KEEP, values)


def counts(conn: Connection) -> TurnTagCounts:
    """Count the turns for which a model was asked, by whether it answered."""
    answered, asked = conn.execute(_COUNTS).one()
    return TurnTagCounts(answered, asked - answered)
