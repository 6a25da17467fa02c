"""Build the reviewer that the settings ask for."""

from afterword.pipeline.domain.learnings.llm_reviewer import LlmTurnReviewer
from afterword.pipeline.domain.learnings.reviewer import TurnReviewer
from afterword.pipeline.gateway.llm import Llm


def build_turn_reviewer(llm: Llm | None) -> TurnReviewer | None:
    """Return the model that reviews turns; None without one: a rule does.

    Args:
        llm: the fast model of the settings; None if no model is configured.
    """
    return None if llm is None else LlmTurnReviewer(llm)
