"""The evidence of a judge: everything it saw of a wrong decision, stored once under its digest."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import Connection

from afterword.pipeline.domain.decisions import read_rows
from afterword.pipeline.domain.decisions.frozen_context import FrozenJson, frozen
from afterword.pipeline.domain.decisions.model import Decision

MAX_EVIDENCE: Final = 200_000
"""Characters of what one judge saw as JSON. Beyond it long texts are cut, and say so."""

MAX_CUT: Final = 500
"""Characters that stay of a text which is cut."""

# json.dumps would make one for each object.
_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def freeze_evidence(material: Mapping[str, Any]) -> FrozenJson:
    """Return what a judge saw as it is stored: the same material has the same digest.

    Args:
        material: JSON; secrets in it are masked already.
    """
    body = _ENCODER.encode(material)
    if len(body) > MAX_EVIDENCE:
        body = _ENCODER.encode(_cut(material))
    return frozen(body)


def read_evidence(conn: Connection, decision: Decision) -> Mapping[str, Any] | None:
    """Return what the judge of a decision saw; None if none was asked, or it was forgotten."""
    digest = None if decision.verdict is None else decision.verdict.evidence_hash
    body = None if digest is None else read_rows.evidence(conn, digest)
    return None if body is None else dict(json.loads(body))


def _cut(value: Any) -> Any:
    """Return a value with each long text cut to its beginning, its length and its digest."""
    match value:
        case str() if len(value) > MAX_CUT:
            digest = hashlib.sha256(value.encode()).hexdigest()
            return f"{value[:MAX_CUT]}… ({len(value)} characters, SHA-256 {digest})"
        case Mapping():
            return {name: _cut(part) for name, part in value.items()}
        case list() | tuple():
            return [_cut(part) for part in value]
    return value
