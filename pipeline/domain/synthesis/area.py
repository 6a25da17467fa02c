"""Declares the synthesis: its job and schedule, its passes, and its metrics."""

from typing import Final

from afterword.pipeline.core.area import (
    Area,
    AreaExport,
    AreaJob,
    AreaStep,
    AreaTable,
    CronLine,
    DoctorCheck,
    DoctorFix,
    Kind,
    MetricEvent,
    SwitchTask,
    counter,
    gauge,
)

SYNTHESIZE_JOB: Final = Kind("synthesize_methodologies", deadline_s=1_200.0)
"""Payload: none."""

AREA: Final = Area(
    name="synthesis",
    tables=(AreaTable("methodology_cron_runs", quiet="trigger judge numbers"),),
    exports=(
        AreaExport("synthesis_runs", "methodology_cron_runs", key="started_at trigger", order=245),
    ),
    jobs=(
        # No gate before it starts: most of the work is free, and each model call is metered.
        AreaJob(
            SYNTHESIZE_JOB,
            "afterword.workers.actors.learning:run_step",
            queue="llm",
            serial="synthesis {group}",
            has_work="afterword.pipeline.operations.loop.has_work:methodologies_stand",
            step=AreaStep(
                "afterword.pipeline.operations.loop.methodologies:SYNTHESIZE_STEP", 50, None
            ),
        ),
    ),
    cron=(
        CronLine(
            "methodologies.synthesize", "20 */6 * * *", job="synthesize_methodologies", jitter_s=120
        ),
    ),
    checks=(
        DoctorCheck(
            "group",
            "afterword.pipeline.operations.doctor.methodologies:check_methodologies",
            order=80,
        ),
    ),
    fixes=(
        DoctorFix(
            "methodology_demotion",
            "afterword.pipeline.operations.doctor.methodologies:fix_methodology_demotion",
            order=47,
        ),
    ),
    switches=(
        SwitchTask("judge_synthesis", "Flag, recover or demote graduated methodologies."),
        SwitchTask("extract_methodology", "Word methodologies made from cases and patterns."),
    ),
    numbers=("afterword.pipeline.domain.synthesis.metrics:MethodologyNumbers",),
    metrics=(
        gauge(
            "methodologies",
            "Methodologies by state: new, trying, promising, graduated, demoted, flagged, merged, "
            "deleted, or placebo.",
            "state",
        ),
        gauge(
            "methodologies_tried",
            "Methodologies that ever cast a vote, as of the last synthesis; placebos apart.",
        ),
        gauge(
            "methodologies_expected_false",
            "Graduated methodologies that are expected to be luck, at most, as of the last "
            "synthesis.",
        ),
        gauge(
            "methodologies_synthesis_age_seconds",
            "Time since the last synthesis of a group with methodologies ended, in seconds, the "
            "longest of all groups; 0 without one.",
        ),
        gauge(
            "methodologies_frozen_groups",
            "Groups whose last synthesis stood still, because a market was under stress.",
        ),
        counter(
            "methodology_changes",
            "Changes of the state of methodologies that this process made, by their name.",
            "change",
            events=(MetricEvent("methodology.changed", "methodologies"),),
        ),
    ),
    settings=("graduation_gate", "graduation_fdr", "synthesis_judge"),
)
