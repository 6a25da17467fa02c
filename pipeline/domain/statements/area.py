"""Declares statements of chats: in which turn each memory about the user was said."""

from typing import Final

from afterword.pipeline.core.area import (
    Area,
    AreaExport,
    AreaJob,
    AreaLineage,
    AreaTable,
    CronLine,
    ForgetPlace,
    Kind,
    MetricEvent,
    SwitchTask,
    counter,
)

REBUILD_MEMORIES: Final = Kind("rebuild_memories", deadline_s=300.0)
"""Payload: `{}`, or `{"forced": true}` where no pause counts."""

AREA: Final = Area(
    name="statements",
    tables=(AreaTable("chat_statements", quiet="kind fingerprint outcome found_by"),),
    exports=(
        AreaExport(
            "chat_statements",
            "chat_statements",
            key="turn_id fingerprint",
            order=16,
            links="turn_id=turns memory_id=memories",
            where="turn_id IN (SELECT id FROM turns WHERE outcome IS NOT NULL)",
            constraint="kind = 'constraint'",
            trust="known",
        ),
    ),
    # It names no budget as a gate: rules cost nothing, and read on while it is spent.
    jobs=(
        AreaJob(
            REBUILD_MEMORIES,
            "afterword.workers.actors.rebuilds:run",
            queue="llm",
            serial="memories {group}",
            has_work="afterword.pipeline.domain.rebuilds.has_work:rebuild_due",
        ),
    ),
    # Asked often and cheaply: the rule says when a look is due.
    cron=(CronLine("profile.memories", "*/5 * * * *", job="rebuild_memories", jitter_s=60),),
    switches=(
        SwitchTask("rebuild_memories", "Have a model find in chats what users say of themselves."),
    ),
    places=(
        ForgetPlace(
            "chat_statements",
            order=6,
            words=("quote",),
            names="memory_id IN (SELECT value FROM json_each(:memories))",
        ),
    ),
    lineage=(
        AreaLineage(
            "memory", "afterword.pipeline.domain.statements.lineage:statement_lineage", order=16
        ),
    ),
    metrics=(
        counter(
            "chat_statements",
            "Statements of users in chats by result: personalization or fact (written), "
            "said_again, replaced (an older one), or why they were refused; and who found them.",
            "result",
            "found_by",
            events=(MetricEvent("chat.statements_read", "statements"),),
        ),
    ),
)
