"""Suggest methods for an asset, and keep what was shown: a decision cites it by its hash."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection

from afterword.pipeline.clock import iso, to_micros
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.cases.hints import keep_hint
from afterword.pipeline.domain.cases.model import NewHint
from afterword.pipeline.domain.memory.visibility import read_moment
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.methodologies.model import Methodology
from afterword.pipeline.domain.methodologies.read import suggested_methodologies
from afterword.pipeline.domain.prices.keep_classes import classes_of
from afterword.pipeline.domain.prices.stored import StoredPrices
from afterword.pipeline.domain.synthesis.luck import ExpectedLuck, expected_luck
from afterword.pipeline.recall.methods.block import MethodBlock, method_line, render_methods
from afterword.pipeline.recall.page.asset import read_asset
from afterword.pipeline.recall.page.model import PageAsset
from afterword.pipeline.rules.market.decimals import plain

TOP_K: Final = 3
"""Methods of a block, where no setting says otherwise (R5)."""


@dataclass(frozen=True, slots=True)
class SuggestedMethods:
    """What an agent is shown before it decides about an asset.

    Args:
        asset: its key; `asset_class` is the class that the methods are about.
        block: the text for a prompt; empty if no method is graduated.
        hint_hash: what a decision cites as its `hint_hash`; None without a block, and for a moment
            of the past.
        methods: the uids of the methods, to be cited as `methods`.
        luck: how many were tried, and how many of the graduated are expected to be luck.
    """

    asset: str
    asset_class: str
    block: str
    hint_hash: str | None
    methods: tuple[str, ...]
    luck: str


def suggest_methods(
    by: Writer, asset: str, top_k: int = TOP_K, *, as_of: datetime | None = None
) -> SuggestedMethods:
    """Return the graduated methods of an asset's class as a block, and keep the hint.

    A method that is in quarantine, flagged, merged, deleted, or in which a payload stands, never
    comes. The same hint again is the same row.

    Args:
        asset: a symbol in any form, or a name.
        as_of: what could be shown at this moment; it writes nothing.

    Raises:
        InvalidInputError: an asset of no known class, or a moment that was purged.
        UnavailableError: the store cannot be written now.
    """
    with reading(by.store) as conn:
        about = read_asset(asset, classes_of(conn, as_of))
        read_moment(conn, as_of)  # refuses a moment that was purged
        methods = suggested_methodologies(conn, about.asset_class, top_k, as_of)
        luck = expected_luck(conn, as_of)
        now = by.clock()
        snapshot = _snapshot(conn, about, methods, luck, now) if methods and as_of is None else {}
    words = "" if luck is None else luck.words
    title = f"{about.key} ({about.asset_class})"
    block = render_methods(
        MethodBlock(title, words, tuple(method_line(method) for method in methods))
    )
    uids = tuple(method.uid for method in methods)
    hint_hash = None
    if snapshot:
        hint = NewHint(about.key, about.asset_class, block, snapshot, by.session)
        with writing(by.store) as conn:
            hint_hash = keep_hint(conn, hint, to_micros(now))
    return SuggestedMethods(about.key, about.asset_class, block, hint_hash, uids, words)


def _snapshot(
    conn: Connection,
    about: PageAsset,
    methods: list[Methodology],
    luck: ExpectedLuck | None,
    now: datetime,
) -> dict[str, Any]:
    """Return what was known then, for a later look: the methods' state and figures, and prices."""
    return {
        "methodologies": [_state(method) for method in methods],
        "prices": _prices(conn, about.key, now),
        "luck": None if luck is None else luck._asdict() | {"at": iso(luck.at)},
    }


def _state(method: Methodology) -> dict[str, Any]:
    assert method.figures is not None  # the present is read
    figures = method.figures
    return {
        "uid": method.uid,
        "state": method.state,
        "confidence": figures.confidence,
        "times_used": figures.times_used,
        "times_correct": figures.times_correct,
        "effective_uses": figures.effective_uses,
        "effective_correct": figures.effective_correct,
        "expected": figures.expected,
        "e_value": figures.e_value,
    }


def _prices(conn: Connection, key: str, now: datetime) -> list[dict[str, str]]:
    """Return the last close of each market of an asset."""
    prices, closes = StoredPrices(conn), []
    for series in prices.series(key):
        bar = prices.close_at(series, now, now)
        if bar is not None:
            close, at = plain(bar.close), iso(bar.closed_at)
            closes.append({"symbol": series.symbol, "close": close, "closed_at": at})
    return closes
