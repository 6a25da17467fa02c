"""What a tag, or a text of the profile, comes from: answers, trades, and what was said before.

A tag is named `tag:risk`, a text `profile:custom_prompt`. The line of a portrait names the same:
`risk: Conservative (declared)`, with its dash or without.
"""

import re
from collections.abc import Iterator
from typing import Final

from sqlalchemy import Connection, text

from afterword.pipeline.clock import from_micros
from afterword.pipeline.domain.lineage.model import Cause, LineageStep
from afterword.pipeline.domain.prices.class_rows import classes_at
from afterword.pipeline.domain.profile import lineage_rows, observed_rows
from afterword.pipeline.domain.profile.answers import answer_label, answer_value
from afterword.pipeline.domain.profile.lineage_rows import StoredTag
from afterword.pipeline.domain.profile.observed import comparisons, trades_until
from afterword.pipeline.domain.profile.portrait import PERSONALIZATION
from afterword.pipeline.domain.profile.tags import declared_tags, tags_at
from afterword.pipeline.rules.user_tags.compared import TagComparison
from afterword.pipeline.rules.user_tags.schema import (
    MARKETS_TAG,
    TAG_DIMENSIONS,
    TAG_SOURCES,
    TagSource,
    parse_stored_tag_value,
    tag_label,
)
from afterword.pipeline.rules.user_tags.traded_markets import traded_market

_NAME: Final = re.compile(r"(?:tag:(?P<dimension>.+)|(?:- )?(?P<line>[^:\n]+): .*)", re.DOTALL)
_PROFILE: Final = re.compile(r"(?:profile:(?P<column>\w+)|(?:- )?(?P<line>[^:\n]+): .*)", re.DOTALL)
_MEMORY_LINE: Final = "[personalization] "
_TEXTS: Final = {
    "custom_prompt": "custom prompt",
    "trading_summary": "trading summary",
    "reference_wallets": "summary of reference wallets",
}
_COLUMNS: Final = {
    "custom_prompt": "custom_prompt",
    "trading_summary": "platform_wallet_summary",
    "reference_wallets": "reference_wallets_summary",
}
_LINES: Final = {"Trades": "trading_summary", "Reference wallets": "reference_wallets"}
_SAID_BY: Final[dict[TagSource, str]] = {
    "user": "declared by the owner",
    "learned_preference": "said by a learned preference",
    "inferred": "concluded by the program",
}
_BY_LINE: Final = text("""
SELECT id FROM memories
WHERE category = :category AND content = :content AND deleted_at IS NULL
ORDER BY superseded_at IS NOT NULL, id DESC LIMIT 1
""")


def tag_lineage(conn: Connection, key: str | int, at: int | None) -> LineageStep | None:
    """Return a tag: the row of each source, and what trades say of its dimension."""
    if isinstance(key, int):
        return _of_row(conn, key)
    named = _NAME.fullmatch(key)
    dimension = named and (named["dimension"] or named["line"])
    if not named or dimension not in TAG_DIMENSIONS or at is None:
        return None
    rows = lineage_rows.tags_of(conn, dimension, at)
    rows.sort(key=lambda row: TAG_SOURCES.index(row.source))
    causes = [
        Cause("beside it" if place else "counts", "tag", row.id) for place, row in enumerate(rows)
    ]
    observed = _observed(conn, dimension, at)
    if observed is not None and observed.observed is not None:
        causes.append(Cause("compared with", "observed_tag", dimension, at))
    if not causes:
        return LineageStep(f"tag:{dimension}", "nothing is known of it")
    says = f"{tag_label(dimension, rows[0].value)}" if rows else "nobody said it"
    return LineageStep(f"tag:{dimension}", says, None, causes)


def observed_lineage(conn: Connection, key: str | int, at: int | None) -> LineageStep | None:
    """Return what trades say of a dimension, and these trades; a tag leads to it."""
    observed = None if at is None else _observed(conn, str(key), at)
    if observed is None or at is None:
        return None
    trades = trades_until(conn, from_micros(at), at)
    causes: Iterator[Cause]
    if key == MARKETS_TAG:
        values = parse_stored_tag_value(MARKETS_TAG, observed.observed or "[]")
        causes = _fills(conn, trades, values)
    else:
        uids = lineage_rows.trips_of(conn, trades, leveraged=key == "risk")
        causes = (Cause("from", "trip", uid) for uid in uids)
    return LineageStep(f"trades of {key}", observed.says, None, tuple(causes))


