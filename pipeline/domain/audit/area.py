"""Declares the audit: the table of its reports."""

from typing import Final

from afterword.pipeline.core.area import Area, AreaTable

AREA: Final = Area(
    name="audit",
    tables=(
        AreaTable(
            "methodology_audit_reports",
            quiet="uid trigger band dimension_scores dimension_weights_used findings"
            " advisory_actions",
        ),
    ),
)
