"""Read blocks of prompts and pages back to their lines: what was rendered, and nothing else."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from afterword.pipeline.recall.page import block as page_block
from afterword.pipeline.recall.prompts import brief_block, places, snapshot_block
from afterword.pipeline.recall.prompts.places import ALL_SHOWN, More
from afterword.pipeline.recall.prompts.prompt_lessons import (
    LABELS_NOTE,
    LessonLine,
    read_lesson_line,
)
from afterword.pipeline.recall.prompts.snapshot_block import (
    Observation,
    ProfileValue,
    SessionSnapshot,
)

_PAGE_LINE: Final = re.compile(r"- (?:(\d{4}-\d\d-\d\d) )?\[([a-z_]+)\] (.+)")
_PAGE_TITLE: Final = re.compile(r"## ([\w ]+)")
_BRIEF_LINE: Final = re.compile(r"- \[([a-z]+)\] (.+) \((\d+)d ago\)")
_VALUE: Final = re.compile(r"- ([^\s:]+): (.+)")
_OBSERVATION: Final = re.compile(r"\[([a-z_]+)\] (.+)")
_MORE: Final = re.compile(
    rf"\(([\d,]+) more are not shown(?:, (over )?([\d,]+) of them {places._RULES})?: .+\)"
)


class ParsedLine(NamedTuple):
    """A line of a page, parsed; `day` is empty where it has none."""

    title: str
    day: str
    label: str
    text: str


@dataclass(frozen=True, slots=True)
class ParsedPage:
    """A page, parsed."""

    key: str
    head: tuple[str, ...]
    lines: tuple[ParsedLine, ...]


class BriefLine(NamedTuple):
    """A line of the block, parsed."""

    type: str
    content: str
    age_days: int
    behavioral: bool


def parse_page(text: str) -> ParsedPage:
    """Return the lines of a page; of a rendered one, exactly those it was rendered from.

    Raises:
        ValueError: a line does not belong to a page.
    """
    first, *rest = text.removesuffix("\n").split("\n")
    if not first.startswith("# ") or rest[:3] != ["", page_block._NOTE, ""]:
        raise ValueError("not a page: the title is missing")
    title = ""
    head: list[str] = []
    lines: list[ParsedLine] = []
    for line in rest[3:]:
        if heading := _PAGE_TITLE.fullmatch(line):
            title = heading[1]
        elif title and (match := _PAGE_LINE.fullmatch(line)):
            lines.append(ParsedLine(title, match[1] or "", match[2], match[3]))
        elif not title and line.startswith("- "):
            head.append(line.removeprefix("- "))
        elif line:
            raise ValueError(f"not a page: unknown line {line!a:.40}")
    return ParsedPage(first.removeprefix("# "), tuple(head), tuple(lines))


def parse_brief(text: str) -> list[BriefLine]:
    """Return the entries of a block; of a rendered one, exactly those it was rendered from.

    Raises:
        ValueError: a line does not belong to a block.
    """
    return [line for line in _parsed(text) if isinstance(line, BriefLine)]


def parse_brief_lessons(text: str) -> list[LessonLine]:
    """Return the lessons of a block, as `parse_brief` returns its entries.

    Raises:
        ValueError: a line does not belong to a block.
    """
    return [line for line in _parsed(text) if isinstance(line, LessonLine)]


def _parsed(text: str) -> list[BriefLine | LessonLine]:
    parsed: list[BriefLine | LessonLine] = []
    if not text:
        return parsed
    begin, *lines = text.split("\n")
    if begin != brief_block._TITLE:
        raise ValueError("not a brief: the title is missing")
    behavioral = True
    for line in lines:
        if line in (brief_block._BEHAVIORAL, brief_block._FACTS):
            behavioral = line == brief_block._BEHAVIORAL
        elif entry := _BRIEF_LINE.fullmatch(line):
            parsed.append(BriefLine(entry[1], entry[2], int(entry[3]), behavioral))
        elif lesson := read_lesson_line(line):
            parsed.append(lesson)
        elif read_more_line(line) is None and line not in (
            "",
            brief_block._INTRODUCTION,
            *brief_block._WARNING,
            brief_block._LESSONS,
            LABELS_NOTE,
        ):
            raise ValueError(f"not a brief: unknown line {line!a:.40}")
    return parsed


def parse_snapshot(text: str) -> SessionSnapshot:
    """Return the lines of a block; of a rendered one, exactly those it was rendered from.

    Raises:
        ValueError: a line does not belong to a block.
    """
    if not text:
        return SessionSnapshot()
    lines = text.split("\n")
    if tuple(lines[:2]) != snapshot_block._OPEN or lines[-1] != snapshot_block._CLOSE:
        raise ValueError("not a block: the fence is missing")
    body = lines[2:-1]
    more = read_more_line(body[-1]) if body else None
    if more is not None:
        body = body[:-1]
    observed = (
        body.index(snapshot_block._OBSERVATIONS)
        if snapshot_block._OBSERVATIONS in body
        else len(body)
    )
    learned = (
        body.index(snapshot_block._LESSONS)
        if snapshot_block._LESSONS in body[:observed]
        else observed
    )
    return SessionSnapshot(
        tuple(
            ProfileValue(*parts)
            for parts in _below(snapshot_block._PROFILE, _VALUE, body[:learned])
        ),
        tuple(
            Observation(*parts)
            for parts in _below(snapshot_block._OBSERVATIONS, _OBSERVATION, body[observed:])
        ),
        tuple(_lessons_below(body[learned:observed])),
        more or ALL_SHOWN,
    )


def _lessons_below(lines: Sequence[str]) -> Iterator[LessonLine]:
    for line in lines[1:]:
        lesson = read_lesson_line(line)
        if lesson is None:
            raise ValueError(
                f"not a block: unknown line {line!a:.40} below {snapshot_block._LESSONS}"
            )
        yield lesson


def _below(heading: str, form: re.Pattern[str], lines: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield the parts of each line below a heading."""
    if lines and lines[0] != heading:
        raise ValueError(f"not a block: {lines[0]!a:.40} instead of {heading}")
    for line in lines[1:]:
        match = form.fullmatch(line)
        if match is None:
            raise ValueError(f"not a block: unknown line {line!a:.40} below {heading}")
        yield match.groups()


def read_more_line(line: str) -> More | None:
    """Return what a line of `more_line` says; None for another line."""
    match = _MORE.fullmatch(line)
    if match is None:
        return None
    total, standing = (int((match[part] or "0").replace(",", "")) for part in (1, 3))
    return More(total, standing, match[2] is not None)
