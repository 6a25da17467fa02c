"""What IDENTITY.md says of the agent: for people to see, never for a prompt (R3)."""

from dataclasses import dataclass
from typing import Final

from afterword.pipeline.rules.text.line import one_line

_NAMES: Final = ("name", "vibe", "emoji")
_MARKS: Final = " \t-*"
"""What stands around a name and its value in markdown."""

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
        name, _, value = line.replace("：", ":").partition(":")
        if (known := name.strip(_MARKS).lower()) in _NAMES:
            values.setdefault(known, one_line(value.strip(_MARKS), _MOST))
    return AgentIdentity(**values)
