"""What decisions declare: the rows of role memory, and the jobs that follow one."""

from typing import Final

from afterword.pipeline.core.area import (
    AgentTool,
    Area,
    AreaCommand,
    AreaJob,
    AreaTable,
    DoctorCheck,
    DoctorFix,
    ForgetPlace,
    Kind,
    counter,
    gauge,
)

REFLECT_ENTRIES: Final = Kind("reflect_entries", deadline_s=1_200.0)
"""Payload: `{"role": id}`. Its deadline holds a pass of `asking.LONGEST_PASS`, and the two answers
that were asked for last."""

EXTRACT_ROLE_EDGES: Final = Kind("extract_role_edges", batch=128)
EMBED_ROLE_ENTRIES: Final = Kind("embed_role_entries", batch=64, deadline_s=120.0)
"""Payload of both: `{"role_memory_id": id}`."""

_THESE: Final = "rowid IN (SELECT value FROM json_each(:ids))"

AREA: Final = Area(
    name="decisions",
    tables=(
        AreaTable("decision_contexts", quiet="hash"),
        # Ids, closed vocabularies, names of models, the key of its asset.
        AreaTable(
            "role_memory",
            quiet="uid role_id skill_id session_id origin asset_key direction context_hash state"
            " reason mark outcome classification classified_by lesson_by embedding_state",
        ),
        AreaTable("role_vectors", quiet="vector"),
        AreaTable("role_shadows", quiet="task said_by classification"),
        AreaTable("role_stats", quiet="role_id state reason outcome classification classified_by"),
    ),
    jobs=(
        AreaJob(EXTRACT_ROLE_EDGES, "afterword.workers.actors.roles:extract_edges", queue="quick"),
        AreaJob(
            EMBED_ROLE_ENTRIES,
            "afterword.workers.actors.roles:embed",
            queue="embed",
            spends="learning",
            asks="embedding",
        ),
        # Asked for nothing before it starts: most of it is free, and what it asks is metered.
        AreaJob(
            REFLECT_ENTRIES,
            "afterword.workers.actors.roles:reflect",
            queue="llm",
            serial="role {group} {role}",
        ),
    ),
    # Before the decisions: what goes with one of those would be gone before the proof knows it.
    places=(
        ForgetPlace(
            "decision_contexts",
            (),
            ("body",),
            f"DELETE FROM decision_contexts WHERE {_THESE}",
            order=70,
        ),
        ForgetPlace(
            "role_shadows",
            ("said",),
            (),
            f"DELETE FROM role_shadows WHERE {_THESE}",
            order=80,
            quotes=True,
        ),
        ForgetPlace(
            "role_memory",
            (
                *("decision", "asset", "record_key", "scenario_id", "why", "mark_note"),
                *("narrative", "lesson", "embedding_error"),
            ),
            ("inputs", "measured"),
            f"DELETE FROM role_memory WHERE {_THESE}",
            order=90,
        ),
    ),
    checks=(
        DoctorCheck(
            "group", "afterword.pipeline.operations.doctor.roles:check_decisions", order=70
        ),
    ),
    fixes=(
        DoctorFix(
            "reflect_pending",
            "afterword.pipeline.operations.doctor.fix:fix_reflect_pending",
            order=50,
            may_ask=True,
        ),
    ),
    commands=(
        AreaCommand(
            "role",
            "afterword.pipeline.doors.commands.roles:app",
            "Record decisions, and learn from their outcome.",
            order=50,
        ),
    ),
    tools=(
        AgentTool("role_record", "afterword.pipeline.doors.agent.roles:role_record", order=100),
    ),
    metrics=(
        gauge(
            "role_decisions",
            "How many decisions of a role are pending, parked, skipped or reflected; roles above a "
            "hundred are `other roles`, those removed from every skill `no skill`.",
            "role",
            "state",
        ),
        gauge("role_decisions_parked", "How many are parked for a reason.", "role", "reason"),
        gauge(
            "role_oldest_ripe_age_seconds",
            "How many seconds a role's oldest pending decision could have been judged; 0 if none.",
            "role",
        ),
        counter(
            "role_reflected",
            "How many decisions were judged for good: right, wrong or noise; why they were not "
            "right; said by a `probe`, a person's `mark`, the `heuristic` or a `model`.",
            "outcome",
            "class",
            "judge",
        ),
        counter("role_lessons", "How many of them left a lesson.", "judge"),
        counter("role_parked", "How many times a decision was parked for a reason.", "reason"),
        counter("role_skipped", "How many decisions were given up for a reason.", "reason"),
    ),
)
