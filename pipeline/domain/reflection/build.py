"""Build the judge of decisions that the settings ask for."""

from afterword.pipeline.domain.reflection.heuristic import HeuristicJudge
from afterword.pipeline.domain.reflection.judge import DecisionJudge
from afterword.pipeline.domain.reflection.llm_judge import LlmDecisionJudge
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.gateway.llm import Llm
from afterword.pipeline.settings import Settings


def build_judge(settings: Settings, llm: Llm | None) -> DecisionJudge:
    """Return the judge of decisions.

    Args:
        llm: the model the settings name; None if none is configured.

    Raises:
        InvalidInputError: the judge is to be a model, and none is configured.
    """
    if settings.role_judge == "heuristic":
        return HeuristicJudge()
    if llm is None:
        problem = "is model while AFTERWORD_LLM_PROVIDER is disabled"
        raise InvalidInputError("AFTERWORD_ROLE_JUDGE", problem, "heuristic, or a provider")
    return LlmDecisionJudge(llm, settings.role_questions_at_once)
