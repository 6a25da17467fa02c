"""Declares memory: its tables and tools, the jobs a written memory causes, and the purge."""

from typing import Final

from afterword.pipeline.core.area import (
    ADDS,
    READS,
    AgentTool,
    Area,
    AreaAction,
    AreaCommand,
    AreaExport,
    AreaJob,
    AreaLineage,
    AreaPage,
    AreaRoute,
    AreaTable,
    CronLine,
    DoctorCheck,
    DoctorFix,
    ForgetPlace,
    Kind,
    MetricEvent,
    ToolEffect,
    counter,
)

# More rows cost less each, but hold the only writer longer: with 128, 99 of 100 writes beside two
# busy workers take under 25 ms, and some 9,000 rows/s drain; with 256 they wait up to 50 ms.
EXTRACT_EDGES: Final = Kind("extract_edges", batch=128)

# 64 texts are one request; its own deadline (a setting) is far shorter than this one.
EMBED_MEMORIES: Final = Kind("embed_memories", batch=64, deadline_s=120.0)
"""Payload of both: `{"memory_id": id}`."""

PURGE_EXPIRED: Final = Kind("purge_expired", deadline_s=300)

_CHECKS: Final = "afterword.pipeline.operations.doctor.memory"
_COMMANDS: Final = "afterword.pipeline.doors.commands"
_TOOLS: Final = "afterword.pipeline.doors.agent"

_LINEAGE: Final = "afterword.pipeline.domain.memory.lineage"

_PAGES: Final = "afterword.pipeline.doors.web.trader"

