"""Keep what an agent was shown before it decided, so that a later look sees the same."""

import hashlib
import json

from sqlalchemy import Connection

from afterword.pipeline.domain.cases import rows
from afterword.pipeline.domain.cases.model import NewHint


def keep_hint(conn: Connection, hint: NewHint, now: int) -> str:
    """Write a hint and return its digest, which a decision cites; the same content is one row.

    Args:
        now: microseconds.
    """
    snapshot = rows.SNAPSHOT.write(hint.snapshot)
    content = json.dumps([hint.asset_key, hint.block, snapshot], ensure_ascii=False)
    digest = hashlib.sha256(content.encode()).hexdigest()
    rows.keep_hint(conn, hint, digest, now)
    return digest
