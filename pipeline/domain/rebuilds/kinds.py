"""All rebuilds: the job of each, its pause, and its verb. Another one is an entry here."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from sqlalchemy import Connection

from afterword.pipeline.core.area import Kind
from afterword.pipeline.domain.rebuilds.area import REBUILD_TAGS, REBUILD_TRADING_SUMMARY
from afterword.pipeline.domain.rebuilds.memories import chats_wait, prepare_memories
from afterword.pipeline.domain.rebuilds.model import PreparedRebuild, RebuildState
from afterword.pipeline.domain.rebuilds.parts import RebuildParts
from afterword.pipeline.domain.rebuilds.sources import trades_wait
from afterword.pipeline.domain.rebuilds.summary import prepare_summary
from afterword.pipeline.domain.rebuilds.tags import prepare_tags, tags_wait
from afterword.pipeline.domain.statements.area import REBUILD_MEMORIES
from afterword.pipeline.errors import NotFoundError
from afterword.pipeline.settings import Settings

HasNews = Callable[[Connection, RebuildState, Settings], bool]
"""Returns whether there is something to rebuild from; a cheap read that raises nothing."""

Prepare = Callable[[RebuildParts, RebuildState], PreparedRebuild]
"""Gathers, decides and asks, outside of transactions; the frame writes what it returns.

Raises UnavailableError, PostponedError or InvalidInputError where nothing can be written: that is a
failure, which keeps every cursor.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuild:
    """One rebuild.

    Args:
        name: as its state is stored.
        job: the kind of its job.
        cooldown: the pause after a success.
        has_news: whether there is anything to rebuild from.
        prepare: the verb.
        is_forced_by_refresh: whether `afterword profile refresh` runs it before its pause is over.
    """

    name: str
    job: Kind
    cooldown: Callable[[Settings], timedelta]
    has_news: HasNews
    prepare: Prepare
    is_forced_by_refresh: bool = False


REBUILDS: Final[tuple[Rebuild, ...]] = (
    Rebuild(
        name="trading_summary",
        job=REBUILD_TRADING_SUMMARY,
        cooldown=lambda settings: timedelta(seconds=settings.trading_summary_cooldown),
        has_news=trades_wait,
        prepare=prepare_summary,
        is_forced_by_refresh=True,
    ),
    Rebuild(
        name="tags",
        job=REBUILD_TAGS,
        cooldown=lambda settings: timedelta(seconds=settings.tags_cooldown),
        has_news=tags_wait,
        prepare=prepare_tags,
    ),
    Rebuild(
        name="memories",
        job=REBUILD_MEMORIES,
        cooldown=lambda settings: timedelta(seconds=settings.memories_cooldown),
        has_news=chats_wait,
        prepare=prepare_memories,
    ),
)
"""In the order in which a refresh runs them."""


def rebuild_of_job(job: str) -> Rebuild:
    """Return the rebuild that a kind of job does.

    Raises:
        NotFoundError: none is done by it.
    """
    for rebuild in REBUILDS:
        if rebuild.job.name == job:
            return rebuild
    raise NotFoundError(f"no rebuild is done by the job {job[:60]!a}")
