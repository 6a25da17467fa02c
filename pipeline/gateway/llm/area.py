"""What questions to a model declare: where they are asked, and how they end."""

from typing import Final

from afterword.pipeline.core.area import RUN_S, Area, AreaCommand, counter, seconds

AREA: Final = Area(
    name="llm",
    commands=(
        AreaCommand(
            "llm",
            "afterword.pipeline.doors.commands.llm:app",
            "Ask the model whether it answers.",
            order=160,
        ),
    ),
    metrics=(
        counter(
            "llm_questions",
            "How many questions to a model this process saw end: `answered`, `declined` by the "
            "model, `refused` by the service, `unusable`, `over_budget`, `left_alone` or `failed`.",
            "task",
            "outcome",
        ),
        seconds(
            "llm_question", "How many seconds a question took, if it was asked.", RUN_S, "task"
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
        "llm_cassette",
    ),
)
