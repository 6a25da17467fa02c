"""Verify that the stored patterns are those that their outcomes give; the doctor asks for it."""

import json
from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.domain.patterns import form_rows, rows
from afterword.pipeline.domain.patterns.model import (
    STORED_STATES,
    TEMPLATE_AUTHOR,
    Pattern,
    PatternDraft,
)
from afterword.pipeline.domain.patterns.weigh import (
    Weighing,
    has_changed,
    has_news,
    settle_weighing,
    weighing_of,
)
from afterword.pipeline.domain.patterns.writer import refusal_of


class PatternDoubt(NamedTuple):
    """Patterns of a role that its outcomes do not give.

    Args:
        ids: of stored patterns with another state, scope, number or text.
        missing: patterns without a stored form; count.
    """

    role_id: str
    ids: tuple[int, ...]
    missing: int

    @property
    def patterns(self) -> int:
        """How many patterns are in doubt."""
        return len(self.ids) + self.missing


def doubts(conn: Connection) -> Iterator[PatternDoubt]:
    """Yield the roles with patterns that their outcomes do not give.

    A role with outcomes that are not weighed yet is left out: its job is on the way.
    """
    for role_id, weighing in _weighed(conn):
        if weighing is None:
            continue
        stored = {one.key: one for one in form_rows.current(conn, [role_id], STORED_STATES)}
        drafts = {one.key: one for one in weighing.drafts}
        wrong = [one.id for key, one in stored.items() if _differs(one, drafts.get(key))]
        missing = len(drafts.keys() - stored.keys())
        if wrong or missing:
            yield PatternDoubt(role_id, tuple(sorted(wrong)), missing)


def weigh_again(conn: Connection, doubt: PatternDoubt, now: datetime) -> None:
    """Write the patterns of a role anew, whatever is stored."""
    for role_id, weighing in _weighed(conn, doubt.role_id):
        if weighing is not None:
            settle_weighing(conn, weighing, now, distrusted=frozenset(doubt.ids))
        else:
            rows.forget_weighed(conn, role_id)


def _weighed(conn: Connection, only: str | None = None) -> Iterator[tuple[str, Weighing | None]]:
    """Yield the roles that were weighed, with what they show; None where there is news."""
    for role_id, stored in rows.all_weighed(conn):
        if only is not None and role_id != only:
            continue
        ways = json.loads(stored)
        window_hours, level = ways["window_hours"], ways["level_ppb"] / 1e9
        # The count of patterns is what is in doubt; the outcomes must be those that were weighed.
        if has_news(conn, role_id, window_hours, level, but_patterns=True):
            yield role_id, None
        else:
            yield role_id, weighing_of(conn, role_id, window_hours, level)


def _differs(pattern: Pattern, draft: PatternDraft | None) -> bool:
    if draft is None or has_changed(draft, pattern):
        return True
    return pattern.worded_by != TEMPLATE_AUTHOR and refusal_of(pattern.text, pattern) is not None
