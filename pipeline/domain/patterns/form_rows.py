"""SQL of the forms of patterns: those that stand, those that were, and their words."""

import json
from collections.abc import Iterable, Sequence
from typing import Any, Final

from sqlalchemy import Connection, text

from afterword.pipeline.core.store import driver_cursor
from afterword.pipeline.core.store.codec import Codec, Coding
from afterword.pipeline.domain.outcomes.model import RULE_VERSION
from afterword.pipeline.domain.patterns.model import (
    TEMPLATE_AUTHOR,
    Pattern,
    PatternDraft,
    PatternKey,
)
from afterword.pipeline.domain.patterns.numbers import read_numbers, stored_numbers

_SEEN_PATTERNS: Final = """
SELECT count(*) FROM role_patterns INDEXED BY role_patterns_current
WHERE role_id = ? AND superseded_at IS NULL
"""

_FORM: Final = "role_id, asset_class, direction, trend, side, state, is_class, assets, numbers"

_PATTERN: Final = Codec(
    Pattern,
    moments=("known_at", "superseded_at", "asked_at"),
    flags=("is_class",),
    items=("assets",),
    codings={"numbers": Coding(read_numbers, stored_numbers)},
)

# Fixed places: the states and sides in the order in which they are shown.
_ORDER: Final = """
ORDER BY CASE state WHEN 'confirmed' THEN 0 WHEN 'emerging' THEN 1 ELSE 2 END, role_id,
  asset_class, direction, CASE trend WHEN 'down' THEN 0 WHEN 'flat' THEN 1 ELSE 2 END, side, id
"""

_OF_ROLES: Final = "role_id IN (SELECT value FROM json_each(:roles))"

# By default another index is used, which has all forms that there ever were.
_CURRENT: Final = """
SELECT {columns} FROM role_patterns INDEXED BY role_patterns_current
WHERE superseded_at IS NULL AND {of}
  AND state IN (SELECT value FROM json_each(:states))
{order}
"""

_CURRENT_THEN: Final = """
SELECT {columns} FROM role_patterns
WHERE {of} AND known_at <= :as_of AND (superseded_at IS NULL OR superseded_at > :as_of)
  AND state IN (SELECT value FROM json_each(:states))
{order}
"""

# Statements of their own for all roles: with `:roles IS NULL OR` no index would be used.
_CURRENTS: Final = {
    (is_then, of_roles): query.format(
        columns=_PATTERN.columns, of=_OF_ROLES if of_roles else "true", order=_ORDER
    )
    for is_then, query in ((False, _CURRENT), (True, _CURRENT_THEN))
    for of_roles in (False, True)
}

_HISTORY = text(f"""
SELECT {_PATTERN.columns} FROM role_patterns
WHERE role_id = :role_id AND asset_class = :asset_class AND direction = :direction
  AND trend = :trend AND side = :side
ORDER BY known_at, id
""")

_END = text("""
UPDATE role_patterns SET superseded_at = :now
WHERE id IN (SELECT value FROM json_each(:ids)) AND superseded_at IS NULL
RETURNING id
""")

_INSERT = text(f"""
INSERT INTO role_patterns ({_FORM}, text, worded_by, rule_version, known_at)
SELECT {", ".join(f"value ->> {place}" for place in range(11))}, :version, :now
FROM json_each(:rows) WHERE true ORDER BY key
RETURNING id
""")

_ASKED = text("""
UPDATE role_patterns SET asked_by = :by, asked_at = :now, said = :said, refusal = :refusal
WHERE id = :id AND asked_at IS NULL AND superseded_at IS NULL
RETURNING id
""")

_REWORD = text(f"""
INSERT INTO role_patterns ({_FORM}, text, worded_by, rule_version, known_at)
SELECT {_FORM}, :text, :by, rule_version, :now
FROM role_patterns WHERE id = :id
RETURNING id
""")

