"""Rebuild the tags that are concluded (R3's `rebuildTags`): what rules observe, then a model.

Only `inferred` rows are written. What the owner declared, and what a learned preference says, is
never touched; markets are added to and never taken away.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.profile.tags import set_tag, tags_at
from afterword.pipeline.domain.rebuilds.area import CONCLUDE_TAGS_TASK
from afterword.pipeline.domain.rebuilds.model import SHADOW_REFUSAL, PreparedRebuild, RebuildState
from afterword.pipeline.domain.rebuilds.parts import RebuildParts
from afterword.pipeline.domain.rebuilds.tag_evidence import has_evidence, tag_evidence
from afterword.pipeline.domain.rebuilds.tag_form import Conclusion, conclude_tags
from afterword.pipeline.errors import InvalidInputError, PostponedError, UnavailableError
from afterword.pipeline.rules.user_tags.schema import (
    MARKETS_TAG,
    parse_stored_tag_value,
    serialize_tag_value,
    tag_label,
)
from afterword.pipeline.settings import Settings

NOTHING_CONCLUDED_PAUSE: Final = timedelta(days=1)
"""The pause after a look that concluded nothing: somebody who starts to trade need not wait for a
month."""


def tags_wait(conn: Connection, _state: RebuildState, _settings: Settings) -> bool:
    """Return whether anything is known of the user to conclude tags from."""
    return has_evidence(conn)


def prepare_tags(parts: RebuildParts, _state: RebuildState) -> PreparedRebuild:
    """Conclude tags by rule from trades, and have a model conclude the others if there is one.

    Raises:
        UnavailableError: the trades cannot be read.
    """
    with reading(parts.by.store) as conn:
        known = tag_evidence(conn, parts.by.clock())
    observed = {tag.dimension: tag.value for tag in known.observed if tag.value is not None}
    mode = parts.mode(CONCLUDE_TAGS_TASK)
    conclusion, asked, unfinished = Conclusion({}, None), None, None
    if parts.llm is not None and mode.is_enabled and known.evidence:
        asked = parts.llm.model
        try:
            conclusion = conclude_tags(
                parts.llm, known.evidence, observed.keys(), parts.by.store.address
            )
        except (UnavailableError, PostponedError) as error:
            unfinished = error  # what rules conclude stands all the same
        except InvalidInputError as error:
            conclusion = Conclusion({}, f"gave no answer: {error}")
        if conclusion.refusal is None and not mode.has_effect:
            conclusion = Conclusion({}, SHADOW_REFUSAL)
    values = {**observed, **conclusion.values}
    return PreparedRebuild(
        write=lambda conn, now: write_concluded(conn, parts.by, values, now),
        worded_by=asked if conclusion.values else None,
        refusal=conclusion.refusal,
        unfinished=unfinished,
        pause=None if values else NOTHING_CONCLUDED_PAUSE,
    )


def write_concluded(
    conn: Connection, by: Writer, values: Mapping[str, str], now: datetime
) -> Sequence[str]:
    """Write what was concluded, in an open transaction; return what changed, in words.

    Args:
        by: the system.
        values: as stored, by dimension.
    """
    before = {tag.dimension: tag.value for tag in tags_at(conn, None) if tag.source == "inferred"}
    changed = []
    for dimension, value in values.items():
        stored = value
        if dimension == MARKETS_TAG and dimension in before:
            held = parse_stored_tag_value(MARKETS_TAG, before[dimension])
            stored = serialize_tag_value(
                MARKETS_TAG,
                dict.fromkeys([*held, *parse_stored_tag_value(MARKETS_TAG, value)]),
            )
        if set_tag(conn, by, dimension, stored, "inferred", now):
            changed.append(f"{dimension}: {tag_label(dimension, stored)}")
    return changed
