"""Declares edges: which memories and decisions are about which entity."""

from typing import Final

from afterword.pipeline.core.area import Area, AreaCommand, AreaTable, DoctorCheck, DoctorFix

AREA: Final = Area(
    name="edges",
    tables=(
        # They go with their memory or decision.
        AreaTable(
            "memory_edges",
            quiet="src_table dst_entity_kind dst_entity_key edge_type src_category",
        ),
    ),
    checks=(
        DoctorCheck("group", "afterword.pipeline.operations.doctor.memory:check_edges", order=40),
    ),
    fixes=(DoctorFix("edges", "afterword.pipeline.operations.doctor.fix:fix_edges", order=30),),
    commands=(
        AreaCommand(
            "edges",
            "afterword.pipeline.doors.commands.edges:app",
            "See which memories are about what.",
            order=40,
        ),
    ),
)
