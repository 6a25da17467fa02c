"""The value of a label: its range, and how it is tied to the label."""

import re
from typing import Final, NamedTuple

from afterword.pipeline.expression import expression
from afterword.pipeline.rules.masking.finding import MARKER
from afterword.pipeline.rules.masking.labels import Label


class LabelledValue(NamedTuple):
    """The value behind a label.

    Args:
        start: index of its first character, after quotes and schemes such as `Bearer`.
        end: index after its last character.
        text: the part to be judged: at most 256 characters without quotes.
        is_quoted: whether quotes mark its end.
        is_assigned: whether a sign ties it to its label, not only a word or a space.
        on_next_line: whether a line break is between them.
        ends_line: whether nothing but the next pair or line follows.
    """

    start: int
    end: int
    text: str
    is_quoted: bool = True
    is_assigned: bool = True
    on_next_line: bool = False
    ends_line: bool = True


_QUALIFIER: Final = expression(
    r"\s{0,3}[(（][^()（）\n]{0,40}[)）]"
    r"|\s{1,3}(?:for|on|of|at|to)(?:\s{1,3}[\w.-]{1,24}){1,3}?(?=\s{0,3}[:=：]|\s{1,3}is\s)"
)
_ASSIGNS: Final = expression(
    r"""(?x)
    (?:\\{0,4}["'`] | [”’」』*\]])? \s{0,8}
    (?: => | := | == | -> | [=:：＝|] | > | (?<=\s)lautet:?(?=\s) )
    \s{0,40} (?:[-|]\s{1,8} | [burf]{1,2}(?=["']) | \[(?!masked:)\s{0,8})?
    """
)
_SAYS: Final = expression(
    r"""(?x)
    (?: \\{0,4}["'`] | [”’」』] )?
    (?: \s{1,8} (?:(?:was|is|has\sbeen)\s{1,8})? (?:set|changed|updated)\s{1,8}to\s{1,8}
      | \s{1,8} (?: is | was | are | as | reads | es | era | est | était | ist | war | è | é | foi
          | это | является | [-–—→] ) \s{1,8} (?:now\s{1,8})?
      | \s{0,8} (?:是|为|為|改成|は|는|은) [：:]? \s{0,8}
      | \s{1,8}
      | (?<=[\u4e00-\u9fff]) )
    """
)
_OPENS: Final = expression(r"""\"{3}|'{3}|\\{0,4}["'`]|[“‘「『]""")
_CLOSES: Final = {"“": "”", "‘": "’", "「": "」", "『": "』"}
_BARE: Final = expression(  # up to white space, a quote, or the start of the next pair
    r"""(?x)
    (?: [!#-%(-+./0-:=?-_a-{}~\u00a1-\u024f\u0370-\u1fff-]++
      | (?! [,;&|] \s{0,3} \\{0,4}["']? [\w.-]{1,40} \\{0,4}["']? \s{0,3} [=:] ) [,;&|] )+
    """
)
_QUERY: Final = expression(r"[!$%'-;=?-_a-~]+")
_SCHEME: Final = expression(r"(?:bearer|basic|token|bot|apikey|digest)\s{1,8}", re.IGNORECASE)
_COOKIES: Final = expression(r"[^\s\"'`=;]{1,128}=[^\n\"'`]{6,}")
_PLAIN_WORDS: Final = expression(r"[a-z]{2,12}(?:[ -][a-z]{2,12}){2,23}(?![ \w])")
_CLOSING: Final = ".,;:?)]}"
_LONGEST_QUOTED: Final = 4096
_LONGEST_JUDGED: Final = 256


def value_after(text: str, label: Label) -> LabelledValue | None:
    """Return the value of a label in a text; None if there is none or it is already masked."""
    at = label.end
    if qualifier := _QUALIFIER.match(text, at):
        at = qualifier.end()
    assigned = _ASSIGNS.match(text, at)
    tied = assigned or _SAYS.match(text, at)
    if tied is None:
        return None
    value = _read(text, tied.end(), label, assigned is not None)
    return value._replace(on_next_line="\n" in tied[0]) if value else None


def value_of_field(label: Label, text: str) -> LabelledValue | None:
    """Return a whole text as the value of a field's label; None if it is already masked.

    Blanks around it are masked with it, but do not make it longer: `403` and `403 ` are one value.
    """
    start = _after_scheme(text, 0, label)
    if MARKER.match(text, start):
        return None
    return LabelledValue(start, len(text), text[start:].strip())


def whole_end(text: str, label: Label, value: LabelledValue) -> int:
    """Return the end of a value of which only the start was judged."""
    if value.is_quoted or len(value.text) < _LONGEST_JUDGED:
        return value.end
    rest = _unquoted(label).match(text, value.end)
    return rest.end() if rest else value.end


def _read(text: str, start: int, label: Label, is_assigned: bool) -> LabelledValue | None:
    opened = _OPENS.match(text, start)
    at = _after_scheme(text, opened.end() if opened else start, label)
    if MARKER.match(text, at):
        return None
    if label.kind == "cookie":
        cookies = _COOKIES.match(text, at)
        return (
            LabelledValue(at, cookies.end(), cookies[0], is_assigned=is_assigned)
            if cookies
            else None
        )
    if opened and (end := _closing(text, at, opened[0])) is not None:
        return LabelledValue(at, end, text[at:end], is_assigned=is_assigned)
    if is_assigned and "phrase" in text[label.start : label.end].lower():
        words = _PLAIN_WORDS.match(text, at)
        if words:
            return LabelledValue(at, words.end(), words[0])
    match = _unquoted(label).match(text, at, at + _LONGEST_JUDGED)
    if match is None:
        return None
    word = match[0].rstrip(_CLOSING) if len(match[0]) < _LONGEST_JUDGED else match[0]
    end = at + len(word)
    following = text[end : end + 2].strip(_CLOSING)
    ends_line = not following or following[0] in "\n\"'&<\\"
    return LabelledValue(at, end, word, False, is_assigned, ends_line=ends_line)


def _unquoted(label: Label) -> re.Pattern[str]:
    return _QUERY if label.in_query else _BARE


def _after_scheme(text: str, at: int, label: Label) -> int:
    scheme = _SCHEME.match(text, at) if label.kind == "authorization" else None
    return scheme.end() if scheme else at


def _closing(text: str, start: int, quote: str) -> int | None:
    """Return the index of the closing quote; None without one."""
    closer = _CLOSES.get(quote, quote)
    limit = start + _LONGEST_QUOTED
    end = text.find(closer, start, limit)
    while end > 0 and text[end - 1] == "\\" and len(quote) == 1:
        end = text.find(closer, end + 1, limit)
    return None if end < 0 or "\n" in text[start:end] else end
