"""Whose memory a session of Hermes may use: one person's, or nobody's."""

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from .wire import ServerWire

_LOCAL: Final = frozenset({"cli", "tui", "acp"})
"""Platforms on which the one who started Hermes sits in front of it."""

_OF_ONE: Final = frozenset({"", "dm"})
"""Types of a chat that one person alone reads; what is remembered of them is told to no others."""


def user_of(facts: Mapping[str, Any]) -> str | None:
    """Return whose session it is: `platform:id`, empty for the one who started Hermes.

    Args:
        facts: what Hermes says of the session.

    Returns:
        None for a session without memory: work of a subagent, of cron or of a flush; a chat of
        several people; a platform that does not say who asks.
    """
    if (facts.get("agent_context") or "primary") != "primary":
        return None
    if (facts.get("chat_type") or "") not in _OF_ONE:
        return None
    platform, user = facts.get("platform") or "cli", facts.get("user_id") or ""
    if user:
        return f"{platform}:{user}"
    return "" if platform in _LOCAL else None


def connection_file(user: str) -> str:
    """Return the name of the file with the token of a user; no id leads out of its folder."""
    return f"{sha256(user.encode()).hexdigest()[:32] if user else 'owner'}.json"


def connected(folder: Path, user: str, deadline_s: float) -> ServerWire | None:
    """Return the way to the memory of a user; None if that user was not connected."""
    try:
        file = json.loads((folder / connection_file(user)).read_bytes())
        return ServerWire(file["url"], file["token"], deadline_s)
    except (OSError, ValueError, KeyError, TypeError):
        return None
