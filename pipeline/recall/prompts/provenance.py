"""Where a memory comes from, as every answer and prompt says it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a memory comes from, as the store recorded it; its writer sets none of it.

    Args:
        session_id: uid of the session it was written in, if it was in one.
        group: the group it belongs to.
        origin: where its words came from, such as `owner` or `web`.
        timestamp: when it became known, as text, since agents get it in JSON.
    """

    session_id: str | None
    group: str
    origin: str
    timestamp: str
