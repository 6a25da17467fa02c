"""Declares decisions: the tables of role memory, and the jobs that a decision causes."""

from typing import Final

from afterword.pipeline.core.area import (
    ADDS,
    AgentTool,
    Area,
    AreaCommand,
    AreaExport,
    AreaJob,
    AreaLineage,
    AreaPage,
    AreaRoute,
    AreaStep,
    AreaTable,
    CronLine,
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

MEASURE_OUTCOMES: Final = Kind("measure_outcomes", deadline_s=600.0)
"""Payload: none."""

EXTRACT_ROLE_EDGES: Final = Kind("extract_role_edges", batch=128)
EMBED_ROLE_ENTRIES: Final = Kind("embed_role_entries", batch=64, deadline_s=120.0)
"""Payload of both: `{"role_memory_id": id}`."""


_LINEAGE: Final = "afterword.pipeline.domain.decisions.lineage"

_PAGES: Final = "afterword.pipeline.doors.web.trader"

AREA: Final = Area(
    name="decisions",
    tables=(
        AreaTable("decision_contexts", quiet="hash"),
        AreaTable("judge_evidence", quiet="hash"),
        # Ids, closed vocabularies, names of models, the key of its asset.
        AreaTable(
            "role_memory",
            quiet="uid role_id skill_id session_id origin asset_key direction context_hash state"
            " reason mark outcome classification classified_by lesson_by embedding_state stop_price"
            " target_price size_usd leverage hint_hash rule_class evidence_hash from_trip_uid"
            " recorded_by lessons_hash",
        ),
        # Numbers, closed vocabularies and digests; never the text of a lesson.
        AreaTable("lesson_sets", quiet="digest body"),
        AreaTable("lesson_prompts", quiet="role_id occasion digest"),
        AreaTable("role_vectors", quiet="vector"),
        AreaTable("role_shadows", quiet="task said_by classification"),
        AreaTable("outcome_stats"),
        AreaTable("role_stats", quiet="role_id state reason outcome classification classified_by"),
    ),
    exports=(
        AreaExport("decision_contexts", "decision_contexts", key="hash", order=100, trust="signed"),
        AreaExport("judge_evidence", "judge_evidence", key="hash", order=105, trust="signed"),
        AreaExport(
            "lesson_sets", "lesson_sets", key="digest", order=106, leaves="", trust="signed"
        ),
        AreaExport(
            "lesson_prompts",
            "lesson_prompts",
            key="role_id occasion",
            order=107,
            leaves="",
            trust="signed",
        ),
        AreaExport(
            "decisions",
            "role_memory",
            key="uid",
            order=110,
            links="superseded_by=decisions",
            names="context_hash=decision_contexts evidence_hash=judge_evidence",
            leaves="id embedding_state embedding_error",
            trust="signed",
            after="afterword.pipeline.domain.decisions.carried:queue_edges",
        ),
        AreaExport(
            "role_shadows",
            "role_shadows",
            key="role_memory_id task",
            order=112,
            links="role_memory_id=decisions",
            trust="signed",
        ),
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
        # No gate before it starts: most of the work is free, and each model call is metered.
        AreaJob(
            REFLECT_ENTRIES,
            "afterword.workers.actors.learning:run_step",
            queue="llm",
            serial="role {group} {role}",
            has_work="afterword.pipeline.operations.loop.has_work:step_due",
            step=AreaStep("afterword.pipeline.operations.loop.reflect:REFLECT_STEP", 20, 20),
        ),
        AreaJob(
            MEASURE_OUTCOMES,
            "afterword.workers.actors.learning:run_step",
            queue="upkeep",
            serial="outcomes {group}",
            has_work="afterword.pipeline.operations.loop.has_work:step_due",
            # A person is told at once: what ends in the reflection is measured in the same call.
            step=AreaStep("afterword.pipeline.operations.loop.measure:MEASURE_STEP", 10, 25),
        ),
    ),
    cron=(CronLine("outcomes.measure", "7-59/15 * * * *", job="measure_outcomes", jitter_s=30),),
    # Before the decisions: erasing a decision removes its context and its evidence, which the
    # proof must know.
    places=(
        ForgetPlace("decision_contexts", order=70, json=("body",)),
        ForgetPlace("judge_evidence", order=75, json=("body",)),
        ForgetPlace("role_shadows", order=80, words=("said",), quotes=True),
        ForgetPlace(
            "role_memory",
            order=90,
            words=(
                *("decision", "asset", "record_key", "scenario_id", "why", "mark_note"),
                *("narrative", "lesson", "embedding_error"),
            ),
            json=("inputs", "measured", "methods"),
            account="inputs ->> 'account'",
        ),
    ),
    checks=(
        DoctorCheck("group", "afterword.pipeline.operations.doctor.keys:check_keys", order=45),
        DoctorCheck(
            "group", "afterword.pipeline.operations.doctor.roles:check_decisions", order=70
        ),
    ),
    fixes=(
        DoctorFix("keys", "afterword.pipeline.operations.doctor.keys:fix_keys", order=25),
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
            "afterword.pipeline.doors.commands.roles.app:app",
            "Record decisions, and learn from their outcome.",
            order=50,
        ),
    ),
    tools=(
        AgentTool(
            "role_record", "afterword.pipeline.doors.agent.roles:role_record", ADDS, order=100
        ),
    ),
    numbers=("afterword.pipeline.domain.decisions.metrics:DecisionNumbers",),
    metrics=(
        gauge(
            "role_decisions",
            "Decisions of each role by state: pending, parked, skipped or reflected. Roles beyond "
            "the "
            "first hundred are `other roles`; roles that no skill declares are `no skill`.",
            "role",
            "state",
        ),
        gauge(
            "role_decisions_parked", "Parked decisions of each role, by reason.", "role", "reason"
        ),
        gauge(
            "role_oldest_ripe_age_seconds",
            "Time since the oldest pending decision of a role could be judged, in seconds; 0 if "
            "none.",
            "role",
        ),
        counter(
            "role_reflected",
            "Judged decisions by outcome (right, wrong or noise), class (why they were not right) "
            "and "
            "judge: a `probe`, a person's `mark`, the `heuristic` or a `model`.",
            "outcome",
            "class",
            "judge",
        ),
        counter("role_lessons", "Judged decisions that left a lesson.", "judge"),
        counter("role_parked", "Times that a decision was parked, by reason.", "reason"),
        counter(
            "outcomes_measured",
            "Outcomes measured, by window in hours; windows beside those of the ladder are "
            "`other`.",
            "window",
        ),
        gauge(
            "outcomes_missing",
            "Decisions with a window that passed without an outcome, for lack of prices; up to "
            "10,000 of each group are counted.",
        ),
        gauge(
            "outcome_oldest_due_age_seconds",
            "Time since the first outcome that is not measured yet was due, in seconds; 0 if none.",
        ),
        counter("role_skipped", "Decisions that were skipped, by reason.", "reason"),
    ),
    lineage=(
        AreaLineage("decision", f"{_LINEAGE}:decision_lineage", order=20),
        AreaLineage("outcome", f"{_LINEAGE}:outcome_lineage", order=96),
    ),
    routes=(
        AreaRoute(
            "GET",
            "/v1/decisions",
            "afterword.pipeline.doors.http.routes.trading:list_made_decisions",
            "agent owner observer",
        ),
        AreaRoute(
            "GET",
            "/v1/decisions/{decision}",
            "afterword.pipeline.doors.http.routes.trading:get_decision",
            "owner observer",
        ),
    ),
    pages=(
        AreaPage(
            "/decisions",
            f"{_PAGES}.decisions:decisions",
            "Decisions",
            "trades",
            110,
        ),
        AreaPage(
            "/decisions/{decision}",
            f"{_PAGES}.decisions:decision",
            "Decision",
            "",
            111,
            shows="decision",
        ),
    ),
)