_TO_WORD = text(f"""
SELECT {_PATTERN.columns} FROM role_patterns
WHERE superseded_at IS NULL AND state = 'confirmed' AND worded_by = '{TEMPLATE_AUTHOR}'
  AND asked_at IS NULL AND role_id IN (SELECT value FROM json_each(:roles))
ORDER BY id
""")

_COUNT_STATES = text("""
SELECT role_id, state, count(*) FROM role_patterns WHERE superseded_at IS NULL GROUP BY 1, 2
""")


def count_current(conn: Connection, role_id: str) -> int:
    """Return how many current patterns a role has."""
    cursor = driver_cursor(conn)
    cursor.execute(_SEEN_PATTERNS, (role_id,))
    (number,) = cursor.fetchone() or (0,)
    return int(number)


def current(
    conn: Connection,
    role_ids: Sequence[str] | None,
    states: Sequence[str],
    as_of: int | None = None,
) -> list[Pattern]:
    """Return the current patterns of roles, or those of a moment (microseconds).

    Args:
        role_ids: None for every role.
    """
    values: dict[str, Any] = {"states": json.dumps(list(states))}
    if role_ids is not None:
        values["roles"] = json.dumps(list(role_ids))
    if as_of is not None:
        values["as_of"] = as_of
    patterns = driver_cursor(conn)
    patterns.execute(_CURRENTS[as_of is not None, role_ids is not None], values)
    return [_PATTERN.read(row) for row in patterns.fetchall()]


def history(conn: Connection, key: PatternKey) -> list[Pattern]:
    """Return every form that a pattern had, the oldest first."""
    return [_PATTERN.read(row) for row in conn.execute(_HISTORY, key._asdict())]


def end(conn: Connection, ids: Iterable[int], now: int) -> set[int]:
    """Supersede forms of patterns; return the ids of those that were current."""
    ended = list(ids)
    if not ended:
        return set()
    return set(conn.execute(_END, {"ids": json.dumps(ended), "now": now}).scalars())


def insert(conn: Connection, drafts: Sequence[PatternDraft], now: int) -> list[int]:
    """Add forms of patterns with the text of the template; return their ids."""
    if not drafts:
        return []
    rows = [
        [
            *draft.key,
            draft.state,
            int(draft.is_class),
            json.dumps(draft.assets, ensure_ascii=False),
            draft.numbers,
            draft.text,
            TEMPLATE_AUTHOR,
        ]
        for draft in drafts
    ]
    values = {"rows": json.dumps(rows, ensure_ascii=False), "version": RULE_VERSION, "now": now}
    return sorted(conn.execute(_INSERT, values).scalars())


def to_word(conn: Connection, role_ids: Sequence[str]) -> list[Pattern]:
    """Return the confirmed patterns that no model was asked to word."""
    patterns = conn.execute(_TO_WORD, {"roles": json.dumps(list(role_ids))})
    return [_PATTERN.read(row) for row in patterns]


def keep_asked(
    conn: Connection, pattern_id: int, by: str, said: str | None, refusal: str | None, now: int
) -> bool:
    """Write what a model said; False if the pattern was asked about or superseded meanwhile."""
    values = {"id": pattern_id, "by": by, "said": said, "refusal": refusal, "now": now}
    return conn.execute(_ASKED, values).one_or_none() is not None


def reword(conn: Connection, pattern_id: int, said: str, by: str, now: int) -> int:
    """Supersede a form by one with the same numbers in other words; return its id."""
    end(conn, [pattern_id], now)
    values = {"id": pattern_id, "text": said, "by": by, "now": now}
    form_id: int = conn.execute(_REWORD, values).scalar_one()
    return form_id


def count_states(conn: Connection) -> list[tuple[str, str, int]]:
    """Return how many current patterns each role has in each state."""
    return [(role, state, int(number)) for role, state, number in conn.execute(_COUNT_STATES)]
