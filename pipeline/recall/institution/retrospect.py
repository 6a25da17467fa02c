"""Tell the next run on an asset how the earlier ones came out, and keep what was told."""

import hashlib
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.decisions.checks import MAX_ASSET
from afterword.pipeline.domain.institution import reflection_rows, rows
from afterword.pipeline.domain.institution.read import list_runs
from afterword.pipeline.domain.memory.checks import check_text
from afterword.pipeline.domain.memory.visibility import read_moment
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.recall.institution.block import render_runs, run_lines
from afterword.pipeline.rules.market.symbols import normalise_symbol
from afterword.pipeline.rules.masking import mask

MOST_RUNS_TOLD: Final = 3
"""Runs of a retrospect: each has ten lines, and older ones say less of the present."""


@dataclass(frozen=True, slots=True)
class Retrospect:
    """What a run is told before it begins.

    Args:
        asset: its key.
        block: the text for a prompt; empty if there was no run on the asset.
        digest: what the run names as its `retrospect`; None where nothing was kept.
        runs: ids of the runs in it, the latest first.
    """

    asset: str
    block: str
    digest: str | None
    runs: tuple[str, ...]


def tell_runs(
    by: Writer, asset: str, *, is_kept: bool, as_of: datetime | None = None
) -> Retrospect:
    """Return the latest runs on an asset with their answers, as a block for a prompt.

    Args:
        asset: in any written form.
        is_kept: whether to keep what was told, as a `lazy` reflection of each run; told again in
            the same words, it is kept once. Nothing else comes of it.
        as_of: what could be told at this moment; it keeps nothing.

    Raises:
        InvalidInputError: the asset is blank, or the moment was purged.
        UnavailableError: the store cannot be written now.
    """
    check_text(asset, MAX_ASSET, "asset")
    now = by.clock()
    with reading(by.store) as conn:
        read_moment(conn, as_of)  # refuses a moment that was purged
        runs = list_runs(conn, asset, MOST_RUNS_TOLD, now, as_of)
    key = mask(normalise_symbol(asset))
    block, digest = render_runs(key, runs), None
    if runs and is_kept and as_of is None:
        digest = hashlib.sha256(block.encode()).hexdigest()
        with writing(by.store) as conn:
            for run in runs:
                # Forgotten meanwhile, it is told no more: what was told of it is kept nowhere.
                if rows.find(conn, run.uid) is not None:
                    text = "\n".join(run_lines(run))
                    reflection_rows.keep_note(conn, run.id, "lazy", text, digest, by.clock())
    return Retrospect(key, block, digest, tuple(run.uid for run in runs))
