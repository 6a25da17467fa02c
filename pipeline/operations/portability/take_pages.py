"""Take a methodology or a preference from its page: as it was, or as if it were written now."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection

from afterword.pipeline.clock import checked_moment
from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.domain.memory.checks import check_text, check_word
from afterword.pipeline.domain.memory.flags import families_of
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.methodologies.add import insert_methodology
from afterword.pipeline.domain.methodologies.carried import (
    CARRIED_RECORD,
    STANDING,
    restore_methodology,
)
from afterword.pipeline.domain.methodologies.checks import (
    CheckedMethodology,
    check_methodology,
    content_digest,
    read_phases,
)
from afterword.pipeline.domain.methodologies.model import NewMethodology
from afterword.pipeline.domain.methodologies.read_rows import find
from afterword.pipeline.domain.preferences.carried import (
    checked_carried,
    propose_carried,
    restore_preference,
    standing_preference,
)
from afterword.pipeline.domain.preferences.dimensions import statement_of
from afterword.pipeline.domain.preferences.model import PREFERENCE_STATES, Preference
from afterword.pipeline.errors import InvalidInputError

_IN_QUARANTINE: Final = (
    "key, origin, source, session_id, seeded_from, state, quarantine, confidence, times_used,"
    " times_correct, standing: it starts in quarantine with the confidence of a new one, since what"
    " was counted elsewhere does not count here"
)
_PROPOSED: Final = (
    "state, decided_by, observed_for, observed_against, proposed_at, known_at: it is proposed,"
    " since nothing was observed of it here, or its owner did not approve it"
)
_DIGEST_CHARS: Final = 32


@dataclass(frozen=True, slots=True)
class TakenPage:
    """What became of a page: whether it is new, and what differs from it."""

    is_new: bool
    notes: tuple[str, ...] = ()


def take_methodology(
    conn: Connection,
    by: Writer,
    path: str,
    page: Mapping[str, Any],
    body: str,
    now: datetime,
    *,
    is_own: bool,
    is_signed: bool,
) -> TakenPage:
    """Take a methodology; one that is here stays as it is.

    Args:
        is_own: this group signed it: it gets the standing that it had; else it begins in
            quarantine, and one that says the same as a stored one inherits the standing of that.
        is_signed: it keeps its id, by which decisions name it.

    Raises:
        InvalidInputError: it may not be taken.
    """
    uid = _text(page, "id", path)
    if path != f"methodologies/{page.get('asset_class')}/{uid}.md":
        raise InvalidInputError(
            path, "does not stand where its asset_class and id say", _place(page)
        )
    new = _methodology(page, body, is_own=is_own)
    families = families_of(new.name or "", body, new.evidence or "", str(page.get("phases", "")))
    if families and not is_own:
        problem = f"reads like an order to the agent ({' '.join(families)})"
        raise InvalidInputError(path, problem, "a method of analysis")
    checked = check_methodology(new, "system" if is_own else by.actor)
    digest = content_digest(checked)
    here = find(conn, uid, None)
    if here is not None and (is_own or content_digest(here) == digest):
        return TakenPage(is_new=False)
    if is_own:
        _restore(conn, by, uid, page, checked, now, path)
        return TakenPage(is_new=True)
    keyed = check_methodology(
        _methodology(page, body, is_own=False, key=f"import:{digest[:_DIGEST_CHARS]}"), by.actor
    )
    keeps_id = is_signed and here is None
    added = insert_methodology(conn, _naming(by, uid) if keeps_id else by, keyed, now)
    if added.is_repeat:
        return TakenPage(is_new=False)
    words = _IN_QUARANTINE if keeps_id else f"id, {_IN_QUARANTINE}"
    if not added.is_new:
        words = f"id: it says what {added.uid} says, which counts"
    return TakenPage(is_new=True, notes=(words,))


def take_preference(
    conn: Connection,
    by: Writer,
    path: str,
    page: Mapping[str, Any],
    *,
    is_own: bool,
    is_signed: bool,
    are_constraints_approved: bool,
) -> TakenPage:
    """Take a preference; one that says the same here stays as it is.

    Args:
        is_own: this group signed it: an active one stays active, unless it is a hard constraint.
        is_signed: it keeps its id.
        are_constraints_approved: whether the owner allowed hard constraints, at a terminal.

    Raises:
        InvalidInputError: it may not be taken.
    """
    carried = _preference(page, path)
    if path != f"preferences/{carried.dimension}/{carried.uid}.md":
        accepted = f"preferences/{carried.dimension}/{carried.uid}.md"
        raise InvalidInputError(path, "does not stand where its dimension and id say", accepted)
    if carried.is_hard and not are_constraints_approved:
        accepted = "--approve-hard-constraints, and a yes of its owner at a terminal"
        raise InvalidInputError(path, "is a hard constraint", accepted)
    families = families_of(carried.statement)
    if families and not is_own:
        problem = f"reads like an order to the agent ({' '.join(families)})"
        raise InvalidInputError(path, problem, "a preference")
    if standing_preference(conn, carried) is not None:
        return TakenPage(is_new=False)
    if is_own:
        kept = restore_preference(conn, by, carried)
    else:
        kept = propose_carried(conn, _naming(by, carried.uid) if is_signed else by, carried)
    if kept.state == carried.state:
        return TakenPage(is_new=True)
    words = _PROPOSED if kept.uid == carried.uid else f"id, {_PROPOSED}"
    return TakenPage(is_new=True, notes=(words,))


def _naming(by: Writer, uid: str) -> Writer:
    """Return a writer that gives the row it writes the id that this had."""
    return replace(by, ids=lambda: uid)


def _methodology(
    page: Mapping[str, Any], body: str, *, is_own: bool, key: str | None = None
) -> NewMethodology:
    known = {field.name for field in fields(NewMethodology)}
    given = {name: value for name, value in page.items() if name in known}
    for name in ("indicators", "seeded_from"):
        if not isinstance(given.get(name, []), list):
            raise InvalidInputError(name, "is no list", "a list")
    given["phases"] = read_phases(page.get("phases", []), "phases")
    given["methodology"] = body
    for name in ("name", "evidence", "key"):
        if not isinstance(given.get(name, ""), str | None):
            raise InvalidInputError(name, "is no text", "text")
    given.setdefault("asset_class", "")
    given.setdefault("direction", "")
    given.setdefault("timeframe", "")
    if is_own:
        below = page.get("standing")
        standing = below if isinstance(below, dict) else {}
        record = {name: standing.get(name) for name in CARRIED_RECORD}
        seeded = tuple(given.get("seeded_from", ()))
        return NewMethodology(**given | record | {"seeded_from": seeded})
    used = [page.get(name) for name in ("times_used", "times_correct", "confidence")]
    if all(value is not None for value in used):
        given |= dict(zip(CARRIED_RECORD, used, strict=True))
    return NewMethodology(
        **given | {"source": "import", "origin": "import", "seeded_from": (), "key": key}
    )


def _restore(
    conn: Connection,
    by: Writer,
    uid: str,
    page: Mapping[str, Any],
    checked: CheckedMethodology,
    now: datetime,
    path: str,
) -> None:
    below = page.get("standing")
    standing = {**(below if isinstance(below, dict) else {}), **page}
    if missing := [name for name in STANDING if name not in standing]:
        raise InvalidInputError(path, f"does not say {missing[0]}", "a page that `export` wrote")
    session = page.get("session_id")
    try:
        restore_methodology(
            conn, by, uid, session if isinstance(session, str) else None, checked, standing, now
        )
    except dbapi.IntegrityError as error:
        raise InvalidInputError(
            path, f"does not fit what is here ({error})", "its own row"
        ) from None


def _preference(page: Mapping[str, Any], path: str) -> Preference:
    texts = {
        name: _text(page, name, path)
        for name in ("id", "dimension", "preference_kind", "value", "state", "decided_by")
    }
    kind: Any = texts["preference_kind"]
    value = checked_carried(texts["dimension"], kind, texts["value"])
    check_word(texts["state"], PREFERENCE_STATES, "state")
    check_word(texts["decided_by"], ("owner", "agent", "system"), "decided_by")
    counts = [page.get(name) for name in ("observed_for", "observed_against")]
    if not all(isinstance(one, int) and 0 <= one < 1 << 31 for one in counts):
        raise InvalidInputError(path, "does not say how often it was observed", "counts")
    moments = [_moment(page, name) for name in ("proposed_at", "known_at")]
    state: Any = texts["state"]
    decided_by: Any = texts["decided_by"]
    return Preference(
        uid=texts["id"],
        dimension=texts["dimension"],
        kind=kind,
        value=value,
        statement=statement_of(texts["dimension"], kind, value),
        state=state,
        decided_by=decided_by,
        observed_for=int(counts[0] or 0),
        observed_against=int(counts[1] or 0),
        memory_id=None,
        text_id=0,
        proposed_at=moments[0],
        known_at=moments[1],
    )


def _text(page: Mapping[str, Any], name: str, path: str) -> str:
    value = page.get(name)
    check_text(value, 1_000, f"{path}: {name}")
    return str(value)


def _moment(page: Mapping[str, Any], name: str) -> datetime:
    try:
        return checked_moment(datetime.fromisoformat(str(page.get(name))), name)
    except ValueError:
        raise InvalidInputError(name, "is no moment", "such as 2026-01-31T12:00:00Z") from None


def _place(page: Mapping[str, Any]) -> str:
    return f"methodologies/{page.get('asset_class')!s:.40}/{page.get('id')!s:.64}.md"