def answer_lineage(conn: Connection, key: str | int, at: int | None) -> LineageStep | None:
    """Return an answer of the onboarding and the memory that tells it; a tag leads to it."""
    answer = None if at is None else lineage_rows.answer_row(conn, int(key))
    if answer is None:
        return None
    says = answer_label(answer.question, answer_value(answer.question, answer.answer))
    memory = () if answer.memory_id is None else (Cause("told by", "memory", answer.memory_id),)
    return LineageStep(f"answer {answer.question}", says, from_micros(answer.answered_at), memory)


def profile_lineage(conn: Connection, key: str | int, at: int | None) -> LineageStep | None:
    """Return a text of the profile, and the one that it took the place of."""
    name, under = _text_name(str(key))
    if name is None or at is None:
        return None
    said = lineage_rows.profile_text(conn, _COLUMNS[name], at, under)
    if said is None:
        return None if under else LineageStep(f"profile:{name}", f"there is no {_TEXTS[name]}")
    before = Cause("took the place of", "profile", f"profile:{name}<{said.row_id}", at)
    has_before = lineage_rows.profile_text(conn, _COLUMNS[name], at, said.row_id) is not None
    causes = (before,) if has_before else ()
    return LineageStep(f"profile:{name}", said.words, said.since, causes)


def portrait_memory(conn: Connection, key: str | int, at: int | None) -> LineageStep | None:
    """Return the memory that a line of a portrait tells, as its cause."""
    if at is None or not isinstance(key, str) or not key.startswith(_MEMORY_LINE):
        return None
    content = key.removeprefix(_MEMORY_LINE).strip()
    values = {"category": PERSONALIZATION, "content": content}
    found = conn.execute(_BY_LINE, values).scalar()
    if found is None:
        return None
    return LineageStep("line of the portrait", content, None, (Cause("tells", "memory", found),))


def _text_name(key: str) -> tuple[str | None, int | None]:
    """Return which text is named, and below which row it is looked for."""
    key, _, under = key.partition("<") if key.startswith("profile:") else (key, "", "")
    named = _PROFILE.fullmatch(key)
    name = named and (named["column"] or _LINES.get(named["line"]))
    if not name or name not in _COLUMNS or (under and not under.isdigit()):
        return None, None
    return name, int(under) if under else None


def _of_row(conn: Connection, row_id: int) -> LineageStep | None:
    tag = lineage_rows.tag_row(conn, row_id)
    if tag is None:
        return None
    causes = list(_causes_of(conn, tag))
    before = lineage_rows.tag_before(conn, row_id)
    if before is not None:
        causes.append(Cause("took the place of", "tag", before))
    says = f"{tag_label(tag.dimension, tag.value)}, {_SAID_BY[tag.source]}"
    if tag.source == "inferred" and tag.dimension == MARKETS_TAG:
        ran = lineage_rows.strategies_at(conn, tag.since)
        says += f"; strategies that ran: {', '.join(ran)}" if ran else ""
    return LineageStep(f"tag {tag.dimension}", says, from_micros(tag.since), causes)


def _causes_of(conn: Connection, tag: StoredTag) -> Iterator[Cause]:
    if tag.source == "user":
        answer = lineage_rows.answer_of(conn, tag)
        if answer is not None:
            yield Cause("answered in the onboarding", "answer", answer, tag.since)
    elif tag.dimension == MARKETS_TAG:
        trades = trades_until(conn, from_micros(tag.since), tag.since)
        yield from _fills(conn, trades, parse_stored_tag_value(MARKETS_TAG, tag.value))


def _fills(
    conn: Connection, trades: observed_rows.TradeWindow, markets: str | tuple[str, ...]
) -> Iterator[Cause]:
    """Yield the fills of a window in some markets, the newest first."""
    classes = classes_at(conn, trades.as_of)
    symbols = {day.symbol for day in observed_rows.by_day(conn, trades)}
    wanted = {symbol for symbol in symbols if traded_market(symbol, classes) in markets}
    for row_id in lineage_rows.fills_of(conn, trades, wanted):
        yield Cause("traded in", "fill", row_id)


def _observed(conn: Connection, dimension: str, at: int) -> TagComparison | None:
    declared = declared_tags(tags_at(conn, at))
    compared = comparisons(conn, from_micros(at), at, declared)
    return next((each for each in compared if each.dimension == dimension), None)
