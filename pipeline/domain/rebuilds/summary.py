"""Rebuild the trading summary (R3's `rebuildTradingSummary`).

gather (each source by itself) → template → ask a model for words → the frame settles

A source that cannot be read keeps its cursor, and its part of the text keeps the words it had. The
figures are of the last days, not of what is new: nothing is lost where a run fails.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import Connection

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.profile.financial_profile import change_profile, profile_at
from afterword.pipeline.domain.rebuilds import summary_rows
from afterword.pipeline.domain.rebuilds.area import WORD_SUMMARY_TASK
from afterword.pipeline.domain.rebuilds.figures import summary_figures
from afterword.pipeline.domain.rebuilds.model import SHADOW_REFUSAL, PreparedRebuild, RebuildState
from afterword.pipeline.domain.rebuilds.parts import RebuildParts
from afterword.pipeline.domain.rebuilds.sentences import (
    REFERENCE_SECTION,
    SECTIONS,
    SOURCES_OF_SECTION,
    composed,
    names_of,
    summary_parts,
)
from afterword.pipeline.domain.rebuilds.sources import latest_ids
from afterword.pipeline.domain.rebuilds.summary_rows import SummaryPart
from afterword.pipeline.domain.rebuilds.word import WordedSummary, word_summary
from afterword.pipeline.errors import InvalidInputError, PostponedError, UnavailableError

_WORDED: Final = "worded"
"""The part that has the text which a model's words took the place of."""


class _SummaryInput(NamedTuple):
    """What a rebuild begins with.

    Args:
        latest: the last row of each source, by cursor.
        computed: the parts that were computed now; `before` those of earlier.
        addresses: of the reference wallets; None where they cannot be read.
        is_told: whether there is a summary; one that was forgotten is not.
    """

    latest: Mapping[str, int]
    computed: Mapping[str, str]
    before: Mapping[str, SummaryPart]
    broken: Mapping[str, str]
    names: frozenset[str]
    addresses: tuple[str, ...] | None
    is_told: bool


def prepare_summary(parts: RebuildParts, state: RebuildState) -> PreparedRebuild:
    """Compute the trading summary, and have a model word it if there is one.

    Raises:
        UnavailableError: the accounts cannot be read.
    """
    gathered = _gather(parts)
    texts, mode = _sections(gathered), parts.mode(WORD_SUMMARY_TASK)
    worded, unfinished = WordedSummary(texts, None, None), None
    if parts.llm is not None and mode.is_enabled and any(texts.values()):
        try:
            worded = _worded(parts, gathered, texts, state)
        except (UnavailableError, PostponedError) as error:
            unfinished = error  # the figures stand all the same, in the words of the template
        except InvalidInputError as error:
            worded = WordedSummary(texts, None, f"gave no answer: {error}")
        if worded.worded_by is not None and not mode.has_effect:
            worded = WordedSummary(texts, None, SHADOW_REFUSAL)
    return PreparedRebuild(
        write=lambda conn, now: _write(conn, now, gathered, texts, worded),
        cursors={
            name: row_id for name, row_id in gathered.latest.items() if name not in gathered.broken
        },
        broken=gathered.broken,
        worded_by=worded.worded_by,
        refusal=worded.refusal,
        unfinished=unfinished,
    )


def _gather(parts: RebuildParts) -> _SummaryInput:
    with reading(parts.by.store) as conn:
        figures = summary_figures(conn, parts.by.clock())
        references = figures.references
        return _SummaryInput(
            latest_ids(conn),
            summary_parts(figures),
            summary_rows.parts_before(conn),
            figures.broken,
            names_of(figures),
            None if references is None else references.addresses,
            profile_at(conn, None).platform_wallet_summary is not None,
        )


def _sections(gathered: _SummaryInput) -> dict[str, str]:
    """Return the text of each section: of what was computed now, and of what is left of before."""
    return {
        section: " ".join(
            words
            for source in SOURCES_OF_SECTION
            if (words := _part(gathered, f"{section}.{source}"))
        )
        for section in SECTIONS
    }


def _part(gathered: _SummaryInput, part: str) -> str:
    if part in gathered.computed:
        return gathered.computed[part]
    before = gathered.before.get(part)
    if before is None or not before.text:
        return ""
    return f"{before.text} (As of {before.computed_at:%Y-%m-%d}: it cannot be computed now.)"


def _worded(
    parts: RebuildParts, gathered: _SummaryInput, texts: Mapping[str, str], state: RebuildState
) -> WordedSummary:
    """Return a model's words; nobody is asked again about figures that it has worded."""
    assert parts.llm is not None  # else nobody is asked
    worded = gathered.before.get(_WORDED)
    is_same = worded is not None and worded.text == _joined(texts) and gathered.is_told
    if is_same and state.worded_by == parts.llm.model:
        return WordedSummary(None, state.worded_by, None)
    return word_summary(parts.llm, texts, gathered.names, parts.by.store.address)


def _joined(texts: Mapping[str, str]) -> str:
    return "\n".join(texts[section] for section in SECTIONS)


def _write(
    conn: Connection,
    now: datetime,
    gathered: _SummaryInput,
    given: Mapping[str, str],
    worded: WordedSummary,
) -> Sequence[str]:
    """Write the summary, and the parts of which it is made.

    Args:
        given: the sections by template.
    """
    texts = worded.texts
    before = profile_at(conn, None)
    summary, references = before.platform_wallet_summary, before.reference_wallets_summary
    if texts is not None:
        summary, references = composed(texts), texts[REFERENCE_SECTION] or None
    addresses = gathered.addresses
    if addresses is None:
        addresses = before.reference_wallets_json
    summary_rows.keep_parts(conn, gathered.computed, now)
    if worded.worded_by is not None:
        summary_rows.keep_parts(conn, {_WORDED: _joined(given)}, now)
    change_profile(
        conn,
        now,
        platform_wallet_summary=summary,
        reference_wallets_summary=references,
        reference_wallets_json=addresses,
        trading_summary_updated_at=now,
    )
    changed = []
    if summary != before.platform_wallet_summary:
        changed.append("the summary of your trades")
    if references != before.reference_wallets_summary:
        changed.append("the summary of reference wallets")
    return changed
