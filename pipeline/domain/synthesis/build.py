"""Build the judge, the writer of seeds and the gates that the settings ask for."""

from afterword.pipeline.domain.synthesis.judge import HeuristicSynthesisJudge, SynthesisJudge
from afterword.pipeline.domain.synthesis.llm_judge import LlmSynthesisJudge
from afterword.pipeline.domain.synthesis.model import GateRules
from afterword.pipeline.domain.synthesis.seed_writer import LlmSeedWriter, SeedWriter
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.gateway.llm import Llm
from afterword.pipeline.settings import Settings


def build_synthesis_judge(settings: Settings, llm: Llm | None) -> SynthesisJudge:
    """Return the judge of graduated methodologies.

    Args:
        llm: the model the settings name; None if none is configured.

    Raises:
        InvalidInputError: the judge is to be a model, and none is configured.
    """
    if settings.synthesis_judge == "heuristic":
        return HeuristicSynthesisJudge()
    if llm is None:
        problem = "is model while AFTERWORD_LLM_PROVIDER is disabled"
        raise InvalidInputError("AFTERWORD_SYNTHESIS_JUDGE", problem, "heuristic, or a provider")
    return LlmSynthesisJudge(llm)


def build_seed_writer(settings: Settings, llm: Llm | None) -> SeedWriter | None:
    """Return the model that words seeds; None while no model judges either: the template does."""
    if llm is None or settings.synthesis_judge != "model":
        return None
    return LlmSeedWriter(llm)


def gate_rules(settings: Settings) -> GateRules:
    """Return the settings of both gates."""
    return GateRules(settings.graduation_gate, settings.graduation_fdr)
