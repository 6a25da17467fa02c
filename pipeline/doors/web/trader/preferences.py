"""What was learned of habits; the owner decides what counts."""

from typing import Literal

from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.methodologies.checks import require_learning
from afterword.pipeline.domain.preferences.change import (
    approve_preference,
    check_approvable,
    check_interactive,
    reject_preference,
)
from afterword.pipeline.domain.preferences.model import Preference
from afterword.pipeline.domain.preferences.read import list_preferences, preference_story
from afterword.pipeline.doors.web.caller import PageCaller
from afterword.pipeline.doors.web.model import ActionAnswer, PageContent, PageForm, check_unchanged
from afterword.pipeline.doors.web.trader.fields import select
from afterword.pipeline.views.memory.preferences import (
    preference_changed,
    preference_list,
    preference_page,
)
from afterword.pipeline.views.words import shorten

StateOfPreference = Literal["proposed", "active", "rejected"]


def preferences(by: PageCaller, state: StateOfPreference | None = None) -> PageContent:
    """Return preferences with what speaks for and against them."""
    known = list_preferences(by.store(), state=state)
    filters = [select("state", "State", ("proposed", "active", "rejected"), state)]
    return PageContent([preference_list(known)], filters=filters)


def preference(by: PageCaller, preference: str) -> PageContent:
    """Return one preference: its record, its past, and what was observed."""
    story = preference_story(by.store(), preference)
    forms = _forms(story.known.preference, may_approve_hard=not by.settings.non_interactive)
    title = shorten(story.known.preference.statement, 80)
    return PageContent([preference_page(story), *forms], title=title)


def approve(by: PageCaller, preference: str, shown: str) -> ActionAnswer:
    """Let a preference count, if it is as it was shown; its form asks the owner."""
    require_learning(by.settings.learning_enabled)

    def run(writer: Writer) -> Preference:
        known = check_approvable(writer, preference)
        check_interactive(known, is_interactive=not by.settings.non_interactive)
        check_unchanged(shown, known.state, "the preference")
        return approve_preference(writer, known.uid)

    return _changed(by, by.write_as_owner(run).uid)


def reject(by: PageCaller, preference: str, shown: str) -> ActionAnswer:
    """End a preference, if it is as it was shown: it does not count, and is not proposed again."""
    require_learning(by.settings.learning_enabled)

    def run(writer: Writer) -> Preference:
        known = check_approvable(writer, preference)
        check_unchanged(shown, known.state, "the preference")
        return reject_preference(writer, known.uid)

    return _changed(by, by.write_as_owner(run).uid)


def _changed(by: PageCaller, uid: str) -> ActionAnswer:
    known = preference_story(by.store(), uid).known
    return ActionAnswer(preference_changed(known), f"/preferences/{uid}")


def _forms(known: Preference, *, may_approve_hard: bool) -> list[PageForm]:
    path, shown = f"/preferences/{known.uid}", {"shown": known.state}
    forms = []
    is_decided = known.state == "active" and known.decided_by == "owner"
    if not is_decided and (may_approve_hard or not known.is_hard):
        told = f"Every agent will be told that you approved: {known.statement}"
        note = told if known.is_hard else ""
        forms.append(PageForm(f"{path}/approve", "Approve", hidden=shown, note=note))
    if known.state != "rejected":
        forms.append(PageForm(f"{path}/reject", "Reject", hidden=shown, is_grave=True))
    return forms
