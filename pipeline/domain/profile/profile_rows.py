"""SQL over the row of the profile, and the rows before it."""

from dataclasses import replace
from typing import Final, NamedTuple

from sqlalchemy import Connection, text

from afterword.pipeline.core.store.codec import Codec
from afterword.pipeline.domain.profile.model import FinancialProfile

_PROFILE: Final = Codec(
    FinancialProfile,
    flags=("include_memories", "include_trading_summary", "include_tags"),
    items=("reference_wallets_json",),
    moments=(
        *("trading_summary_updated_at", "onboarding_completed_at"),
        *("created_at", "updated_at", "superseded_at"),
    ),
)
_CURRENT = text(
    f"SELECT {_PROFILE.columns}, prompt_id FROM financial_profile WHERE superseded_at IS NULL"
)
_CURRENT_AT = text(f"""
SELECT {_PROFILE.columns}, prompt_id FROM financial_profile
WHERE updated_at <= :as_of AND (superseded_at IS NULL OR superseded_at > :as_of)
ORDER BY id DESC LIMIT 1
""")
_END = text("""
UPDATE financial_profile SET superseded_at = max(:now, updated_at) WHERE superseded_at IS NULL
""")
_INSERT: Final = _PROFILE.insert("financial_profile", "id", "prompt_id")
_NEXT_ID = text("SELECT ifnull(max(id), 0) + 1 FROM financial_profile")


class ProfileRow(NamedTuple):
    """A row of the profile.

    Args:
        prompt_id: the row that first had its custom prompt; None without one.
    """

    profile: FinancialProfile
    prompt_id: int | None


def current(conn: Connection, as_of: int | None = None) -> ProfileRow | None:
    """Return the row that is current, or was at a moment (microseconds)."""
    statement = _CURRENT if as_of is None else _CURRENT_AT
    row = conn.execute(statement, {"as_of": as_of}).one_or_none()
    if row is None:
        return None
    return ProfileRow(replace(_PROFILE.read(row), superseded_at=None), row.prompt_id)


def renew(conn: Connection, profile: FinancialProfile, now: int, prompt_id: int | None) -> int:
    """End the current row (microseconds), and add the one that follows; return its id.

    Args:
        prompt_id: the row that has the custom prompt already; None for another prompt.
    """
    conn.execute(_END, {"now": now})
    row_id = int(conn.execute(_NEXT_ID).scalar_one())
    if profile.custom_prompt is None:
        prompt_id = None
    elif prompt_id is None:
        prompt_id = row_id
    conn.exec_driver_sql(_INSERT, (*_PROFILE.write(profile), row_id, prompt_id))
    return row_id
