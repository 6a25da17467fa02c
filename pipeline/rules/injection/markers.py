"""Text that imitates the chat format of a model: special tokens, role tags, system headings."""

from typing import Final

from afterword.pipeline.expression import expression

_MARKERS: Final = expression(
    r"""(?xi)
    <\|[a-z_]{2,20}\|>                      # <|im_start|>
  | \[/?(?:inst|sys)\] | <</?sys>>
  | </?(?:system|instructions?|assistant|developer|memory-context)(?:\s[^<>]{0,60})?>
  | (?<!\#)\#{2,}+\s*(?:hard\s+constraints|compiled\s+truth|methods\s+for)\b  # our own headings
  | \[system\]\(?
  | (?<!\#)\#{2,}+\s*(?:new\s+)?(?:system|instructions?|end\s+of|assistant|developer|human)\b[^\n]{0,40}[:#]
  | ^\s*(?:system|developer)\s*:\s*(?:you|the\s+user|ignore|drop|obey|from\s+now|all\s)
  | \n[^\S\n]*(?:system|assistant)\s*:\s
  | \brole\s*:\s*system\b
  | (?:user|human)\s*:[^\n]{0,120}\bassistant\s*: | assistant\s*:[^\n]{0,160}\b(?:user|human)\s*:
  | \b(?:begin|start\s+of|new)\s+system\s+(?:override|prompt|message|directive)
  | \bsystem\s+(?:override|directive)\b
  | \bend\s+of\s+(?:user\s+input|system\s+prompt|instructions)\b
  | <!--[^>]{0,40}\b(?:assistant|ai|llm|agent|system)\b
  | \bsystem\s+notice\s*: | \bnew\s+system\s+update\b
    """
)


_TURN: Final = expression(r"(?im)^[^\S\n]*(?:user|human|assistant)[^\S\n]*:")
_TURN_MARKER: Final = expression(r"(?:^|\n)?\s*(?:user|human|assistant)\s*:")
_TURNS_OF_TRANSCRIPT: Final = 4
"""Lines that begin with who speaks: so many are the notes of a session, not a turn put into a text."""


def is_transcript(text: str) -> bool:
    """Say whether a text is the record of a conversation, so that its labels imitate nothing."""
    if ":" not in text or "\n" not in text:
        return False
    return len(_TURN.findall(text)) >= _TURNS_OF_TRANSCRIPT


def find(low: str, *, is_transcript: bool = False) -> str:
    """Return the first marker in a text in lower case; "" if it has none.

    Args:
        is_transcript: whether labels such as `user:` are turns of a recorded conversation.
    """
    if not _is_possible(low):
        return ""
    for match in _MARKERS.finditer(low):
        if not (is_transcript and _TURN_MARKER.match(match[0])):
            return match[0]
    return ""


def _is_possible(low: str) -> bool:
    # Written out: this runs for every text, and a loop would take four times as long.
    return (
        "system" in low
        or "<" in low
        or "[" in low
        or "#" in low
        or "assistant" in low
        or "user input" in low
        or "human" in low
        or "developer" in low
    )
