"""The profile: named facts of the user, read by a model and set by the program around it."""

from datetime import datetime

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.memory.user_profile import profile_for_prompts
from afterword.pipeline.domain.memory.visibility import read_moment
from afterword.pipeline.doors.agent import write
from afterword.pipeline.doors.agent.door import Door
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
