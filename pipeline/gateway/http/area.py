"""Declares requests to services: their circuits."""

from typing import Final

from afterword.pipeline.core.area import Area, AreaTable, DoctorCheck, gauge

AREA: Final = Area(
    name="http",
    tables=(AreaTable("circuits", quiet="service model setup state reason"),),
    checks=(
        DoctorCheck(
            "instance", "afterword.pipeline.operations.doctor.governance:check_circuits", order=30
        ),
    ),
    metrics=(
        gauge(
            "circuit_open",
            "1 if the circuit of this model is open or half open, else 0.",
            "service",
            "model",
        ),
    ),
)
