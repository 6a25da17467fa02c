"""Declares patterns: their tables, the jobs that weigh and word them, and their metrics."""

from typing import Final

from afterword.pipeline.core.area import (
    Area,
    AreaExport,
    AreaJob,
    AreaLineage,
    AreaPage,
    AreaStep,
    AreaTable,
    CronLine,
    DoctorCheck,
    DoctorFix,
    ForgetPlace,
    Kind,
    MetricEvent,
    SwitchTask,
    counter,
    gauge,
)

WEIGH_PATTERNS: Final = Kind("weigh_patterns", deadline_s=300.0)
WORD_PATTERNS: Final = Kind("word_patterns", deadline_s=1_200.0)
"""Payload of both: `{"role": id}`."""

PURGE_PATTERNS: Final = Kind("purge_patterns", deadline_s=300.0)
"""Payload: none."""

_LINEAGE: Final = "afterword.pipeline.domain.patterns.lineage"

_PAGES: Final = "afterword.pipeline.doors.web.trader"

AREA: Final = Area(
    name="patterns",
    tables=(
        AreaTable(
            "role_patterns",
            quiet="role_id asset_class direction trend side state worded_by asked_by",
        ),
        AreaTable("role_weighings", quiet="role_id seen"),
    ),
    exports=(
        AreaExport(
            "patterns",
            "role_patterns",
            key="role_id asset_class direction trend side known_at",
            order=240,
        ),
    ),
    jobs=(
        AreaJob(
            WEIGH_PATTERNS,
            "afterword.workers.actors.learning:run_step",
            queue="upkeep",
            serial="patterns {group} {role}",
            step=AreaStep("afterword.pipeline.operations.loop.patterns:WEIGH_STEP", 30, 30),
        ),
        AreaJob(
            WORD_PATTERNS,
            "afterword.workers.actors.learning:run_step",
            queue="llm",
            spends="learning",
            asks="llm",
            serial="patterns {group} {role}",
            step=AreaStep("afterword.pipeline.operations.loop.patterns:WORD_STEP", 40, 40),
        ),
        AreaJob(
            PURGE_PATTERNS,
            "afterword.workers.actors.patterns:purge",
            queue="upkeep",
            has_work="afterword.pipeline.domain.patterns.has_work:patterns_expire",
        ),
    ),
    cron=(CronLine("patterns.purge", "40 3 * * *", job="purge_patterns", jitter_s=300),),
    switches=(SwitchTask("word_pattern", "Word confirmed patterns, if a model is the judge."),),
    places=(
        ForgetPlace(
            "role_patterns",
            order=85,
            words=("text", "said", "refusal"),
            json=("assets", "numbers"),
        ),
    ),
    checks=(
        DoctorCheck(
            "group", "afterword.pipeline.operations.doctor.patterns:check_patterns", order=75
        ),
    ),
    fixes=(
        DoctorFix(
            "patterns", "afterword.pipeline.operations.doctor.patterns:fix_patterns", order=45
        ),
    ),
    numbers=("afterword.pipeline.domain.patterns.metrics:RolePatternNumbers",),
    metrics=(
        gauge(
            "role_patterns",
            "Patterns of each role by state: confirmed, emerging or retired. Roles beyond the "
            "first hundred are `other roles`; roles that no skill declares are `no skill`.",
            "role",
            "state",
        ),
        counter(
            "role_pattern_changes",
            "Texts of patterns that were written because a state, a number or a scope changed, by "
            "the new state.",
            "state",
            events=(MetricEvent("pattern.written", "patterns"),),
        ),
        counter(
            "role_lessons_superseded",
            "Lessons that were superseded because the record of their setup does not support them.",
            events=(MetricEvent("pattern.lessons_superseded", "lessons"),),
        ),
        counter(
            "role_pattern_wordings",
            "Answers of a model that was asked to word a pattern: `kept`, `shadow` (recorded "
            "only), or `refused` (the template stays).",
            "result",
            events=(MetricEvent("pattern.worded"),),
        ),
    ),
    settings=("pattern_error", "pattern_superseded_retention_days", "pattern_unplayed_days"),
    lineage=(AreaLineage("pattern", f"{_LINEAGE}:pattern_lineage", order=30),),
    pages=(
        AreaPage("/lessons", f"{_PAGES}.patterns:lessons", "Lessons", "trades", 115),
        AreaPage("/pattern", f"{_PAGES}.patterns:pattern", "Pattern", "", 116, shows="pattern"),
    ),
)
