"""The tool that records a mood."""

from dataclasses import dataclass
from typing import Annotated

from moods import rows

from afterword.pipeline.core.store import writing
from afterword.pipeline.core.telemetry import emit
from afterword.pipeline.doors.agent.arguments import described
from afterword.pipeline.doors.agent.door import Door


@dataclass(frozen=True, slots=True)
class MoodRecorded:
    """A mood that was kept."""

    id: int
    mood: str


def mood_record(
    door: Door,
    mood: Annotated[str, described("One word.", maxLength=20)],
    why: Annotated[str, described("The reason.", maxLength=200)] = "",
) -> MoodRecorded:
    """Record how you feel."""
    with writing(door.store) as conn:
        mood_id = rows.add(conn, mood, why, door.clock())
    emit("mood.felt", mood=mood, times=1)
    return MoodRecorded(mood_id, mood)
