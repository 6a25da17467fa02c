"""Add methodologies: a new row, or one more sighting of a row that says the same.

check_methodology (secrets masked: no store is needed) → insert_methodology (one transaction)
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import writing
from afterword.pipeline.domain.memory.audit_log import ChangedRow
from afterword.pipeline.domain.memory.audit_log import record as audit
from afterword.pipeline.domain.memory.checks import short_repr
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.methodologies import compare_rows, lifecycle_rows, read_rows, rows
from afterword.pipeline.domain.methodologies.checks import (
    CheckedMethodology,
    check_methodology,
    content_digest,
)
from afterword.pipeline.domain.methodologies.injection import scan_methodology_for_injection
from afterword.pipeline.domain.methodologies.lifecycle_rows import NewLifecycleEvent
from afterword.pipeline.domain.methodologies.model import (
    FORGOTTEN,
    AddedMethodology,
    Methodology,
    NewMethodology,
)
from afterword.pipeline.domain.methodologies.same import SameMethodology, find_same, group_of
from afterword.pipeline.domain.methodologies.similarity import terms, weights
from afterword.pipeline.errors import InvalidInputError

_NO_WORDS = {0: 1.0}
"""The only term of a text without words, so that it is found again by its 4-grams."""


def add_methodology(by: Writer, new: NewMethodology, *, as_new: bool = False) -> AddedMethodology:
    """Add a methodology; one that says the same as a stored one is a sighting of that.

    It starts in quarantine with a confidence of 0.1, whatever its record elsewhere.

    Args:
        as_new: add a row of its own although a stored one looks the same; only the owner may.

    Raises:
        InvalidInputError: it may not be added; nothing was.
        UnavailableError: the store cannot be written now.
    """
    checked = check_methodology(new, by.actor)
    with writing(by.store) as conn:
        return insert_methodology(conn, by, checked, by.clock(), as_new=as_new)


def insert_methodology(
    conn: Connection,
    by: Writer,
    new: CheckedMethodology,
    now: datetime,
    *,
    as_new: bool = False,
    at: str = "",
) -> AddedMethodology:
    """Add a checked methodology in a transaction the caller has open; see `add_methodology`.

    Args:
        at: its place in a list, such as `methodologies[3].`; prefix of field names.
    """
    if as_new and by.actor == "agent":
        raise InvalidInputError(f"{at}as_new", "is the owner's to say", "nothing here")
    if new.key is not None:
        before = _recorded_before(conn, new, new.key, at)
        if before is not None:
            return before
    injection = scan_methodology_for_injection(new)
    payloads = _kinds(injection)
    moment = to_micros(now)
    if new.source != "placebo" and not as_new:
        same = find_same(conn, new, is_clean=not injection)
        if same is not None:
            return _sighted(conn, by, new, same, now, payloads)
    uid = by.ids()
    row_id = rows.insert(conn, uid, by.session, new, injection, moment)
    if new.source != "placebo":
        words = weights(terms(new.compared_text)) or _NO_WORDS
        compare_rows.insert_terms(conn, row_id, group_of(new), words)
    numbers = {"payloads": len(injection)} if injection else {}
    created = NewLifecycleEvent(row_id, "created", by.actor, numbers)
    lifecycle_rows.add_events(conn, [created], moment)
    detail = {"uid": uid, "asset_class": new.asset_class, "source": new.source}
    touched = ChangedRow(row_id, by.session, detail)
    audit(conn, now, by.actor, "methodology.add", "methodologies", [touched])
    return AddedMethodology(row_id, uid, is_new=True, payloads=payloads)


def check_keys(conn: Connection, new: Sequence[CheckedMethodology]) -> None:
    """Refuse a list in which a key names two methodologies, or another one than the stored one.

    A list is written a batch at a time: found only then, the batches before would stay.

    Raises:
        InvalidInputError: such a key; it names its place in the list.
    """
    digests: dict[str, str] = {}
    for place, method in enumerate(new):
        if method.key is None:
            continue
        at = f"methodologies[{place}]."
        _recorded_before(conn, method, method.key, at)
        digest = content_digest(method)
        if digests.setdefault(method.key, digest) != digest:
            problem = f"{short_repr(method.key)} names an earlier line, which says something else"
            raise InvalidInputError(f"{at}key", problem, "a key of its own for each methodology")


def _sighted(
    conn: Connection,
    by: Writer,
    new: CheckedMethodology,
    same: SameMethodology,
    now: datetime,
    payloads: tuple[str, ...],
) -> AddedMethodology:
    rows.sight(conn, same.id, new, by.session, same.by, same.likeness, to_micros(now))
    uid = _stored(conn, same.id).uid
    touched = ChangedRow(same.id, by.session, {"uid": uid, "recognised_by": same.by})
    audit(conn, now, by.actor, "methodology.sight", "methodologies", [touched])
    return AddedMethodology(
        same.id,
        uid,
        is_new=False,
        recognised_by=same.by,
        likeness=same.likeness,
        payloads=payloads,
    )


def _recorded_before(
    conn: Connection, new: CheckedMethodology, key: str, at: str
) -> AddedMethodology | None:
    """Return what became of the first one under this key; refuse another one under it."""
    first = read_rows.recorded(conn, key)
    if first is not None:
        if content_digest(first) != content_digest(new) and first.methodology != FORGOTTEN:
            raise _another(first.uid, key, at)
        payloads = _kinds(first.injection)
        return AddedMethodology(
            first.id, first.uid, is_new=False, is_repeat=True, payloads=payloads
        )
    sighted = compare_rows.sighted(conn, key)
    if sighted is None:
        return None
    if sighted.digest != content_digest(new):
        raise _another(sighted.uid, key, at)
    return AddedMethodology(
        sighted.id,
        sighted.uid,
        is_new=False,
        is_repeat=True,
        recognised_by=sighted.recognised_by,
        likeness=sighted.likeness,
    )


def _kinds(injection: Iterable[Mapping[str, Any]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(str(payload["kind"]) for payload in injection))


def _another(uid: str, key: str, at: str) -> InvalidInputError:
    problem = f"{short_repr(key)} names another methodology: {uid}"
    return InvalidInputError(f"{at}key", problem, "a key of its own for each methodology")


def _stored(conn: Connection, row_id: int) -> Methodology:
    method = read_rows.find(conn, row_id, None)
    assert method is not None  # it was just found
    return method
