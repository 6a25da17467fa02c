"""Messages and lines that no person typed: prompts of machines, recalled text, code, output, logs.

Hosts send more than the user's words as a user's message: heartbeats, cron prompts, the files of a
workspace, what was recalled, results of tools. None of it says anything of the user.
"""

import re
from typing import Final

from afterword.pipeline.expression import expression

MAX_PROSE_CHARS: Final = 6_000
"""A longer message is a pasted document: people who chat write a few hundred characters."""

_MANY_HEADINGS: Final = 2
_MANY_ITEMS: Final = 4
"""Headings, and items of a list, from which on a message is a document."""

_MOST_MACHINE: Final = 0.5
"""Share of machine-made lines above which the rest of a message is a part of it."""

_PROMPT: Final = expression(
    r"""(?xi)
    \bheartbeat_ok\b | \bheartbeat\.md\b | \bno_reply\b | \bnothing\ needs\ attention\b
  | ^[ \t]*\[[ \t]*(?:cron|heartbeat|system|subagent|scheduled|context\ compaction|background
  |automation)\b
  | ^[ \t]*(?:\([ \t]*)?(?:cron(?:\ job)?|scheduled\ (?:task|job|reminder)
  |heartbeat)\b[^.\n]{0,60}(?::|$)
  | ^[ \t]*(?:system|developer)[ \t]*(?:prompt|message|note)?[ \t]*:
  | ^[ \t]*(?:\#[ \t]*)?(?:soul|agents|identity|user|memory|tools|bootstrap|heartbeat|boot
  |dreams)\.md\b
  | ^[ \t]*(?:act\ as|you(?:\ are|['’]re)\ (?:now\ )?(?:a|an|the|not\ a)\b|your\ (?:task|role
  |job)\ is\b)
  | ^[ \t]*(?:du\ bist\ (?:ein|eine)|eres\ un|tu\ es\ un|você\ é\ um|你是一|你是个|你的任务)
  | \bpre-compaction\ memory\ flush\b | \ba\ new\ session\ was\ started\ via\b
  | \(untrusted\ metadata\) | \breview\ the\ conversation\ above\b
  | \bstore\ durable\ memories\ now\b | ^[ \t]*<<<|\buntrusted\ context\b
  | \bit\ has\ been\ \d+\ minutes\ since\ you\ started\ trading\b
    """,
    re.MULTILINE,
)
"""Openings of prompts that hosts and schedules send: OpenClaw, Hermes, trading loops."""

_SHELL: Final = expression(
    r"(?m)^[ \t]*(?:[$%]|>>>|PS [A-Z]:[^\n>]*>|[\w.-]+@[\w.-]+[:~][^\n$#]*[$#])[ \t]+[a-z./~_]"
)
"""A line typed into a shell: what stands below it is its output."""

_ENVELOPE: Final = expression(r"^\s*\[[^\]\n]{0,80}\d{4}-\d\d-\d\d[^\]\n]{0,40}\]\s*")
"""What hosts put before the words of a channel: `[Telegram Sam 2026-03-01 12:00 UTC]`."""

_TAG: Final = expression(r"(?s)<([A-Za-z][\w.:-]{0,63})(?:\s[^<>]{0,200})?>.*?(?:</\1\s*>|\Z)")
_SQUARE_BLOCK: Final = expression(r"(?is)\[system note\b.*?(?:\n[ \t]*\n|\Z)")
_CODE: Final = expression(r"(?s)(?:```|~~~).*?(?:```|~~~|\Z)")
_REPLY_BELOW: Final = expression(
    r"(?ims)^(?:-{3,}\s*original message.*|on .{5,120} wrote:\s*$.*"
    r"|am .{5,120} schrieb .{0,80}:\s*$.*)"
)

