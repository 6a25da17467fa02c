"""The methodologies of a replay: what is told apart from luck, and what was tried."""

from collections.abc import Iterator, Sequence
from typing import Final

from afterword.pipeline.operations.replay_report.model import (
    GateCount,
    Graduation,
    HitShare,
    ReplayMethod,
    ReplayReport,
)
from afterword.pipeline.views.blocks import (
    Block,
    Detail,
    Items,
    Paragraph,
    Section,
    Table,
    paragraphs,
)
from afterword.pipeline.views.cells import Bet, Cell, Interval
from afterword.pipeline.views.numbers import NONE, count, percent, times_words
from afterword.pipeline.views.replay.method_words import (
    STATE_WORDS,
    before_after_words,
    graduation_words,
    months,
    nearest_words,
    needed_words,
    placebo_words,
    share_of,
    short_share,
)

_MOST_METHODS: Final = 8
"""Methodologies of a text; a page folds the others, and --json has all of them."""

_COLUMNS: Final = ("method", "state", "right", "base", "95 %", "bet", "verdict in", "literal")
_PASSED: Final = (
    *("ever let through", "written", "with an outcome", "promising"),
    *("strict gate", "literal rule"),
)
_PICTURE: Final = (
    "95 %: from 0 to 100 %; the dot is the share that was right, the thick line its 95 % interval, "
    "the dashed mark the base. Bet: in powers of ten; the line begins at 1, the tick is 20, the "
    "dashed mark what graduates one more."
)


def luck_section(report: ReplayReport) -> list[Block]:
    """Return what the gates let through, and how much of it may be luck."""
    if not report.methods:
        return []
    tried = report.tried
    stories = [
        graduation_words(method.name, graduation)
        for method in report.graduated()
        for graduation in method.graduations
        if graduation.gate == report.head.gate and graduation.ended_at is None
    ]
    sentences = [nearest_words(report), tried.words, *map(before_after_words, tried.before_after)]
    passed = [["methods", *_counts(tried.methods)], ["placebos", *_counts(tried.placebos)]]
    blocks = [
        *paragraphs(stories, "named"),
        *paragraphs([*sentences, placebo_words(report)]),
        Detail("", [Table(_PASSED, passed)]),
    ]
    return [Section("What can be told apart from luck", blocks, place="luck")]


def tried_section(report: ReplayReport) -> list[Block]:
    """Return the methodologies with their records; a text leaves out what only placebos tried."""
    if not report.methods:
        return []
    own = [method for method in report.methods if not method.is_placebo]
    blocks: list[Block] = []
    if own:
        blocks += [_table(report, own[:_MOST_METHODS]), Paragraph(_how_to_read(report, len(own)))]
    blocks.append(Detail("", list(_rest(report, own[_MOST_METHODS:]))))
    section = Section("What was tried", blocks, place="methods")
    return [section] if own else [Detail("", [section])]


def _how_to_read(report: ReplayReport, own: int) -> str:
    bar = report.tried.bar
    bet = "" if bar is None else f" One more graduates at a bet of {times_words(bar)}."
    rest = len(report.methods) - min(own, _MOST_METHODS)
    more = f" {rest:,} more, placebos among them: --html, --json." if rest else ""
    return (
        "open: not told apart from luck; right: of stretches, decisions that share prices being "
        "one; base: the share without skill; bet: what a bet of 1 on it became."
        f"{bet}{more}"
    )


def _rest(report: ReplayReport, own: Sequence[ReplayMethod]) -> Iterator[Block]:
    """Yield what a text leaves out: pictures' words, other methods and placebos, what each says."""
    applied = [method for method in report.methods if method.decisions]
    more = [method for method in own if method.decisions]
    placebos = [method for method in applied if method.is_placebo]
    idle = [
        method.name
        for method in report.methods
        if not method.decisions and (method in own or method.is_placebo)
    ]
    yield Paragraph(_PICTURE, "quiet")
    if applied:
        yield Detail(
            "What each says, and when it was graduated", [Items(list(map(_story, applied)))]
        )
    if more:
        yield Detail(count(len(more), "more method"), [_table(report, more)])
    if placebos:
        yield Detail(count(len(placebos), "placebo"), [_table(report, placebos)])
    if idle:
        yield Detail(f"{len(idle):,} that no decision applied", [Items(idle)])


def _table(report: ReplayReport, methods: Sequence[ReplayMethod]) -> Table:
    rows = [_row(method, report.tried.bar) for method in methods]
    return Table(_COLUMNS, rows, spare=("literal", "95 %"))


def _row(method: ReplayMethod, bar: float | None) -> list[Cell]:
    share = method.strict
    is_open = method.state != "graduated" and method.months_needed is not None
    return [
        method.name,
        STATE_WORDS[method.state],
        share_of(share),
        NONE if share.base is None else percent(share.base),
        _interval(share),
        Bet(method.e_value, bar) if share.uses else NONE,
        months(method.months_needed or 0.0) if is_open else NONE,
        share_of(method.literal),
    ]


def _interval(share: HitShare) -> Cell:
    if share.rate is None:
        return NONE
    return Interval(share.low, share.rate, share.high, share.base)


def _story(method: ReplayMethod) -> str:
    """Return what a methodology says, how far it is from a verdict, and when it was graduated."""
    text = "" if method.text == method.name else f": {method.text.removesuffix('.')}"
    sentences = [f"{method.name}, {STATE_WORDS[method.state]}{text}."]
    if method.state != "graduated":
        sentences.append(f"Until a verdict: {needed_words(method)}.")
    sentences += [
        _strict(graduation) for graduation in method.graduations if graduation.gate == "strict"
    ]
    literal = [graduation for graduation in method.graduations if graduation.gate == "literal"]
    if literal:
        sentences.append(_literal(literal))
    return " ".join(sentences)


def _strict(graduation: Graduation) -> str:
    return f"Graduated {graduation.at:%Y-%m-%d}: {_until_and_since(graduation)}."


def _literal(graduations: Sequence[Graduation]) -> str:
    last = graduations[-1]
    times = "" if len(graduations) == 1 else f"{len(graduations)} times, last "
    return f"By the literal rule {times}from {last.at:%Y-%m-%d}: {_until_and_since(last)}."


def _until_and_since(graduation: Graduation) -> str:
    since = NONE if graduation.since is None else short_share(graduation.since)
    ended = "" if graduation.ended_at is None else f"; demoted {graduation.ended_at:%Y-%m-%d}"
    return f"{short_share(graduation.before)} until then, {since} since{ended}"


def _counts(counts: GateCount) -> list[Cell]:
    return [counts.written, counts.voted, counts.promising, counts.strict, counts.literal]
