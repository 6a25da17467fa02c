"""The jobs of the fact layer: the pass by rule, and the questions to a judge."""

from datetime import timedelta
from typing import Final

from afterword.pipeline.core.jobs.model import Kind

CONSOLIDATE_FACTS: Final = Kind("consolidate_facts")
JUDGE_FACTS: Final = Kind("judge_facts", deadline_s=600.0)

DEBOUNCE: Final = timedelta(seconds=5)
"""How long after the last fact the pass begins. A stream without such a pause is drained by the
schedule, whose job has a key of its own."""

KEY: Final = "recorded"
"""Key of the job a recorded fact adds."""
