"""The row of the profile: read as of any moment, and changed by a row that follows it."""

from dataclasses import replace
from datetime import datetime
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.domain.memory.audit_log import ChangedRow, record
from afterword.pipeline.domain.memory.checks import check_text
from afterword.pipeline.domain.memory.flag_rows import families, families_at
from afterword.pipeline.domain.memory.flags import Flag, flag_texts, scan_ahead
from afterword.pipeline.domain.memory.visibility import read_moment
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.profile import profile_rows
from afterword.pipeline.domain.profile.model import UNSET_PROFILE, FinancialProfile
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.masking import mask

MAX_PROMPT: Final = 2_000
"""Characters of a custom prompt: each session begins with it."""

_TABLE: Final = "financial_profile"


def read_financial_profile(store: Store, as_of: datetime | None = None) -> FinancialProfile:
    """Return the profile as it is, or was at a moment.

    Raises:
        InvalidInputError: a moment without time zone, or one that was purged.
    """
    with reading(store) as conn:
        return profile_at(conn, read_moment(conn, as_of))


def profile_at(conn: Connection, as_of: int | None) -> FinancialProfile:
    """Return the profile as it is, or was at a moment (microseconds)."""
    row = profile_rows.current(conn, as_of)
    return UNSET_PROFILE if row is None else row.profile


class CustomPrompt(NamedTuple):
    """What the owner tells every agent.

    Args:
        text: None without one.
        families: of its flag; empty for one that prompts may show.
    """

    text: str | None
    families: tuple[str, ...]


def read_custom_prompt(store: Store, as_of: datetime | None = None) -> CustomPrompt:
    """Return the custom prompt as it is, or was at a moment.

    Raises:
        InvalidInputError: a moment without time zone, or one that was purged.
    """
    with reading(store) as conn:
        at = read_moment(conn, as_of)
        return CustomPrompt(profile_at(conn, at).custom_prompt, prompt_families(conn, at))


def prompt_families(conn: Connection, as_of: int | None) -> tuple[str, ...]:
    """Return the families of the flag of the custom prompt; empty for one that prompts may show."""
    row = profile_rows.current(conn, as_of)
    if row is None or row.prompt_id is None:
        return ()
    if as_of is None:
        return families(conn, _TABLE, row.prompt_id)
    return families_at(conn, _TABLE, [row.prompt_id], as_of).get(row.prompt_id, ())


def change_profile(conn: Connection, now: datetime, **changes: Any) -> int | None:
    """Change fields of the profile in a transaction the caller has open.

    Args:
        changes: checked values by the names of `FinancialProfile`.

    Returns:
        The id of the row that follows; None if nothing changed.
    """
    row = profile_rows.current(conn)
    before = UNSET_PROFILE if row is None else row.profile
    after = replace(before, **changes)
    if after == before:
        return None
    after = replace(after, created_at=before.created_at or now, updated_at=now)
    prompt_id = None
    if row is not None and after.custom_prompt == before.custom_prompt:
        prompt_id = row.prompt_id
    return profile_rows.renew(conn, after, to_micros(now), prompt_id)


def set_custom_prompt(by: Writer, prompt: str | None) -> Flag | None:
    """Set what the owner tells every agent, or nothing any more; no agent can.

    Args:
        prompt: up to `MAX_PROMPT` characters; None clears it. Secrets in it are masked.

    Returns:
        The flag it got because it reads like an order that lifts rules; None for most.

    Raises:
        InvalidInputError: the writer is not the owner; not text, blank or too long.
    """
    check_owner(by, "custom_prompt")
    if prompt is not None:
        check_prompt(prompt)
        prompt = mask(prompt.strip())
        scan_ahead(prompt)
    with writing(by.store) as conn:
        now = by.clock()
        row_id = change_profile(conn, now, custom_prompt=prompt)
        if row_id is None:
            return None
        record(conn, now, by.actor, "profile.prompt", _TABLE, [ChangedRow(row_id, by.session)])
        return flag_texts(conn, _TABLE, [(row_id, prompt or "")], now).get(row_id)


def check_prompt(prompt: str) -> None:
    """Refuse a custom prompt that cannot be shown.

    Raises:
        InvalidInputError: it is not text, blank or too long.
    """
    check_text(prompt, MAX_PROMPT, "custom_prompt")


def set_flags(by: Writer, **flags: bool | None) -> FinancialProfile:
    """Let prompts show parts of the profile, or hide them; None leaves a flag as it is.

    Args:
        flags: `include_memories`, `include_trading_summary`, `include_tags`.

    Raises:
        InvalidInputError: the writer is not the owner.
    """
    check_owner(by, "flags")
    with writing(by.store) as conn:
        now = by.clock()
        given = {name: value for name, value in flags.items() if value is not None}
        row_id = change_profile(conn, now, **given)
        if row_id is not None:
            touched = ChangedRow(row_id, by.session, given)
            record(conn, now, by.actor, "profile.flags", _TABLE, [touched])
        return profile_at(conn, None)


def check_owner(by: Writer, field: str) -> None:
    """Refuse a writer who is not the owner.

    Raises:
        InvalidInputError: the writer is an agent or the system.
    """
    if by.actor != "owner":
        raise InvalidInputError(field, "only the owner sets it", "the owner's door")
