"""Declares moods: what an agent felt, and why. An area that somebody adds."""

from typing import Final

from afterword.pipeline.core.area import (
    ADDS,
    AgentTool,
    Area,
    AreaCommand,
    AreaJob,
    AreaStep,
    AreaTable,
    CronLine,
    DoctorCheck,
    ForgetPlace,
    Kind,
    MetricEvent,
    SwitchTask,
    counter,
    gauge,
)

COUNT_MOODS: Final = Kind("count_moods")
FORGET_MOODS: Final = Kind("forget_moods")

AREA: Final = Area(
    name="moods",
    tables=(AreaTable("moods", quiet="mood"),),
    jobs=(
        AreaJob(
            COUNT_MOODS,
            "afterword.workers.actors.learning:run_step",
            queue="upkeep",
            has_work="afterword.pipeline.operations.loop.has_work:step_due",
            step=AreaStep("moods.step:COUNT", place=70, asked_place=70),
        ),
        AreaJob(
            FORGET_MOODS,
            "moods.actor:forget",
            queue="quick",
            serial="moods {group}",
            has_work="moods.has_work:moods_fade",
        ),
    ),
    switches=(SwitchTask("guess_mood", "Guess how the agent felt."),),
    cron=(
        CronLine("moods.count", "0 * * * *", job="count_moods"),
        CronLine("moods.forget", "0 0 * * *", job="forget_moods"),
    ),
    places=(ForgetPlace("moods", order=1_000, words=("why",), blank="why = NULL"),),
    checks=(DoctorCheck("group", "moods.check:check_moods", order=1_000),),
    commands=(
        AreaCommand("moods", "moods.command:moods", "Say which moods there were.", order=1_000),
    ),
    tools=(AgentTool("mood_record", "moods.tool:mood_record", ADDS, order=1_000),),
    metrics=(
        gauge("moods", "Moods of all groups.", "mood"),
        counter("moods_felt", "Moods felt.", "mood", events=(MetricEvent("mood.felt", "times"),)),
    ),
    numbers=("moods.metrics:MoodNumbers",),
)
