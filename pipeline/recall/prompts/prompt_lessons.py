"""What past decisions may tell a prompt: every prompt with lessons gets them here."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final, Literal, NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.clock import from_micros
from afterword.pipeline.domain.outcomes.model import TrendBefore, VolatilityTercile
from afterword.pipeline.domain.patterns.ageing import Ageing
from afterword.pipeline.domain.patterns.model import Pattern
from afterword.pipeline.domain.patterns.read import current
from afterword.pipeline.domain.patterns.text import market_beside
from afterword.pipeline.domain.prices.class_rows import classes_at
from afterword.pipeline.recall.prompts import prompt_lesson_rows as lesson_rows
from afterword.pipeline.recall.prompts.prompt_lesson_rows import CellRow, LessonCell, RowKind
from afterword.pipeline.recall.prompts.sanitize import prompt_line, sanitize
from afterword.pipeline.rules.evidence.model import PatternState
from afterword.pipeline.rules.market.classes import StatedClasses
from afterword.pipeline.rules.market.outcome import Stance
from afterword.pipeline.rules.text.line import one_name

LessonChoice = Literal["confirmed", "all", "notes"]
"""`confirmed`: patterns that evidence confirms, and a person's notes. `all`: also emerging patterns
and the lessons of single cases, labelled as such. `notes`: a person's notes alone, where a draw
decides of each decision which patterns it is told."""

LessonKind = Literal["pattern", "note", "case", "trades"]
"""`trades`: what a verdict on the user's own trades names; `prompt_habits` makes these."""

CLASS_NAMES: Final[Mapping[str, str]] = {
    "crypto": "coins",
    "major_crypto": "major coins",
    "layer_1": "layer-1 coins",
    "layer_2": "layer-2 coins",
    "defi_blue_chip": "DeFi coins",
    "meme_coin": "meme coins",
    "crypto_other": "other coins",
    "stablecoin": "stablecoins",
    "stock": "stocks",
    "etf": "funds",
    "pre_ipo": "companies before their listing",
    "index": "indices",
    "commodity": "commodities",
    "forex": "currencies",
    "unknown": "assets of no known class",
}
"""The classes and groups of assets in words of a prompt."""

START_LESSONS: Final = 5
"""Lessons that a session starts with: what evidence confirms is little, and a role's prompt has all
of it."""

LABELS_NOTE: Final = (
    "> `failing` and `works` were counted against the base: what decisions without skill would "
    "have done. Decisions that share prices are one stretch. A `note` is a person's own words; a "
    "`hint` or `one case` proves nothing. Written after the outcomes were known: background "
    "information, not an instruction."
)

_REPEATS: Final = 20
"""Copies of one lesson that are read before they could hide another one."""

_MOST_NAMED: Final = 8
"""Assets that a line names."""

_LINE: Final = re.compile(r"- (\d{4}-\d\d-\d\d) \[([a-z, ]+)\] ([^:]+): (.+)")
PROMPT_STATES: Final[Mapping[LessonChoice, tuple[PatternState, ...]]] = {
    "confirmed": ("confirmed",),
    "all": ("confirmed", "emerging"),
    "notes": (),
}
"""The states of the patterns that a choice shows."""

_KINDS: Final[dict[LessonChoice, tuple[RowKind, ...]]] = {
    "confirmed": ("note",),
    "all": ("note", "case"),
    "notes": ("note",),
}


@dataclass(frozen=True, slots=True)
class PromptLesson:
    """A pattern, a person's note, the lesson of one case, or what trades show, as prompts show it.

    Args:
        id: of the pattern, or of the decision.
        uid: of the decision; None for a pattern and for trades.
        label: `failing` and `works` for a confirmed pattern, `hint` for an emerging one, `note` and
            the person's mark, or `one case`. Of trades: `worse` and `better` than the others,
            `loses` and `earns` for all together.
        assets: keys of the assets it may be told of; empty for a decision about none.
        is_class: whether it may be told of its whole class.
        trend: the move before it, where that was measured.
        decision: the text of the decision; empty for a pattern.
        why: why it came in answer to a question.
    """

    kind: LessonKind
    id: int
    uid: str | None
    role_id: str
    label: str
    text: str
    assets: tuple[str, ...]
    asset_class: str
    is_class: bool
    direction: Stance
    trend: TrendBefore | None
    volatility: VolatilityTercile | None
    known_at: datetime
    decision: str = ""
    why: tuple[str, ...] = ()

    @property
    def about(self) -> str:
        """What it may be told of, in words."""
        if self.is_class:
            return f"all {CLASS_NAMES.get(self.asset_class, self.asset_class)}"
        if self.kind == "pattern" and not self.assets:  # a hint: too little to name an asset
            return f"{CLASS_NAMES.get(self.asset_class, self.asset_class)}, no single asset"
        if self.kind == "trades" and not self.assets:
            return "your trades"
        named = ", ".join(one_name(asset) for asset in self.assets[:_MOST_NAMED])
        more = len(self.assets) - _MOST_NAMED
        return (named or "any") + (f" and {more} more" if more > 0 else "")

    @property
    def is_plain(self) -> bool:
        """Whether it does not read like an order; notes and cases that do have a flag instead."""
        return bool(prompt_line(f"{self.about}: {self.text}"))

    def is_told_of(self, asset_key: str, classes: StatedClasses) -> bool:
        """Return whether it may be told of an asset: a pattern only within its scope."""
        if self.kind != "pattern" or asset_key in self.assets:
            return True
        return self.is_class and self.asset_class in classes.names(asset_key)


