"""Declares methodologies: their tables, commands, tools and settings."""

from typing import Final

from afterword.pipeline.core.area import (
    READS,
    AgentTool,
    Area,
    AreaCommand,
    AreaExport,
    AreaLineage,
    AreaPage,
    AreaRoute,
    AreaTable,
    ForgetPlace,
    ToolEffect,
)

_TOOLS: Final = "afterword.pipeline.doors.agent.methods"

_LINEAGE: Final = "afterword.pipeline.domain.methodologies.lineage"

_PAGES: Final = "afterword.pipeline.doors.web.trader"

AREA: Final = Area(
    name="methodologies",
    tables=(
        AreaTable(
            "methodologies",
            quiet="uid session_id origin source seeded_from asset_class direction primary_signal"
            " timeframe dedup_key",
        ),
        AreaTable("methodology_terms", quiet="asset_class direction timeframe"),
        AreaTable("methodology_sightings", quiet="digest session_id origin recognised_by"),
        AreaTable("methodology_lifecycle_events", quiet="kind gate numbers said_by"),
    ),
    exports=(
        AreaExport(
            "methodologies",
            "methodologies",
            key="uid",
            order=200,
            links="merged_into=methodologies",
            trust="none",
        ),
        AreaExport(
            "methodology_sightings",
            "methodology_sightings",
            key="methodology_id digest known_at",
            order=205,
            links="methodology_id=methodologies",
        ),
        AreaExport(
            "methodology_events",
            "methodology_lifecycle_events",
            key="methodology_id kind gate known_at",
            order=210,
            links="methodology_id=methodologies",
        ),
    ),
    places=(
        ForgetPlace(
            "methodologies",
            order=92,
            words=("record_key", "name", "methodology", "evidence"),
            json=("phases", "indicators", "injection", "seeded_from"),
            # The row stays with its figures: how many were ever tried decides about the others.
            blank="record_key = NULL, name = '(forgotten)', methodology = '(forgotten)',"
            " evidence = '', phases = '[]', indicators = '[]', injection = '[]',"
            " seeded_from = '[]', quarantine = 1,"
            " deleted_at = coalesce(deleted_at, last_sighted_at)",
        ),
        ForgetPlace(
            "methodology_sightings",
            order=91,
            words=("record_key",),
            blank="record_key = NULL",
            quotes=True,
        ),
        ForgetPlace(
            "methodology_lifecycle_events",
            order=91,
            words=("reason_text",),
            blank="reason_text = ''",
            quotes=True,
        ),
    ),
    commands=(
        AreaCommand(
            "methodology",
            "afterword.pipeline.doors.commands.methodology.app:app",
            "Methods of analysis: add, list, show, suggest and delete them.",
            order=145,
        ),
    ),
    tools=(
        AgentTool(
            "methodology_add",
            f"{_TOOLS}:methodology_add",
            ToolEffect(writes=True, replaces=True, repeats=True),  # counts sightings
            order=122,
        ),
        AgentTool("methodology_show", f"{_TOOLS}:methodology_show", READS, order=126),
    ),
    settings=("learning_enabled",),
    lineage=(AreaLineage("method", f"{_LINEAGE}:method_lineage", order=35),),
    routes=(
        AreaRoute(
            "GET",
            "/v1/methodologies",
            "afterword.pipeline.doors.http.routes.trading:list_methods",
            "agent owner observer",
        ),
        AreaRoute(
            "GET",
            "/v1/methodologies/{methodology}",
            "afterword.pipeline.doors.http.routes.trading:get_method",
            "agent owner observer",
        ),
    ),
    pages=(
        AreaPage("/methods", f"{_PAGES}.methods:methods", "Methods", "trades", 120),
        AreaPage(
            "/methods/{method}", f"{_PAGES}.methods:method", "Method", "", 121, shows="method"
        ),
    ),
)
