"""How tasks were done: what turns taught, and whether it helps."""

from typing import Literal

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.learnings import read_rows
from afterword.pipeline.domain.learnings.delete import delete_learning
from afterword.pipeline.domain.learnings.model import Learning
from afterword.pipeline.domain.learnings.read import learning_story, list_learnings
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.doors.web.caller import PageCaller
from afterword.pipeline.doors.web.model import ActionAnswer, PageContent, PageForm, check_unchanged
from afterword.pipeline.doors.web.trader.fields import select
from afterword.pipeline.views.methods.learnings import (
    learning_deleted,
    learning_list,
    learning_shown,
)

MOST_LEARNINGS_SHOWN = 100
"""Learnings on one page."""

StateOfLearning = Literal["active", "waiting", "deleted"]


def learnings(by: PageCaller, state: StateOfLearning | None = None) -> PageContent:
    """Return learnings, those that worked most often first."""
    with reading(by.store()) as conn:
        listed = list_learnings(
            conn, sort="rate", state=state, limit=MOST_LEARNINGS_SHOWN, as_of=None
        )
        counts = read_rows.counts(conn, None)
    filters = [select("state", "State", ("active", "waiting", "deleted"), state)]
    return PageContent([learning_list(listed, counts)], filters=filters)


def learning(by: PageCaller, learning: str) -> PageContent:
    """Return one learning: its steps, its turns, and whether it helps."""
    with reading(by.store()) as conn:
        story = learning_story(conn, learning, None)
    stored = story.learning
    path, shown = f"/learnings/{stored.uid}/delete", {"shown": stored.state}
    forms = (
        [] if stored.state == "deleted" else [PageForm(path, "Delete", [], shown, is_grave=True)]
    )
    return PageContent([learning_shown(story), *forms], title=f"Learning {stored.id}")


def remove(by: PageCaller, learning: str, shown: str) -> ActionAnswer:
    """Delete a learning, if it is as it was shown; turns may teach it again."""

    def run(writer: Writer) -> Learning:
        with reading(writer.store) as conn:
            state = learning_story(conn, learning, None).learning.state
        check_unchanged(shown, state, "the learning")
        return delete_learning(writer, learning)

    return ActionAnswer(learning_deleted(by.write_as_owner(run)), f"/learnings/{learning}")
