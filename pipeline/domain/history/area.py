"""Declares the import of files of trades."""

from typing import Final

from afterword.pipeline.core.area import (
    Area,
    AreaCommand,
    AreaExport,
    AreaLineage,
    AreaTable,
    ForgetPlace,
)

_LINEAGE: Final = "afterword.pipeline.domain.history.lineage"

AREA: Final = Area(
    name="history",
    tables=(AreaTable("history_files", quiet="digest layout first_equal last_equal set_aside"),),
    exports=(
        AreaExport(
            "history_files",
            "history_files",
            key="sub_account_id digest",
            order=345,
            trust="known",
            learned_at="created_at",
        ),
    ),
    places=(
        ForgetPlace(
            "history_files",
            order=132,
            words=("sub_account_id", "name"),
            account="sub_account_id",
            on_request=True,
        ),
    ),
    commands=(
        AreaCommand(
            "history",
            "afterword.pipeline.doors.commands.history.app:app",
            "Import trades.",
            order=120,
        ),
    ),
    lineage=(
        AreaLineage("fill", f"{_LINEAGE}:fill_lineage", order=60),
        AreaLineage("file", f"{_LINEAGE}:file_lineage", order=95),
    ),
)
