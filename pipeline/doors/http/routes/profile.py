"""Who the user is, and the onboarding that says so first."""

from typing import Any

from pydantic import Field

from afterword.pipeline.core.jobs.inspect import listing
from afterword.pipeline.core.store import writing
from afterword.pipeline.domain.accounts.area import SYNC_HISTORY
from afterword.pipeline.domain.accounts.nudge import ask_for_sync
from afterword.pipeline.domain.profile.answers import checked_answers
from afterword.pipeline.domain.profile.onboarding import complete_onboarding, onboarding_status
from afterword.pipeline.domain.profile.portrait import read_portrait
from afterword.pipeline.domain.rebuilds.boot import ask_for_rebuilds
from afterword.pipeline.domain.rebuilds.kinds import REBUILDS
from afterword.pipeline.domain.rebuilds.status import read_rebuilds
from afterword.pipeline.doors.http.caller import By
from afterword.pipeline.doors.http.routes.asked import AsOfMoment, RequestForm, at
from afterword.pipeline.views.memory.portrait import portrait_facts


class OnboardingForm(RequestForm):
    """The user's own answers; one or more of them."""

    finance_knowledge: str | None = Field(None, examples=["level_2"])
    frequency: str | None = Field(None, examples=["weekly"])
    risk: str | None = Field(None, examples=["conservative"])
    markets: list[str] | None = Field(None, max_length=10, examples=[["crypto_majors"]])
    capital: str | None = Field(None, examples=["$1k-5k"])


def get_profile(by: By, as_of: AsOfMoment = None) -> Any:
    """Return the tags, what the trades say beside them, memories, summaries and prompt."""
    store, now, moment = by.store(), by.now(), at(as_of)
    rebuilds = read_rebuilds(store, by.settings, now) if moment is None else None
    return portrait_facts(read_portrait(store, now, moment), rebuilds)


def get_onboarding(by: By, as_of: AsOfMoment = None) -> Any:
    """Return whether the user answered, and the answers: whether to show the questions."""
    return onboarding_status(by.store(), at(as_of))


def onboard(by: By, form: OnboardingForm) -> Any:
    """Keep the user's answers: they count before whatever is concluded.

    The same answers again change nothing; a wrong one is refused before anything is written.
    """
    answers = form.model_dump()
    checked_answers(answers)  # a refused answer makes no group
    return by.write_as_owner(lambda writer: complete_onboarding(writer, answers))


def start_refresh(by: By) -> Any:
    """Ask for the history of the accounts and for every rebuild of the profile, whatever its pause.

    The answer has the jobs that do it; `GET /v1/jobs/{job}` says how far each is.
    """
    store = by.store()

    def run() -> dict[str, Any]:
        with writing(store) as conn:
            ask_for_sync(conn, by.now())
            ask_for_rebuilds(conn, by.settings, by.now())
            kinds = [SYNC_HISTORY.name, *(rebuild.job.name for rebuild in REBUILDS)]
            asked = [job for kind in kinds for job in listing(conn, None, kind, 1)]
        return {"jobs": [{"id": job.id, "kind": job.kind} for job in asked]}

    return by.write(store, run)
