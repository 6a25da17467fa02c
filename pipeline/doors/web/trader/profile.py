"""Who the user is: tags, memories, custom prompt, rebuilds, and the onboarding."""

from afterword.pipeline.domain.profile.answers import CAPITAL, ONBOARDING_QUESTIONS
from afterword.pipeline.domain.profile.onboarding import (
    OnboardingStatus,
    complete_onboarding,
    onboarding_status,
)
from afterword.pipeline.domain.profile.portrait import read_portrait
from afterword.pipeline.domain.rebuilds.status import read_rebuilds
from afterword.pipeline.doors.web.caller import PageCaller
from afterword.pipeline.doors.web.model import ActionAnswer, PageContent, PageField, PageForm
from afterword.pipeline.rules.user_tags.schema import LABELS, MARKETS_TAG
from afterword.pipeline.views.memory.onboarding import (
    onboarding_done,
    onboarding_state,
    question_words,
)
from afterword.pipeline.views.memory.portrait import portrait_view


def profile(by: PageCaller) -> PageContent:
    """Return all that is known of the user, and the questions of the onboarding."""
    store, now = by.store(), by.now()
    status = onboarding_status(store)
    portrait = portrait_view(
        read_portrait(store, now, None), read_rebuilds(store, by.settings, now)
    )
    return PageContent([onboarding_state(status), _questions(status), portrait])


def onboard(
    by: PageCaller,
    finance_knowledge: str | None = None,
    frequency: str | None = None,
    risk: str | None = None,
    markets: str | None = None,
    capital: str | None = None,
) -> ActionAnswer:
    """Keep the user's answers: they count before whatever is concluded."""
    answers = {
        "finance_knowledge": finance_knowledge,
        "frequency": frequency,
        "risk": risk,
        MARKETS_TAG: None if markets is None else [word.strip() for word in markets.split(",")],
        CAPITAL: capital,
    }
    done = by.write_as_owner(lambda writer: complete_onboarding(writer, answers))
    return ActionAnswer(onboarding_done(done), "/profile")


def _questions(status: OnboardingStatus) -> PageForm:
    fields = [_question(question, status) for question in ONBOARDING_QUESTIONS]
    summary = "Change your answers" if status.has_completed else ""
    return PageForm("/profile/onboarding", "Save the answers", fields, summary=summary)


def _question(question: str, status: OnboardingStatus) -> PageField:
    answer = status.answers.get(question, "")
    value = answer if isinstance(answer, str) else ", ".join(answer)
    label = question_words(question)
    if question == CAPITAL:
        return PageField(question, label, value=value, most=40)
    if question == MARKETS_TAG:
        return PageField(question, label, value=value, most=400, hint=", ".join(LABELS[question]))
    choices = [("", "no answer"), *LABELS[question].items()]
    return PageField(question, label, "select", value, choices)
