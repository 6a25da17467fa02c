"""Declares the workspace: what sessions read of its files, and its commands."""

from typing import Final

from afterword.pipeline.core.area import (
    Area,
    AreaCommand,
    AreaTable,
    DoctorCheck,
    ForgetPlace,
    gauge,
)

_COMMANDS: Final = "afterword.pipeline.doors.commands.workspace"

AREA: Final = Area(
    name="workspace",
    tables=(
        AreaTable("workspace_files", quiet="digest"),
        AreaTable("workspace_sessions", quiet="file_ids"),
        AreaTable("workspace_bootstraps", quiet="file_key"),
    ),
    places=(
        ForgetPlace("workspace_files", order=42, words=("folder", "name", "body")),
        ForgetPlace(
            "workspace_sessions",
            order=41,
            words=("prefix", "bootstrap", "block"),
            json=("notes", "identity"),
        ),
    ),
    commands=(
        AreaCommand(
            "setup",
            f"{_COMMANDS}:setup",
            "Make the workspace of your agent, with files to fill in.",
            order=3,
        ),
        AreaCommand(
            "workspace",
            f"{_COMMANDS}:app",
            "See what prompts have of the files of the workspace.",
            order=83,
        ),
    ),
    checks=(
        DoctorCheck(
            "group", "afterword.pipeline.operations.doctor.workspace:check_workspace", order=95
        ),
    ),
    settings=("workspace", "workspace_file_chars", "workspace_total_chars"),
    numbers=("afterword.pipeline.domain.workspace.metrics:WorkspaceNumbers",),
    metrics=(
        gauge(
            "workspace_cut_files",
            "Files of workspaces that were too long for the prompt of the last session of each "
            "group; files.",
        ),
        gauge(
            "workspace_unread_files",
            "Files of workspaces that the last session of each group could not read; files.",
        ),
    ),
)
