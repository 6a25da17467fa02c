"""Declares sessions: their turns, and how much an agent may write in one."""

from typing import Final

from afterword.pipeline.core.area import (
    Area,
    AreaCommand,
    AreaExport,
    AreaLineage,
    AreaPage,
    AreaRoute,
    AreaTable,
    ForgetPlace,
)

_LINEAGE: Final = "afterword.pipeline.domain.sessions.lineage"

_PAGES: Final = "afterword.pipeline.doors.web.trader"

AREA: Final = Area(
    name="sessions",
    tables=(
        AreaTable("sessions", quiet="uid handle origin"),
        AreaTable("turns", quiet="uid outcome"),
        AreaTable("ended_turns"),
        AreaTable("import_keys"),
    ),
    exports=(
        # A session gets a new handle: that of its home is a secret of its agent.
        AreaExport(
            "sessions",
            "sessions",
            key="uid",
            order=5,
            leaves="id handle",
            trust="known",
            write="afterword.pipeline.domain.sessions.carried:write_carried_sessions",
        ),
        AreaExport(
            "turns",
            "turns",
            key="uid",
            order=6,
            links="session_id=sessions",
            where="outcome IS NOT NULL",
            trust="known",
            after="afterword.pipeline.domain.sessions.carried:leave_read",
        ),
        AreaExport(
            "import_keys",
            "import_keys",
            key="record_key",
            order=12,
            links="memory_id=memories",
            leaves="",
            where="memory_id IN (SELECT id FROM memories WHERE deleted_at IS NULL)",
            trust="known",
        ),
    ),
    places=(
        ForgetPlace(
            "import_keys",
            order=5,
            words=("record_key",),
            names="memory_id IN (SELECT value FROM json_each(:memories))",
        ),
        ForgetPlace(
            "turns",
            order=30,
            words=("message", "reply"),
            json=("tool_calls",),
            blank="message = '', reply = NULL, tool_calls = '[]'",
        ),
        ForgetPlace("sessions", order=50, words=("label",), blank="label = NULL"),
    ),
    commands=(
        AreaCommand(
            "session",
            "afterword.pipeline.doors.commands.sessions:app",
            "Begin, end and see the sessions of agents.",
            order=110,
        ),
    ),
    settings=(
        "session_max_stores",
        "session_max_supersedes",
        "session_max_deletes",
        "session_max_decisions",
        "session_max_trades",
        "session_max_methodologies",
    ),
    lineage=(
        AreaLineage("memory", f"{_LINEAGE}:import_lineage", order=15),
        AreaLineage("turn", f"{_LINEAGE}:turn_lineage", order=70),
        AreaLineage("session", f"{_LINEAGE}:session_lineage", order=80),
        AreaLineage("record", f"{_LINEAGE}:record_lineage", order=90),
    ),
    routes=(
        AreaRoute(
            "POST",
            "/v1/sessions",
            "afterword.pipeline.doors.http.routes.sessions:begin_session",
            "agent",
        ),
        AreaRoute(
            "GET",
            "/v1/sessions",
            "afterword.pipeline.doors.http.routes.sessions:list_sessions",
            "owner observer",
        ),
        AreaRoute(
            "GET",
            "/v1/sessions/{session}",
            "afterword.pipeline.doors.http.routes.sessions:get_session",
            "owner observer",
        ),
        AreaRoute(
            "POST",
            "/v1/sessions/end",
            "afterword.pipeline.doors.http.routes.sessions:end_session",
            "agent",
        ),
        AreaRoute(
            "POST", "/v1/turns", "afterword.pipeline.doors.http.routes.sessions:begin_turn", "agent"
        ),
        AreaRoute(
            "POST",
            "/v1/turns/{turn}/texts",
            "afterword.pipeline.doors.http.routes.sessions:turn_texts",
            "agent",
        ),
        AreaRoute(
            "PATCH",
            "/v1/turns/{turn}",
            "afterword.pipeline.doors.http.routes.sessions:finish_turn",
            "agent",
        ),
    ),
    pages=(AreaPage("/prompt", f"{_PAGES}.prompt:prompt", "Prompt", "memory", 170),),
)
