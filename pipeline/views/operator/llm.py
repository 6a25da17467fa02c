"""Whether the model answers, how fast, and at what cost."""

from collections.abc import Mapping

from afterword.pipeline.views.blocks import Fields, View
from afterword.pipeline.views.words import duration


def model_checked(result: Mapping[str, object], took_s: float) -> View:
    """Return the answer of a model to a tiny question.

    Args:
        result: what it answered with, by name.
        took_s: how long that took; seconds.
    """
    facts = {name.replace("_", " "): str(value) for name, value in result.items()}
    return View([Fields(facts | {"took s": duration(took_s)})])
