"""What IDENTITY.md says of the agent: for people to see, never for a prompt (R3)."""

import re
from dataclasses import dataclass
from typing import Final

from afterword.pipeline.rules.text.line import one_line

_LINE: Final = re.compile(r"\s*[-*]?\s*\**(name|vibe|emoji)\s*[:：]\**\s*(.*?)\s*", re.IGNORECASE)

_MOST: Final = 120
"""Characters of a value."""


@dataclass(frozen=True, slots=True)
class AgentIdentity:
    """How an agent presents itself; an empty value is not stated."""

    name: str = ""
    vibe: str = ""
    emoji: str = ""


def identity_of(text: str) -> AgentIdentity:
    """Return what lines such as `- **Name:** Ada` say; the first line of each name counts."""
    values: dict[str, str] = {}
    for line in text.splitlines():
        if match := _LINE.fullmatch(line):
            values.setdefault(match[1].lower(), one_line(match[2], _MOST))
    return AgentIdentity(**values)
