"""The profile: named facts of the user, read by a model and set by the program around it."""

from datetime import datetime

from afterword.pipeline.domain.memory.user_profile import read_profile
from afterword.pipeline.doors.agent import write
from afterword.pipeline.doors.agent.door import Door
from afterword.pipeline.rules.masking import mask


def profile_read(door: Door, *, as_of: datetime | None = None) -> dict[str, str]:
    """Return the user's profile: stable facts by name, such as the risk tolerance."""
    values = read_profile(door.store, as_of)
    return {mask(key): mask(value) for key, value in values.items()}


def profile_set(door: Door, key: str, value: str) -> None:
    """Set a value of the profile; for the program around a model, not a tool of the model's.

    Every later prompt shows it without a date or a source, so text that a model read must not be
    able to write it.

    Args:
        key: up to 64 characters.
        value: up to 2,000 characters.

    Raises:
        InvalidInputError: an argument is wrong, or the session has ended.
        BudgetExceededError: the session has no more stores.
    """
    write.set_profile(door.writer, door.limits, key, value)
