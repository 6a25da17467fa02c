"""The lessons that the prompt of a decision held: kept when they are told, cited by the decision.

A prompt is asked before its decision exists, so what it held is kept under an *occasion*: the key
under which the decision will be recorded, else the session that asks. The decision then finds it
there. What a session starts with belongs to each of its decisions.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.domain.decisions import read_rows, write_rows
from afterword.pipeline.domain.decisions.model import NewDecisionRow


class ToldLesson(NamedTuple):
    """A lesson as a prompt held it.

    Args:
        kind: `pattern`, `note`, `case` or `trades`.
        id: of the form of the pattern, or of the decision; neither ever changes its text.
        known_at: from when on it was known in this form; microseconds.
        name: of a pattern: class of assets, direction, move before and side; empty for others.
    """

    kind: str
    id: int
    known_at: int
    name: str = ""


@dataclass(frozen=True, slots=True)
class ToldLessons:
    """What a prompt held of lessons, and what a draw left out of it.

    Args:
        shown, left_out: sorted, each once.
        share_ppm: the share of prompts that go without a lesson; millionths, 0 without a draw.
    """

    shown: tuple[ToldLesson, ...] = ()
    left_out: tuple[ToldLesson, ...] = ()
    share_ppm: int = 0

    @property
    def body(self) -> str:
        """The set as it is stored: JSON."""
        fields = {"left_out": self.left_out, "share_ppm": self.share_ppm, "shown": self.shown}
        return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))

    @property
    def digest(self) -> str:
        """The SHA-256 of its body, 64 hexadecimal digits: what a decision keeps."""
        return sha256(self.body.encode()).hexdigest()

    def __or__(self, other: "ToldLessons") -> "ToldLessons":
        """Return what a reader of both was told: what either shows was not left out.

        Where patterns were told by two shares, no draw decided what was read: the share is 0.
        """
        shown = {*self.shown, *other.shown}
        left_out = {*self.left_out, *other.left_out} - shown
        shares = {told.share_ppm for told in (self, other) if told.has_patterns}
        share_ppm = shares.pop() if len(shares) == 1 else 0
        return ToldLessons(tuple(sorted(shown)), tuple(sorted(left_out)), share_ppm)

    @property
    def has_patterns(self) -> bool:
        """Whether a pattern was told, or left out."""
        return any(lesson.name for lesson in (*self.shown, *self.left_out))


class Occasion(NamedTuple):
    """What a prompt is asked for.

    Args:
        name: 64 hexadecimal digits.
        place: decisions that the session had recorded by then; 0 for a key, and for a start.
    """

    name: str
    place: int = 0

    @property
    def drawn_by(self) -> str:
        """What lessons are drawn by: the decision that comes next, whenever its prompt is asked."""
        return f"{self.name} {self.place}"


def of_key(key: str) -> Occasion:
    """Return the occasion of the decision that will be recorded under a key."""
    return Occasion(_name("key", key))


def of_session(session: str, place: int) -> Occasion:
    """Return the occasion of the next decision of a session, given by its uid."""
    return Occasion(_name("session", session), place)


def of_start(session: str) -> Occasion:
    """Return the occasion of all decisions of a session, given by its uid: what it starts with."""
    return Occasion(_name("start", session))


def keep_told(
    conn: Connection, role_id: str, occasion: Occasion, told: ToldLessons, now: int
) -> None:
    """Keep what a role's prompt held; asked again for the same decision, it adds up.

    Args:
        now: microseconds.
    """
    earlier = _told_before(conn, role_id, occasion)
    if earlier is not None and earlier.place == occasion.place:
        told |= read_set(earlier.body)
    write_rows.keep_set(conn, told.digest, told.body, now)
    write_rows.keep_prompt(conn, role_id, occasion.name, occasion.place, told.digest, now)


def is_kept(conn: Connection, role_id: str, occasion: Occasion, told: ToldLessons) -> bool:
    """Return whether a decision would find all that a prompt held, so that nothing is written."""
    earlier = _told_before(conn, role_id, occasion)
    if earlier is None:
        return not (told.shown or told.left_out)
    stored = read_set(earlier.body)
    return earlier.place == occasion.place and stored | told == stored


def with_lessons(
    conn: Connection, rows: Sequence[NewDecisionRow], now: int
) -> list[NewDecisionRow]:
    """Return decisions to be recorded, each with the digest of what its prompt held.

    Args:
        now: microseconds.
    """
    if not read_rows.is_any_told(conn):
        return list(rows)
    named = [(row, _names_of(row)) for row in rows]
    occasions = [
        (row.role_id, name) for row, names in named for name in (*names.prompts, names.start)
    ]
    told = {key: read_set(row.body) for key, row in read_rows.told_sets(conn, occasions).items()}
    decisions = []
    for row, names in named:
        lessons = _told_of(row.role_id, names, told)
        if lessons is not None:
            write_rows.keep_set(conn, lessons.digest, lessons.body, now)
            row = replace(row, lessons_hash=lessons.digest)
        decisions.append(row)
    return decisions


def sets_of(conn: Connection, digests: Iterable[str]) -> dict[str, ToldLessons]:
    """Return sets of lessons by their digests."""
    return {digest: read_set(body) for digest, body in read_rows.lesson_sets(conn, digests).items()}


def read_set(body: str) -> ToldLessons:
    """Return a set of lessons as it was stored."""
    fields = json.loads(body)
    shown, left_out = (
        tuple(ToldLesson(*lesson) for lesson in fields[name]) for name in ("shown", "left_out")
    )
    return ToldLessons(shown, left_out, fields["share_ppm"])


def _told_before(conn: Connection, role_id: str, occasion: Occasion) -> read_rows.ToldSet | None:
    key = role_id, occasion.name
    return read_rows.told_sets(conn, [key]).get(key)


class _Names(NamedTuple):
    prompts: list[str]
    start: str


def _names_of(row: NewDecisionRow) -> _Names:
    """Return under which names a decision may find its prompt, the best first, and its start."""
    prompts = [] if row.record_key is None else [of_key(row.record_key).name]
    if row.session_id is None:
        return _Names(prompts, "")
    prompts.append(of_session(row.session_id, 0).name)
    return _Names(prompts, of_start(row.session_id).name)


def _told_of(
    role_id: str, names: _Names, told: Mapping[tuple[str, str], ToldLessons]
) -> ToldLessons | None:
    """Return what a decision was told by its prompt and the start of its session; None if nothing
    is known of either."""
    prompts = (told.get((role_id, name)) for name in names.prompts)
    prompt = next((lessons for lessons in prompts if lessons is not None), None)
    start = told.get((role_id, names.start))
    if prompt is None or start is None:
        return prompt or start
    return prompt | start


def _name(*parts: str) -> str:
    return sha256(json.dumps(parts, ensure_ascii=False).encode()).hexdigest()
