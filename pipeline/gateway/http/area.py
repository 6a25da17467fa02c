"""What calls to the outside declare: the circuits of its services."""

from typing import Final

from afterword.pipeline.core.area import Area, AreaTable, DoctorCheck, gauge

AREA: Final = Area(
    name="http",
    tables=(AreaTable("circuits"),),
    checks=(
        DoctorCheck(
            "instance", "afterword.pipeline.operations.doctor.governance:check_circuits", order=30
        ),
    ),
    metrics=(
        gauge(
            "circuit_open",
            "How many circuits hold what asks this model, 0 or 1; a probe may be on its way.",
            "service",
            "model",
        ),
    ),
)
