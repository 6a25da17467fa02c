"""Methods with their record in both gates, and one as a plan; trading cases, which nobody edits."""

from typing import Literal

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.cases.read import case_story, list_cases
from afterword.pipeline.domain.methodologies.read import (
    count_methodologies,
    list_methodologies,
    methodology_story,
)
from afterword.pipeline.domain.synthesis.luck import expected_luck
from afterword.pipeline.doors.web.caller import PageCaller
from afterword.pipeline.doors.web.model import PageContent, PageField
from afterword.pipeline.doors.web.trader.fields import select
from afterword.pipeline.views.methods.cases import case_list, case_view
from afterword.pipeline.views.methods.methods import method_list
from afterword.pipeline.views.methods.story import method_story
from afterword.pipeline.views.words import shorten

MOST_METHODS_SHOWN = 100
"""Methods, or cases, on one page; the filters find the others."""

_METHOD_STATES = (
    *("new", "trying", "promising", "graduated", "demoted", "flagged", "merged", "deleted"),
)
StateOfCase = Literal["pending", "resolved", "unresolved"]


def methods(by: PageCaller, state: str | None = None) -> PageContent:
    """Return methods with their record, and how many of them are expected to be luck."""
    with reading(by.store()) as conn:
        listed = list_methodologies(conn, state=state, limit=MOST_METHODS_SHOWN)
        counts = count_methodologies(conn, None)
        placebos = sum(count_methodologies(conn, None, placebos=True).values())
        luck = expected_luck(conn, None)
    filters = [select("state", "State", _METHOD_STATES, state)]
    return PageContent([method_list(listed, counts, placebos, luck)], filters=filters)


def method(by: PageCaller, method: str) -> PageContent:
    """Return one method: its plan, its record, what a verdict still needs, what happened to it."""
    with reading(by.store()) as conn:
        story = methodology_story(conn, method, None)
    title = shorten(story.methodology.name, 80)
    return PageContent([method_story(story)], title=title)


def cases(
    by: PageCaller,
    asset: str | None = None,
    methodology: str | None = None,
    state: StateOfCase | None = None,
) -> PageContent:
    """Return decisions that cite methods; nobody edits one, or what it teaches would be wrong."""
    with reading(by.store()) as conn:
        listed = list_cases(conn, asset, methodology, state, MOST_METHODS_SHOWN)
    filters = [
        PageField("asset", "Asset", value=asset or "", most=64),
        PageField("methodology", "Method", value=methodology or "", most=64),
        select("state", "State", ("pending", "resolved", "unresolved"), state),
    ]
    return PageContent([case_list(listed)], filters=filters)


def case(by: PageCaller, case: int) -> PageContent:
    """Return a case: the hint, the decision, its outcomes, and who has which part."""
    with reading(by.store()) as conn:
        story = case_story(conn, case)
    return PageContent([case_view(story)], title=f"Case {case}")
