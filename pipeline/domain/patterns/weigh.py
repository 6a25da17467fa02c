"""Weigh the record of roles: write the patterns that it shows, and end the lessons it contradicts.

read the outcomes → weigh every family → compare with the texts → write what changed
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.domain.memory.audit_log import ChangedRow
from afterword.pipeline.domain.memory.audit_log import record as audit
from afterword.pipeline.domain.outcomes.model import RULE_VERSION
from afterword.pipeline.domain.patterns import form_rows, rows
from afterword.pipeline.domain.patterns.family import families_by_class, window_of
from afterword.pipeline.domain.patterns.model import (
    STORED_STATES,
    TEMPLATE_AUTHOR,
    Pattern,
    PatternDraft,
    PatternKey,
)
from afterword.pipeline.domain.patterns.numbers import numbers_of, read_numbers
from afterword.pipeline.domain.patterns.support import contradicted
from afterword.pipeline.domain.patterns.text import template_text
from afterword.pipeline.domain.skills import Role
from afterword.pipeline.rules.evidence.family import CONFIRMED_LEVEL, FamilyRecord
from afterword.pipeline.rules.evidence.model import HYPOTHESES, PatternRecord, PatternState

FORM: Final = 4
"""Version of the stored form and of the template: a higher one has all patterns weighed again."""

_MOST_TRIES: Final = 3
"""How often a role is weighed anew because another process weighed it at the same time; count."""


@dataclass(frozen=True, slots=True)
class WeighTally:
    """What weighing changed.

    Args:
        roles: that had something new; count.
        written: new forms of patterns, by state; count.
        ended: forms that were superseded; count.
        lessons: lessons that their cell does not support and that were superseded; count.
    """

    roles: int = 0
    written: Mapping[PatternState, int] = field(default_factory=dict)
    ended: int = 0
    lessons: int = 0

    def __add__(self, other: "WeighTally") -> "WeighTally":
        states = sorted({*self.written, *other.written})
        return WeighTally(
            self.roles + other.roles,
            {one: self.written.get(one, 0) + other.written.get(one, 0) for one in states},
            self.ended + other.ended,
            self.lessons + other.lessons,
        )


@dataclass(frozen=True, slots=True)
class Weighing:
    """What the outcomes of a role show.

    Args:
        weighed: what the role was last weighed from, as it is stored; None for the first time.
        seen: what it is weighed from now: counts and newest ids.
        drafts: the patterns that have a text.
        contradicted: decisions whose cells supported no lesson, then or later; at least those that
            have one.
    """

    role_id: str
    window_hours: int
    level: float
    weighed: str | None
    seen: tuple[int, ...]
    drafts: tuple[PatternDraft, ...]
    contradicted: AbstractSet[int]


ReadNews = Callable[[Connection, str, int, float], Weighing | None]
"""Returns what the outcomes of a role show now (role id, window, level); None without news."""


def weigh_patterns(
    store: Store,
    roles: Iterable[Role],
    now: datetime,
    *,
    level: float = CONFIRMED_LEVEL,
    news: ReadNews | None = None,
) -> WeighTally:
    """Weigh the patterns of roles; a role without news costs one short read.

    Each role is written in a transaction of its own. Weighing twice changes nothing.

    Args:
        level: chance of any false pattern in a role without effects.
        news: reads what is new; `news_of` by default, which reads all outcomes of a role.
    """
    read = news or news_of
    return sum((_weigh_role(store, role, now, level, read) for role in roles), WeighTally())


def news_of(conn: Connection, role_id: str, window_hours: int, level: float) -> Weighing | None:
    """Return what the outcomes of a role show now; None without news since it was last weighed."""
    if not has_news(conn, role_id, window_hours, level):
        return None
    return weighing_of(conn, role_id, window_hours, level)


def weighing_of(conn: Connection, role_id: str, window_hours: int, level: float) -> Weighing:
    """Return what the outcomes of a role show now."""
    weighed = rows.weighed(conn, role_id)
    seen = tuple(rows.seen(conn, role_id, window_hours))
    outcomes = rows.votes(conn, role_id, window_hours)
    families = families_by_class(outcomes, level)
    return Weighing(
        role_id,
        window_hours,
        level,
        weighed,
        seen,
        tuple(drafts_of(role_id, families, window_hours, level)),
        contradicted(outcomes) if rows.lessons(conn, role_id) else frozenset(),
    )


def drafts_of(
    role_id: str, families: Mapping[str, FamilyRecord], window_hours: int, level: float
) -> Iterator[PatternDraft]:
    """Yield the patterns of families (by class of assets) that have a text."""
    for asset_class, family in families.items():
        for hypothesis, state in zip(HYPOTHESES, family.states(), strict=True):
            if state in STORED_STATES:
                record = family.pattern(hypothesis)
                yield _draft(role_id, asset_class, record, window_hours, level)


def has_news(
    conn: Connection,
    role_id: str,
    window_hours: int,
    level: float,
    *,
    but_patterns: bool = False,
) -> bool:
    """Return whether anything was measured or learned since a role was last weighed.

    Args:
        but_patterns: whether lost or added patterns do not count as news.
    """
    seen, weighed = rows.seen(conn, role_id, window_hours), rows.weighed(conn, role_id)
    if but_patterns and weighed is not None:
        seen[-1] = json.loads(weighed)["seen"][-1]
    return weighed != stored_form(seen, window_hours, level)


def stored_form(seen: Sequence[int], window_hours: int, level: float) -> str:
    """Return what a role is weighed from, as it is stored."""
    ways = {"form": FORM, "level_ppb": round(level * 1e9), "rules": RULE_VERSION}
    return json.dumps(ways | {"seen": list(seen), "window_hours": window_hours}, sort_keys=True)


def has_changed(draft: PatternDraft, pattern: Pattern) -> bool:
    """Return whether a pattern differs from its stored form in state, scope or numbers, or in the
    words of the template."""
    form = draft.state, draft.is_class, draft.assets, read_numbers(draft.numbers)
    if form != (pattern.state, pattern.is_class, pattern.assets, pattern.numbers):
        return True
    return pattern.worded_by == TEMPLATE_AUTHOR and pattern.text != draft.text


def settle_weighing(
    conn: Connection, weighing: Weighing, now: datetime, *, distrusted: frozenset[int] = frozenset()
) -> WeighTally | None:
    """Write what changed; None if the role was weighed by somebody else since it was read.

    Args:
        distrusted: ids of patterns that are written anew even if only their text differs.
    """
    if rows.weighed(conn, weighing.role_id) != weighing.weighed:
        return None
    at = to_micros(now)
    stored = {one.key: one for one in form_rows.current(conn, [weighing.role_id], STORED_STATES)}
    drafts = {one.key: one for one in weighing.drafts}
    written = [
        draft
        for key, draft in drafts.items()
        if key not in stored or stored[key].id in distrusted or has_changed(draft, stored[key])
    ]
    replaced = {one.key for one in written}
    ended = [one.id for key, one in stored.items() if key in replaced or key not in drafts]
    form_rows.end(conn, ended, at)
    ids = form_rows.insert(conn, written, at)
    lessons = _supersede_lessons(conn, weighing, now)
    seen = [*weighing.seen[:-1], len(drafts)]
    rows.keep_weighed(
        conn, weighing.role_id, stored_form(seen, weighing.window_hours, weighing.level), at
    )
    details = [
        ChangedRow(row_id, detail={"role": draft.key.role_id, "state": draft.state})
        for row_id, draft in zip(ids, written, strict=True)
    ]
    audit(conn, now, "system", "pattern.write", "role_patterns", details)
    gone = sorted(one.id for key, one in stored.items() if key not in drafts)
    audit(conn, now, "system", "pattern.end", "role_patterns", [ChangedRow(one) for one in gone])
    return WeighTally(1, Counter(one.state for one in written), len(ended), lessons)


def _weigh_role(
    store: Store, role: Role, now: datetime, level: float, news: ReadNews
) -> WeighTally:
    window_hours = window_of(role)
    if window_hours is None:
        return WeighTally()
    for _ in range(_MOST_TRIES):
        with reading(store) as conn:
            weighing = news(conn, role.id, window_hours, level)
        if weighing is None:
            return WeighTally()
        with writing(store) as conn:
            tally = settle_weighing(conn, weighing, now)
        if tally is not None:
            _emit(tally)
            return tally
    return WeighTally()  # somebody else weighs this role, and has the newer outcomes


def _supersede_lessons(conn: Connection, weighing: Weighing, now: datetime) -> int:
    """Supersede the lessons whose cell does not support them; return how many."""
    if not weighing.contradicted:
        return 0
    wrong = [one for one in rows.lessons(conn, weighing.role_id) if one[0] in weighing.contradicted]
    done = rows.supersede_lessons(conn, [row_id for row_id, _, _ in wrong], to_micros(now))
    details = [
        ChangedRow(row_id, session_id, {"uid": uid})
        for row_id, uid, session_id in wrong
        if row_id in done
    ]
    audit(conn, now, "system", "role.supersede_lesson", "role_memory", details)
    return len(done)


def _draft(
    role_id: str, asset_class: str, record: PatternRecord, window_hours: int, level: float
) -> PatternDraft:
    setup, side = record.hypothesis
    key = PatternKey(role_id, asset_class, setup.direction, setup.trend, side)
    scope = record.scope.is_class, record.scope.assets
    numbers = numbers_of(record, window_hours, level)
    text = template_text(key, record.state, *scope, read_numbers(numbers))
    return PatternDraft(key, record.state, *scope, numbers, text)


def _emit(tally: WeighTally) -> None:
    for state, patterns in tally.written.items():
        emit("pattern.written", state=state, patterns=patterns)
    if tally.lessons:
        emit("pattern.lessons_superseded", lessons=tally.lessons)
