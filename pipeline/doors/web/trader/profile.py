"""Who the user is: tags, memories, custom prompt, rebuilds, and the onboarding."""

from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.profile.answers import CAPITAL, ONBOARDING_QUESTIONS
from afterword.pipeline.domain.profile.onboarding import (
    OnboardingResult,
    OnboardingStatus,
    complete_onboarding,
    onboarding_status,
)
from afterword.pipeline.domain.profile.portrait import read_portrait
from afterword.pipeline.domain.profile.tags import list_tags
from afterword.pipeline.domain.rebuilds.status import read_rebuilds
from afterword.pipeline.doors.web.caller import PageCaller
from afterword.pipeline.doors.web.model import (
    ActionAnswer,
    PageContent,
    PageField,
    PageForm,
    check_unchanged,
)
from afterword.pipeline.rules.user_tags.schema import LABELS, MARKETS_TAG
from afterword.pipeline.views.memory.onboarding import (
    onboarding_done,
    onboarding_state,
    question_words,
)
from afterword.pipeline.views.memory.portrait import portrait_view
from afterword.pipeline.views.memory.tags import tag_choices


def profile(by: PageCaller) -> PageContent:
    """Return all that is known of the user, and the questions of the onboarding."""
    store, now = by.store(), by.now()
    status = onboarding_status(store)
    portrait = portrait_view(
        read_portrait(store, now, None), read_rebuilds(store, by.settings, now)
    )
    tags = tag_choices(list_tags(store))
    return PageContent([onboarding_state(status), _questions(status), tags, portrait])


def onboard(
    by: PageCaller,
    finance_knowledge: str | None = None,
    frequency: str | None = None,
    risk: str | None = None,
    markets: str | None = None,
    capital: str | None = None,
    *,
    shown: str,
) -> ActionAnswer:
    """Keep the user's answers, if the earlier ones are as they were shown."""
    answers = {
        "finance_knowledge": finance_knowledge,
        "frequency": frequency,
        "risk": risk,
        MARKETS_TAG: None if markets is None else [word.strip() for word in markets.split(",")],
        CAPITAL: capital,
    }

    def run(writer: Writer) -> OnboardingResult:
        check_unchanged(shown, _answered(onboarding_status(writer.store)), "what you answered")
        return complete_onboarding(writer, answers)

    return ActionAnswer(onboarding_done(by.write_as_owner(run)), "/profile")


def _questions(status: OnboardingStatus) -> PageForm:
    fields = [_question(question, status) for question in ONBOARDING_QUESTIONS]
    summary = "Change your answers" if status.has_completed else ""
    hidden = {"shown": _answered(status)}
    return PageForm("/profile/onboarding", "Save the answers", fields, hidden, summary=summary)


def _answered(status: OnboardingStatus) -> str:
    """Return the answers as a form brings them back."""
    return "; ".join(f"{name} {_written(said)}" for name, said in status.answers.items()) or "empty"


def _question(question: str, status: OnboardingStatus) -> PageField:
    value = _written(status.answers.get(question, ""))
    label = question_words(question)
    if question == CAPITAL:
        return PageField(question, label, value=value, most=40)
    if question == MARKETS_TAG:
        return PageField(question, label, value=value, most=400, hint=", ".join(LABELS[question]))
    choices = [("", "no answer"), *LABELS[question].items()]
    return PageField(question, label, "select", value, choices)


def _written(answer: str | tuple[str, ...]) -> str:
    return answer if isinstance(answer, str) else ", ".join(answer)
