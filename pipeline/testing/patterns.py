"""Helpers for tests of patterns: one as it is stored, without decisions behind it."""

from datetime import datetime

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import Store, writing
from afterword.pipeline.domain.patterns import form_rows
from afterword.pipeline.domain.patterns.model import STORED_STATES, PatternDraft, PatternKey
from afterword.pipeline.domain.patterns.numbers import numbers_of
from afterword.pipeline.rules.evidence.family import FamilyRecord
from afterword.pipeline.rules.evidence.model import PatternState


def stored_pattern(
    text: str,
    *assets: str,
    role: str = "desk.calls",
    asset_class: str = "crypto",
    state: PatternState = "confirmed",
    is_class: bool = False,
) -> PatternDraft:
    """Return a pattern of longs after a rise, ready to be inserted.

    Args:
        assets: keys of the assets it may be told of.
    """
    record = FamilyRecord().patterns()[0]
    key = PatternKey(role, asset_class, "long", "up", "failing")
    return PatternDraft(key, state, is_class, assets, numbers_of(record, 24, 0.05), text)


def tell_pattern(store: Store, now: datetime, text: str, state: PatternState = "confirmed") -> None:
    """Let a pattern of longs after a rise have this text from now on."""
    with writing(store) as conn:
        old = form_rows.current(conn, None, STORED_STATES)
        form_rows.end(conn, [one.id for one in old], to_micros(now))
        form_rows.insert(conn, [stored_pattern(text, state=state)], to_micros(now))
