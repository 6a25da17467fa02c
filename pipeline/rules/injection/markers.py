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


def find(low: str) -> str:
    """Return the first marker in a text in lower case; "" if it has none."""
    match = _MARKERS.search(low) if _is_possible(low) else None
    return match[0] if match else ""


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
