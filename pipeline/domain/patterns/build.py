"""Build the writer of patterns that the settings ask for."""

from afterword.pipeline.domain.patterns.writer import LlmPatternWriter, PatternWriter
from afterword.pipeline.gateway.llm import Llm
from afterword.pipeline.settings import Settings


def build_writer(settings: Settings, llm: Llm | None) -> PatternWriter | None:
    """Return the model that words patterns; None while the judge of decisions is none.

    Args:
        llm: the model the settings name; None if none is configured.
    """
    if llm is None or settings.role_judge != "model":
        return None
    return LlmPatternWriter(llm)
