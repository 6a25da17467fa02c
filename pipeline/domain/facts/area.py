"""Declares facts: the pass by rule, and the questions to a judge."""

from typing import Final

from afterword.pipeline.core.area import (
    Area,
    AreaCommand,
    AreaExport,
    AreaJob,
    AreaTable,
    CronLine,
    DoctorCheck,
    ForgetPlace,
    Kind,
    SwitchTask,
)

CONSOLIDATE_FACTS: Final = Kind("consolidate_facts")
JUDGE_FACTS: Final = Kind("judge_facts", deadline_s=600.0)

AREA: Final = Area(
    name="facts",
    tables=(
        AreaTable("facts", quiet="state fingerprint"),  # it goes with its memory
        AreaTable("memory_consolidation_events", quiet="kind decided_by detail"),
    ),
    exports=(
        AreaExport(
            "facts",
            "facts",
            key="memory_id",
            order=20,
            links="memory_id=memories retired_by=memories",
            # Where each pass stands: the next one looks at the fact again.
            leaves="version judged_to shadow_judged_to",
            where="memory_id IN (SELECT id FROM memories WHERE deleted_at IS NULL)",
            trust="any",
        ),
    ),
    jobs=(
        AreaJob(
            CONSOLIDATE_FACTS,
            "afterword.workers.actors.facts:consolidate",
            queue="quick",
            has_work="afterword.pipeline.domain.facts.has_work:facts_wait",
        ),
        AreaJob(
            JUDGE_FACTS,
            "afterword.workers.actors.facts:judge",
            queue="llm",
            spends="learning",
            asks="llm",
        ),
    ),
    switches=(SwitchTask("judge_facts", "Ask a model which facts say the same."),),
    cron=(CronLine("facts.consolidate", "*/10 * * * *", job="consolidate_facts", jitter_s=30),),
    places=(
        ForgetPlace(
            "memory_consolidation_events", order=60, words=("said",), blank="said = ''", quotes=True
        ),
    ),
    checks=(
        DoctorCheck("group", "afterword.pipeline.operations.doctor.memory:check_facts", order=60),
    ),
    commands=(
        AreaCommand(
            "fact",
            "afterword.pipeline.doors.commands.facts:app",
            "See what the agent holds true, and undo a decision.",
            order=20,
        ),
    ),
    settings=("consolidation_enabled", "consolidation_guidance"),
)