AREA: Final = Area(
    name="memory",
    tables=(
        # Fixed words and uids; grams are derived from the content and change with it.
        AreaTable(
            "memories", quiet="uid category source origin type session_id embedding_state grams"
        ),
        AreaTable("memories_fts"),
        AreaTable("memory_parents"),
        AreaTable("memory_purges"),
        AreaTable("memory_absences", quiet="cause"),  # it goes with its memory
        AreaTable("injection_flags", quiet="object_table families"),
        AreaTable("user_profile"),
        AreaTable("audit_log", quiet="actor tool_call object_table session_id detail"),
    ),
    exports=(
        AreaExport(
            "memories",
            "memories",
            key="uid",
            order=10,
            links="superseded_by=memories",
            leaves="id behavioral grams embedding_state embedding_error deleted_at",
            # What tells a preference goes with the preference, and comes back once that is active.
            where="deleted_at IS NULL AND id NOT IN"
            " (SELECT memory_id FROM learned_preferences WHERE memory_id IS NOT NULL)",
            trust="any",
            learned_at="known_at created_at updated_at superseded_at",
            write="afterword.pipeline.domain.memory.carried:write_carried",
        ),
        AreaExport(
            "memory_parents",
            "memory_parents",
            key="child_id parent_id",
            order=15,
            links="child_id=memories parent_id=memories",
            where="(SELECT count(*) FROM memories WHERE id IN (child_id, parent_id)"
            " AND deleted_at IS NULL) = 2",
            trust="known",
        ),
        AreaExport(
            "user_profile",
            "user_profile",
            key="key value updated_at",
            order=30,
            trust="any",
        ),
    ),
    jobs=(
        AreaJob(EXTRACT_EDGES, "afterword.workers.actors.memory:extract_edges", queue="quick"),
        AreaJob(
            EMBED_MEMORIES,
            "afterword.workers.actors.memory:embed",
            queue="embed",
            spends="learning",
            asks="embedding",
        ),
        AreaJob(
            PURGE_EXPIRED,
            "afterword.workers.actors.memory:purge",
            queue="upkeep",
            has_work="afterword.pipeline.domain.memory.has_work:memories_expire",
        ),
    ),
    cron=(CronLine("memory.purge", "30 3 * * *", job="purge_expired", jitter_s=300),),
    places=(
        ForgetPlace(
            "memories",
            order=10,
            words=("content", "scenario_id", "embedding_error"),
            json=("metadata", "tags"),
            account="metadata ->> 'account'",
        ),
        ForgetPlace("user_profile", order=20, words=("key", "value")),
    ),
    checks=(
        DoctorCheck("group", f"{_CHECKS}:check_memories", order=20),
        DoctorCheck("group", f"{_CHECKS}:check_flags", order=25),
        DoctorCheck("group", f"{_CHECKS}:check_ends", order=80),
    ),
    fixes=(DoctorFix("injection", f"{_CHECKS}:fix_injection", order=35),),
    metrics=(
        counter(
            "injection_flags",
            "Texts that read like orders to the agent when they were written, by the family of "
            "the injection. A text of two families counts twice.",
            "family",
            events=(MetricEvent("injection.flagged"),),
        ),
    ),
    commands=(
        AreaCommand(
            "memory",
            f"{_COMMANDS}.memory.app:app",
            "Write, search, edit, delete, unflag and purge memories.",
            order=10,
        ),
        AreaCommand(
            "profile",
            f"{_COMMANDS}.profile.app:app",
            "Say who you are, and see what is known of you.",
            order=30,
        ),
        AreaCommand(
            "entry",
            f"{_COMMANDS}.entries:app",
            "Store, search, list and delete typed entries.",
            order=100,
        ),
    ),
    tools=(
        AgentTool("memory_write", f"{_TOOLS}.remember:memory_write", ADDS, order=10),
        AgentTool("memory_read", f"{_TOOLS}.look_up:memory_read", READS, order=20),
        AgentTool(
            "memory_store",
            f"{_TOOLS}.remember:memory_store",
            ToolEffect(writes=True, replaces=True, repeats=True),  # by `supersedes`
            order=40,
        ),
        AgentTool(
            "memory_delete",
            f"{_TOOLS}.remember:memory_delete",
            ToolEffect(writes=True, replaces=True),
            order=60,
        ),
        AgentTool("memory_why", f"{_TOOLS}.why:memory_why", READS, order=65),
        AgentTool("profile_read", f"{_TOOLS}.profile:profile_read", READS, order=90),
    ),
    settings=("memory_deleted_retention_days", "memory_superseded_retention_days"),
    lineage=(AreaLineage("memory", f"{_LINEAGE}:memory_lineage", order=10),),
    routes=(
        AreaRoute(
            "GET",
            "/v1/memory",
            "afterword.pipeline.doors.http.routes.memory:list_memories",
            "agent owner observer",
        ),
        AreaRoute(
            "POST", "/v1/memory", "afterword.pipeline.doors.http.routes.memory:write", "owner"
        ),
        AreaRoute(
            "GET",
            "/v1/memory/{memory}",
            "afterword.pipeline.doors.http.routes.memory:get_one",
            "agent owner observer",
        ),
        AreaRoute(
            "PATCH",
            "/v1/memory/{memory}",
            "afterword.pipeline.doors.http.routes.memory:edit",
            "owner",
        ),
        AreaRoute(
            "DELETE",
            "/v1/memory/{memory}",
            "afterword.pipeline.doors.http.routes.memory:delete",
            "owner",
        ),
        AreaRoute(
            "POST",
            "/v1/memory/{memory}/restore",
            "afterword.pipeline.doors.http.routes.memory:restore",
            "owner",
        ),
        AreaRoute(
            "GET",
            "/v1/memory/{memory}/why",
            "afterword.pipeline.doors.http.routes.memory:why",
            "agent owner observer",
        ),
    ),
    pages=(
        AreaPage("/memory", f"{_PAGES}.memories:memories", "Memory", "memory", 150),
        AreaPage(
            "/memory/{memory}", f"{_PAGES}.one_memory:memory", "Memory", "", 151, shows="memory"
        ),
    ),
    actions=(
        AreaAction("/memory/write", f"{_PAGES}.one_memory:write"),
        AreaAction("/memory/{memory}/edit", f"{_PAGES}.one_memory:edit"),
        AreaAction("/memory/{memory}/delete", f"{_PAGES}.one_memory:delete"),
        AreaAction("/memory/{memory}/restore", f"{_PAGES}.one_memory:restore"),
    ),
)
