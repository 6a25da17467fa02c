"""The row of the profile, and the rows before it, on their way from one file to another."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection

from afterword.pipeline.core.store import insert_row, read_value, run_sql
from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.domain.memory.carried import CarriedResult, CarriedTrust, flag_note
from afterword.pipeline.domain.memory.checks import check_text
from afterword.pipeline.domain.memory.flags import flag_texts
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.profile.financial_profile import MAX_PROMPT
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.masking import mask

_TABLE: Final = "financial_profile"
_IS_HERE: Final = "SELECT count(*) FROM financial_profile WHERE updated_at = ?"
_STANDS: Final = "SELECT count(*) FROM financial_profile WHERE superseded_at IS NULL"
_NEXT_ID: Final = "SELECT ifnull(max(id), 0) + 1 FROM financial_profile"
_BEFORE: Final = "SELECT custom_prompt, prompt_id FROM financial_profile ORDER BY id DESC LIMIT 1"


def write_carried_profiles(
    conn: Connection,
    _by: Writer,
    lines: Sequence[Mapping[str, Any]],
    now: datetime,
    _trust: CarriedTrust,
) -> list[CarriedResult]:
    """Write rows of the profile by the columns they had; one that stands here stays."""
    return [_written(conn, line, now) for line in lines]


def _written(conn: Connection, line: Mapping[str, Any], now: datetime) -> CarriedResult:
    if read_value(conn, _IS_HERE, (line["updated_at"],)):
        return CarriedResult("known")
    if line["superseded_at"] is None and read_value(conn, _STANDS):
        return CarriedResult("refused", "a profile is here, which stands")
    prompt = line["custom_prompt"]
    row_id = int(read_value(conn, _NEXT_ID))
    try:
        if prompt is not None:
            check_text(prompt, MAX_PROMPT, "custom_prompt")
        values = {**line, "id": row_id, "custom_prompt": prompt and mask(prompt)}
        insert_row(conn, _TABLE, {**values, "prompt_id": _prompt_id(conn, row_id, prompt)})
    except InvalidInputError as error:
        return CarriedResult("refused", str(error))
    except dbapi.IntegrityError as error:
        return CarriedResult("refused", f"it does not fit what is here ({error})")
    flagged = flag_texts(conn, _TABLE, [(row_id, prompt)] if prompt else [], now)
    return CarriedResult("new", notes=tuple(flag_note(one.families) for one in flagged.values()))


def _prompt_id(conn: Connection, row_id: int, prompt: str | None) -> int | None:
    """Return the row that first had a custom prompt: this one, or that before it."""
    if prompt is None:
        return None
    before = run_sql(conn, _BEFORE).fetchone()
    return int(before[1]) if before is not None and before[0] == mask(prompt) else row_id
