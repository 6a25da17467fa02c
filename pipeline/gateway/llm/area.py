"""Declares questions to a model: the settings of the service, and their outcomes."""

from typing import Final

from afterword.pipeline.core.area import RUN_S, Area, AreaCommand, MetricEvent, counter, seconds

AREA: Final = Area(
    name="llm",
    commands=(
        AreaCommand(
            "llm",
            "afterword.pipeline.doors.commands.llm:app",
            "Check that the model answers.",
            order=160,
        ),
    ),
    metrics=(
        counter(
            "llm_questions",
            "Questions to a model, by outcome: `answered`, `declined` by the model, `refused` by "
            "the "
            "service, `unusable` answer, `over_budget`, `left_alone` (circuit open) or `failed`.",
            "task",
            "outcome",
            events=(MetricEvent("llm.asked"),),
        ),
        seconds(
            "llm_question",
            "Time that a question to a model took, in seconds.",
            RUN_S,
            "task",
            events=(MetricEvent("llm.asked", "seconds"),),
        ),
    ),
    settings=(
        "llm_provider",
        "llm_base_url",
        "llm_api_key",
        "llm_model",
        "llm_timeout_s",
        "llm_usd_per_million_input_tokens",
        "llm_usd_per_million_output_tokens",
        "llm_fast_model",
        "llm_fast_usd_per_million_input_tokens",
        "llm_fast_usd_per_million_output_tokens",
        "llm_cassette",
    ),
)
