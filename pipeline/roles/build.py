"""The judge the settings ask for."""

from pipeline.errors import InvalidInputError
from pipeline.llm import Llm
from pipeline.roles.heuristic import HeuristicJudge
from pipeline.roles.judge import Judge
from pipeline.roles.llm_judge import LlmJudge
from pipeline.settings import Settings


def build_judge(settings: Settings, llm: Llm | None) -> Judge:
    """Return who explains decisions here.

    Args:
        llm: the model the settings name; None while none is asked.

    Raises:
        InvalidInputError: a model is to judge, and there is none.
    """
    if settings.role_judge == "heuristic":
        return HeuristicJudge()
    if llm is None:
        problem = "is model while AFTERWORD_LLM_PROVIDER is disabled"
        raise InvalidInputError("AFTERWORD_ROLE_JUDGE", problem, "heuristic, or a provider")
    return LlmJudge(llm, settings.role_questions_at_once)
