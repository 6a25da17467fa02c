"""SQL over the memories that influence how the agent acts, to compare their words."""

import json
import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from sqlalchemy import Connection, text

from afterword.pipeline.domain.memory.flag_rows import not_flagged
from afterword.pipeline.domain.memory.model import OWNER_SOURCES
from afterword.pipeline.domain.memory.visibility import VISIBLE
from afterword.pipeline.rules.text.same_words import words_key

_MOST: Final = 1_000
"""Rows compared, the last of a category; the writer waits for it, about a millisecond."""

_SPACES: Final = 100
"""Characters by which two writings of the same words may differ in length."""

_OWNERS: Final = ", ".join(f"'{source}'" for source in sorted(OWNER_SOURCES))
_COLUMNS: Final = f"""id, uid, category, content,
  origin = 'owner' OR ifnull(source IN ({_OWNERS}), 0),
  {not_flagged("memories")}, type IS NOT NULL, origin <> 'web'"""
_RULES: Final = text(f"""
SELECT {_COLUMNS} FROM memories
WHERE id IN (SELECT value FROM json_each(:ids)) AND behavioral AND {VISIBLE} ORDER BY id
""")
# A text in ASCII has the two words as they are; the words of others are compared by the caller.
_OTHERS: Final = text(f"""
SELECT {_COLUMNS} FROM memories
WHERE length(content) BETWEEN :shortest AND :longest AND id IN (
    SELECT id FROM memories INDEXED BY memories_category WHERE category = :category AND {VISIBLE}
    ORDER BY updated_at DESC, id DESC LIMIT {_MOST})
  AND (octet_length(content) > length(content)
    OR (instr(lower(content), :longest_word) AND instr(lower(content), :last_word)))
  AND id NOT IN (SELECT value FROM json_each(:ids))
ORDER BY id
""")


class RuleRow(NamedTuple):
    """A preference, instruction or correction, and what its trust follows from."""

    id: int
    uid: str
    category: str
    content: str
    is_of_owner: bool
    is_shown: bool
    is_typed: bool
    is_not_of_web: bool

    @property
    def trust(self) -> tuple[bool, ...]:
        """Return the respects in which rows are compared."""
        return self.is_of_owner, self.is_shown, self.is_typed, self.is_not_of_web


def visible_rules(conn: Connection, ids: Sequence[int]) -> list[RuleRow]:
    """Return those of some memories that are visible and influence how the agent acts, by id."""
    return [RuleRow(*row) for row in conn.execute(_RULES, {"ids": json.dumps(ids)})]


def others(conn: Connection, rules: Sequence[RuleRow]) -> list[RuleRow]:
    """Return visible rows of the same categories that may have the words of these, by id.

    Most of those without them are left out, by their length and, for one rule, by two of its words.
    """
    rows = []
    for category in sorted({rule.category for rule in rules}):
        contents = [rule.content for rule in rules if rule.category == category]
        lengths = [len(content) for content in contents]
        values = {
            "category": category,
            "shortest": min(lengths) - _SPACES,
            "longest": max(lengths) + _SPACES,
            "longest_word": "",
            "last_word": "",
            "ids": json.dumps([rule.id for rule in rules]),
        }
        if len(contents) == 1:
            words = re.findall("[a-z0-9]+", words_key(contents[0])) or [""]
            values |= {"longest_word": max(words, key=len), "last_word": words[-1]}
        rows += [RuleRow(*row) for row in conn.execute(_OTHERS, values)]
    return rows
