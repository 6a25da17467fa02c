"""What was learned: preferences, which the owner decides on, and learnings of turns."""

from typing import Annotated, Any, cast

from fastapi import Query

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.learnings.delete import delete_learning
from afterword.pipeline.domain.learnings.model import LEARNING_SORTS, LearningSort
from afterword.pipeline.domain.learnings.read import learning_story, list_learnings
from afterword.pipeline.domain.learnings.read_rows import place_of as learning_place
from afterword.pipeline.domain.memory.checks import check_word
from afterword.pipeline.domain.methodologies.checks import require_learning
from afterword.pipeline.domain.preferences.change import (
    approve_preference,
    check_approvable,
    check_interactive,
    propose_preference,
    reject_preference,
)
from afterword.pipeline.domain.preferences.dimensions import checked_value
from afterword.pipeline.domain.preferences.model import PreferenceKind
from afterword.pipeline.domain.preferences.read import list_preferences, preference_story
from afterword.pipeline.domain.preferences.read import place_of as preference_place
from afterword.pipeline.doors.http.caller import By
from afterword.pipeline.doors.http.routes.asked import (
    AsOfMoment,
    MostShown,
    RequestForm,
    Thing,
    at,
)
from afterword.pipeline.doors.http.routes.listing import AfterPage, ListPage
from afterword.pipeline.views.memory.preferences import preference_facts, story_facts


class ProposedPreferenceForm(RequestForm):
    """A preference; it counts once it is observed, or once its owner approves it."""

    dimension: str
    kind: PreferenceKind
    value: str


def list_all_preferences(
    by: By,
    state: Annotated[str | None, Query(description="proposed, active or rejected")] = None,
    dimension: Annotated[str | None, Query(description="Such as max_leverage.")] = None,
    limit: MostShown = 50,
    after: AfterPage = None,
    as_of: AsOfMoment = None,
) -> Any:
    """Return preferences with what speaks for and against them, the active ones first."""
    page = ListPage("preferences", limit, after, by.group, state, dimension, as_of)
    known = list_preferences(
        by.store(),
        state=state,
        dimension=dimension,
        as_of=at(as_of),
        after=page.place(int, int, int),
    )[:limit]
    answer = page.answer(known, lambda one: preference_place(one.preference))
    return answer | {"preferences": list(map(preference_facts, known))}


def get_preference(by: By, preference: Thing, as_of: AsOfMoment = None) -> Any:
    """Return one preference: its record, its past, and each observation with its evidence."""
    return story_facts(preference_story(by.store(), preference, at(as_of)))


def propose(by: By, form: ProposedPreferenceForm) -> Any:
    """Propose a preference."""
    require_learning(by.settings.learning_enabled)
    checked_value(form.dimension, form.kind, form.value)
    return by.write_as_owner(
        lambda writer: _told(
            writer, propose_preference(writer, form.dimension, form.kind, form.value).uid
        )
    )


def approve(by: By, preference: Thing) -> Any:
    """Let a preference count; the token of the owner stands for the terminal.

    With AFTERWORD_NON_INTERACTIVE no hard constraint is approved.
    """
    require_learning(by.settings.learning_enabled)
    found = check_approvable(by.owner(), preference)
    check_interactive(found, is_interactive=not by.settings.non_interactive)
    return by.write_as_owner(
        lambda writer: _told(writer, approve_preference(writer, found.uid).uid)
    )


def reject(by: By, preference: Thing) -> Any:
    """End a preference: it does not count, and is not proposed again."""
    require_learning(by.settings.learning_enabled)
    return by.write_as_owner(
        lambda writer: _told(writer, reject_preference(writer, preference).uid)
    )


def _told(writer: Any, uid: str) -> Any:
    return preference_facts(preference_story(writer.store, uid).known)


def list_all_learnings(
    by: By,
    sort: Annotated[str, Query(description="rate, used, new or shown")] = "rate",
    state: Annotated[str | None, Query(description="active, waiting or deleted")] = None,
    limit: MostShown = 50,
    after: AfterPage = None,
    as_of: AsOfMoment = None,
) -> Any:
    """Return what turns taught, those that worked most often first."""
    check_word(sort, LEARNING_SORTS, "sort")
    page = ListPage("learnings", limit, after, by.group, sort, state, as_of)
    place = page.place(int, int, int)
    with reading(by.store()) as conn:
        learnings = list_learnings(
            conn, sort=sort, state=state, limit=limit, as_of=at(as_of), after=place
        )
    return page.answer(
        learnings, lambda learning: learning_place(learning, cast(LearningSort, sort))
    )


def get_learning(by: By, learning: Thing, as_of: AsOfMoment = None) -> Any:
    """Return one learning: its steps, its turns, and whether it helps."""
    with reading(by.store()) as conn:
        return learning_story(conn, learning, at(as_of))


def remove_learning(by: By, learning: Thing) -> Any:
    """Delete a learning; turns may teach it again."""
    return by.write_as_owner(lambda writer: delete_learning(writer, learning))
