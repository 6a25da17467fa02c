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
    snapshot = json.dumps(hint.snapshot, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    content = json.dumps([hint.asset_key, hint.block, snapshot], ensure_ascii=False)
    digest = hashlib.sha256(content.encode()).hexdigest()
    asset = hint.asset_key, hint.asset_class
    rows.keep_hint(conn, digest, hint.session_id, asset, (hint.block, snapshot), now)
    return digest