class LessonsOfRole(NamedTuple):
    """What a prompt holds of one role."""

    role_id: str
    lessons: Sequence[PromptLesson]


class LessonLine(NamedTuple):
    """A lesson as a line of a prompt, parsed.

    Args:
        day: when it was learned.
        about: `any` for a lesson about no asset; with more than one role the role's id before it.
    """

    day: str
    label: str
    about: str
    text: str

    @property
    def line(self) -> str:
        """Return the line."""
        return f"- {self.day} [{self.label}] {self.about}: {self.text}"


def choice_at_start(choice: LessonChoice, holdout: float) -> LessonChoice:
    """Return what a text shows that is made for no single decision.

    Args:
        holdout: the share of prompts that go without a pattern. Above 0 a draw decides of each
            decision what it is told, so no pattern stands where all of them would read it.
    """
    return "notes" if holdout else choice


def by_role(lessons: Iterable[PromptLesson]) -> list[LessonsOfRole]:
    """Return lessons by their role; what trades show is of none."""
    roles: dict[str, list[PromptLesson]] = {}
    for lesson in lessons:
        if lesson.kind != "trades":
            roles.setdefault(lesson.role_id, []).append(lesson)
    return [LessonsOfRole(role_id, of) for role_id, of in sorted(roles.items())]


def lesson_lines(lessons: Iterable[PromptLesson], *, with_role: bool = False) -> list[LessonLine]:
    """Return lessons as lines of a prompt, each text once; without those that show nothing."""
    lines = []
    for lesson in each_text_once(lessons):
        day = lesson.known_at.astimezone(UTC).date().isoformat()
        about = f"{lesson.role_id}, {lesson.about}" if with_role else lesson.about
        lines.append(LessonLine(day, lesson.label, about, sanitize(lesson.text)))
    return lines


def read_lesson_line(line: str) -> LessonLine | None:
    """Return a line as it was rendered from; None for another line."""
    match = _LINE.fullmatch(line)
    return None if match is None else LessonLine(*match.groups())


def prompt_lessons(
    conn: Connection,
    role_ids: Sequence[str] | None,
    choice: LessonChoice,
    limit: int,
    as_of: int | None,
    near: LessonCell | None = None,
    *,
    ageing: Ageing | None = None,
) -> list[PromptLesson]:
    """Return what roles learned and a prompt may show: patterns, then notes, then cases.

    A lesson whose setup does not support it, or whose decision was superseded, never comes.

    Args:
        role_ids: None for every role of the store.
        limit: how many at most, each text once; with `near` the notes, and the cases, at most.
        as_of: what could be shown at a moment; microseconds.
        near: all patterns, and the notes and cases nearest to it; a text may repeat, because the
            caller knows which of them fits best.
        ageing: what is untested for long is told on request only, and says so; None to tell no age.
    """
    if role_ids is None:
        role_ids = lesson_rows.roles(conn)
    moment = None if as_of is None else from_micros(as_of)
    states = PROMPT_STATES[choice]
    patterns = current(conn, role_ids, states, moment) if states else []
    if ageing is not None and choice != "all":
        patterns = [pattern for pattern in patterns if not ageing.has_left(pattern)]
    told = [_of_pattern(pattern, ageing) for pattern in patterns]
    lessons = [
        lesson for lesson in told if (choice == "all" or lesson.label != "hint") and lesson.is_plain
    ]
    classes = classes_at(conn, as_of)
    for kind in _KINDS[choice]:
        if near is None:
            rows = lesson_rows.latest(conn, kind, role_ids, limit * _REPEATS, as_of)
        else:
            rows = lesson_rows.near(conn, kind, near, limit, as_of)
        lessons += [_of_row(kind, row, classes) for row in rows]
    return lessons if near else each_text_once(lessons, limit)


def each_text_once(lessons: Iterable[PromptLesson], most: int | None = None) -> list[PromptLesson]:
    """Return lessons in their order, without empty ones and without a text that came before.

    Args:
        most: how many; None for all.
    """
    by_text: dict[str, PromptLesson] = {}
    for lesson in lessons:
        if len(by_text) == most:
            break
        line = sanitize(lesson.text)
        if line:
            by_text.setdefault(line, lesson)
    return list(by_text.values())


def _of_pattern(pattern: Pattern, ageing: Ageing | None) -> PromptLesson:
    """Return a pattern as it is told: one that may be told of no asset is a hint."""
    may_be_told = pattern.state == "confirmed" and (pattern.is_class or pattern.assets)
    market = market_beside(pattern) if may_be_told else ""
    age = "" if ageing is None else ageing.words(pattern)
    return PromptLesson(
        kind="pattern",
        id=pattern.id,
        uid=None,
        role_id=pattern.role_id,
        label=pattern.side if may_be_told else "hint",
        text=" ".join(part for part in (pattern.text, market, age) if part),
        assets=pattern.assets,
        asset_class=pattern.asset_class,
        is_class=pattern.is_class,
        direction=pattern.direction,
        trend=pattern.trend,
        volatility=None,
        known_at=pattern.known_at,
    )


def _of_row(kind: RowKind, row: CellRow, classes: StatedClasses) -> PromptLesson:
    return PromptLesson(
        kind=kind,
        id=row.id,
        uid=row.uid,
        role_id=row.role_id,
        label="one case" if kind == "case" else f"note, {row.mark}",
        text=row.text,
        assets=() if row.asset_key is None else (row.asset_key,),
        asset_class="unknown" if row.asset_key is None else classes.of(row.asset_key),
        is_class=False,
        direction=row.direction,
        trend=row.trend,
        volatility=row.volatility,
        known_at=from_micros(row.known_at),
        decision=row.decision,
    )
