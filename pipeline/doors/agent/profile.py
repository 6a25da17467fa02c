"""The profile of the user: read by a model, and set by the program around it."""

from collections.abc import Sequence
from datetime import datetime

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.memory.user_profile import profile_for_prompts
from afterword.pipeline.domain.memory.visibility import read_moment
from afterword.pipeline.domain.profile import onboarding
from afterword.pipeline.domain.profile.answers import checked_answers
from afterword.pipeline.domain.profile.onboarding import OnboardingResult, OnboardingStatus
from afterword.pipeline.doors.agent import write
from afterword.pipeline.doors.agent.door import Door
from afterword.pipeline.recall.prompts.personalization import read_personalization
from afterword.pipeline.rules.masking import mask


def profile_read(door: Door, *, as_of: datetime | None = None) -> dict[str, str]:
    """Return the user's profile: stable facts by name, such as the risk tolerance.

    One that reads like an order to the agent is left out until its owner clears it.
    """
    with reading(door.store) as conn:
        values = profile_for_prompts(conn, read_moment(conn, as_of))
    return {mask(key): mask(value) for key, value in values.items()}


def profile_set(door: Door, key: str, value: str) -> str | None:
    """Set a value of the profile; for the program around a model, not a tool of the model's.

    Every later prompt shows it without a date or a source, so text that a model read must not be
    able to write it.

    Args:
        key: up to 64 characters.
        value: up to 2,000 characters.

    Returns:
        What to know of a value that reads like an order to the agent; None for most.

    Raises:
        InvalidInputError: an argument is wrong, or the session has ended.
        BudgetExceededError: the session has no more stores.
    """
    return write.set_profile(door.writer, door.limits, key, value)


def personalization_snapshot(door: Door, *, as_of: datetime | None = None) -> str:
    """Return what is known of the user: tags, what their trades say, memories, instructions.

    What the user declared counts before what was concluded. Empty if nothing is known.
    """
    return read_personalization(door.store, door.clock(), as_of)


def complete_onboarding(
    door: Door,
    *,
    finance_knowledge: str | None = None,
    frequency: str | None = None,
    risk: str | None = None,
    markets: Sequence[str] | None = None,
    capital: str | None = None,
) -> OnboardingResult:
    """Keep what the user answered about the self; for the program around a model, not a tool.

    Answers are declared by the user, so text that a model read must not be able to give them. The
    same answers again change nothing; another answer supersedes the memory of the one before.

    Args:
        finance_knowledge, frequency, risk: a value of the dimension of this name.
        markets: one or more values of `markets`.
        capital: an amount or a range in dollars, such as `$1k-5k`; kept as a memory alone.

    Raises:
        InvalidInputError: an answer is wrong, there is none, or the session has ended; nothing was
            written.
        BudgetExceededError: the session has no more stores.
    """
    answers = {
        "finance_knowledge": finance_knowledge,
        "frequency": frequency,
        "risk": risk,
        "markets": markets,
        "capital": capital,
    }
    return write.onboard(door.writer, door.limits, checked_answers(answers))


def onboarding_status(door: Door, *, as_of: datetime | None = None) -> OnboardingStatus:
    """Return whether the user answered the questions of the onboarding, and the answers."""
    return onboarding.onboarding_status(door.store, as_of)
