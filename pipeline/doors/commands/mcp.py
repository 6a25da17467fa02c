"""`afterword mcp`: serve the agent's tools to an MCP client."""

import sys

import typer

from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.loading import loading
from afterword.pipeline.errors import UnavailableError


def mcp(ctx: typer.Context) -> None:
    """Serve the memory to an MCP client over stdin and stdout, until the client leaves.

    A client such as Claude Code or Cursor starts this command itself. One process is one session.

    Example: afterword mcp --group main
    """
    call = Call(ctx)
    try:
        with loading():
            from afterword.pipeline.doors.mcp.serve import serve
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in ("mcp", "mcp_types"):
            raise
        raise UnavailableError(
            "afterword mcp needs the package mcp, version 2; pip install 'afterword[mcp]'"
        ) from None
    if sys.stdin.isatty():
        typer.echo("afterword: waiting for an MCP client, which starts this itself", err=True)
    serve(call.settings)