_MACHINE_LINE: Final = expression(
    r"""(?xi)
    ^(?: [{}\[\]"] .* [{}\[\],:"] $                                   # JSON
    | "[^"]{1,80}"\s*: | [\w.-]{1,60}\s*=\s*\S+$ | [\w.-]{1,40}:\s*[\d{\["] .*
    | \[?\(?\d{4}-\d\d-\d\d[T ]\d\d:\d\d | \d\d:\d\d:\d\d\b           # logs
    | (?:debug|info|warn(?:ing)?|error|fatal|trace|critical)\b\s*[\]:|-]
    | [$%>]\s+\S | >>> | \.\.\.\s | PS\s[A-Z]:\\ | [\w.-]+@[\w.-]+[:~].*[$\#] | (?:sudo|npm|pip
    |git|docker|curl|cd|ls|cat)\s+\S
    | traceback\b | \s*file\ ".*",\ line\ \d | at\s+[\w.$<>]+\( | \w+(?:error
    |exception):   # stack traces
    | (?:\+\+\+|---|@@|diff\s|index\s[0-9a-f]{6}) | [+-]\s{0,2}\w+\(.*
    | \|.*\| | [-=_*\#~]{3,}$ | </?\w | https?://\S+$ | <!--
    | (?:import|from|def|class|return|const|let|var|function|public|private|select|insert
    |update)\s+[\w*{(]+.*[;:{}()]\s*$
    | (?:modified|deleted|new\ file|on\ branch|nothing\ to\ commit|your\ branch)\b
    | [^\s,;\t]{1,30}(?:[,;\t][^,;\t]{0,30}){4,}$                     # rows of a table
    )
    """
)
_HEADING: Final = expression(r"^\s{0,3}#{1,6}\s+\S")
_BULLET: Final = expression(r"^\s*(?:[-*•·✅❌]|\d{1,2}[.)])\s+")
_BOLD_FIELD: Final = expression(r"^\s*(?:[-*•]\s*)?\*\*[^*\n]{1,60}\*\*")
_QUOTED_LINE: Final = expression(r"^\s*(?:>|\|)")
_PATH: Final = expression(r"(?:^|[\s`(])(?:~|\.{1,2})?/[\w.-]+/[\w./-]+|\b[A-Z]:\\\\")
"""A path of a file: notes on machines, which say nothing of a trader."""

_SPEAKER: Final = expression(r"^\s*(?:\[[^\]\n]{1,30}\]\s*)?(\w[\w .-]{0,24})\s*[:：]\s*\S")
_ASIDES: Final = frozenset(
    [
        ("ps"),
        "p.s",
        "note",
        "remember",
        "btw",
        "fyi",
        "reminder",
        "edit",
        "update",
        "also",
        "important",
        "hinweis",
        "übrigens",
        "merke",
        "nota",
        "recuerda",
        "importante",
        "observação",
        "remarque",
        "注意",
        "记住",
        "备注",
        "另外",
        "important",
        "one",
        "thing",
    ]
)
"""Words before a colon that name no speaker."""


def own_text(message: str) -> str | None:
    """Return the lines of a message that a person may have typed; None if no person sent it.

    Lines that are left out leave an empty line, so that what stood around them is not joined.
    """
    text = _ENVELOPE.sub("", message, count=1)
    text = _REPLY_BELOW.sub(
        "", _SQUARE_BLOCK.sub("\n\n", _TAG.sub("\n\n", _CODE.sub("\n\n", text)))
    )
    if len(text) > MAX_PROSE_CHARS or _PROMPT.search(text) or _SHELL.search(text):
        return None
    lines = text.splitlines()
    filled = [line for line in lines if line.strip()]
    if _is_document(filled):
        return None
    made = {line for line in filled if _is_machine(line)}
    if sum(line in made for line in filled) > _MOST_MACHINE * len(filled):
        return None
    return "\n".join("" if line in made or _is_left_out(line) else line for line in lines)


def _is_document(lines: list[str]) -> bool:
    headings = sum(1 for line in lines if _HEADING.match(line) or _BOLD_FIELD.match(line))
    items = sum(1 for line in lines if _BULLET.match(line))
    sections = sum(1 for line in lines if line.strip() == "§")
    return headings >= _MANY_HEADINGS or items >= _MANY_ITEMS or bool(sections)


def _is_machine(line: str) -> bool:
    return bool(_MACHINE_LINE.match(line.strip())) or line.startswith(("    ", "\t"))


def _is_left_out(line: str) -> bool:
    return (
        bool(_QUOTED_LINE.match(line))
        or bool(_PATH.search(line))
        or bool(_HEADING.match(line))
        or bool(_BOLD_FIELD.match(line))
        or _names_speaker(line)
    )


def _names_speaker(line: str) -> bool:
    speaker = _SPEAKER.match(line)
    if speaker is None or "://" in line[:12]:
        return False
    name = speaker[1].strip().lower()
    return len(name.split()) <= 2 and name not in _ASIDES
