"""A desk of an agent that learns, with the worker of its installation."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from afterword.pipeline.ids import seeded_uids
from afterword.pipeline.settings import load
from afterword.workers.worker.app import build_context
from tests.unit.learnings.desk import LearningDesk


@pytest.fixture
def open_desk(home, clock) -> Iterator[Callable[..., LearningDesk]]:
    """Open the desk with other settings."""
    with ExitStack() as opened:

        def begin(**settings: Any) -> LearningDesk:
            configured = load(home=home, synchronous="NORMAL", **settings)
            context = build_context(configured, clock=clock, ids=seeded_uids(2))
            opened.callback(context.stores.close)
            if context.turn_reviewer is not None:
                opened.callback(context.turn_reviewer._llm.close)
            return LearningDesk(context, clock)

        yield begin


@pytest.fixture
def desk(open_desk) -> LearningDesk:
    return open_desk()
