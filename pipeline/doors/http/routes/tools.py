"""The agent's tools: the same names, schemas, checks and answers as for a model."""

from typing import Annotated, Any

from fastapi import Body, Path

from afterword.pipeline.doors.agent import host_manifest
from afterword.pipeline.doors.http.caller import By


def call_tool(
    by: By,
    name: Annotated[str, Path(description="A tool of the manifest.", max_length=64)],
    arguments: Annotated[
        dict[str, Any],
        Body(
            description="The tool's arguments by name.",
            examples=[{"type": "preference", "content": "Prefers weekly charts"}],
        ),
    ] = {},  # noqa: B006  # FastAPI copies it
) -> Any:
    """Run one tool in the agent's session.

    The answer is `{"result": …}`; its form is the tool's own. With an Idempotency-Key a repeated
    request has one effect.
    """
    return {"result": by.call_tool(name, arguments)}


def get_manifest(by: By) -> Any:
    """Return what a host of plugins reads first: tools, hook and configuration (R4)."""
    del by
    return host_manifest()
