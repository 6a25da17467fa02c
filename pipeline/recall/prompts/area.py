"""Declares prompts: what a session starts with, and what each of its turns gets beside."""

from typing import Final

from afterword.pipeline.core.area import (
    READS,
    AgentTool,
    Area,
    AreaCommand,
    AreaTable,
    DoctorCheck,
    ForgetPlace,
    SwitchTask,
    counter,
)

AREA: Final = Area(
    name="prompts",
    tables=(
        AreaTable("session_snapshots", quiet="surface memory_ids"),
        AreaTable("turn_tags", quiet="dimensions proposed"),
    ),
    checks=(
        DoctorCheck(
            "group", "afterword.pipeline.operations.doctor.profile:check_snapshots", order=27
        ),
    ),
    metrics=(
        counter(
            "turn_tag_choices",
            "Turns for which a model was asked which tags they need, by outcome: `answered`, or "
            "`failed`, so that the rules said it; turns.",
            "outcome",
        ),
    ),
    numbers=("afterword.pipeline.recall.prompts.metrics:TurnTagNumbers",),
    switches=(SwitchTask("choose_turn_tags", "Ask a model which tags a turn needs."),),
    places=(
        ForgetPlace(
            "session_snapshots",
            order=40,
            words=("body",),
            names="EXISTS (SELECT 1 FROM json_each(memory_ids) AS shown"
            " WHERE shown.value IN (SELECT value FROM json_each(:memories)))",
        ),
    ),
    commands=(
        AreaCommand(
            "snapshot",
            "afterword.pipeline.doors.commands.prompts:snapshot",
            "Print the block a session starts with.",
            order=70,
        ),
        AreaCommand(
            "brief",
            "afterword.pipeline.doors.commands.prompts:brief",
            "Print what to know before the first step.",
            order=80,
        ),
    ),
    tools=(
        AgentTool(
            "memory_brief", "afterword.pipeline.doors.agent.look_up:memory_brief", READS, order=50
        ),
    ),
    settings=(
        "brief_max_entries",
        "brief_max_chars",
        "brief_timeout_s",
        "snapshot_max_chars",
        "chat_intent_gating_enabled",
        "chat_intent_judge",
        "chat_intent_timeout_s",
    ),
)
