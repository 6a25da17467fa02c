"""`afterword plugin`: what a host of plugins reads of the memory (R4)."""

import json

import typer

from afterword.pipeline.domain.sessions.model import limits_of
from afterword.pipeline.doors.agent.plugin import host_manifest, skill_text
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.views.memory.prompts import page_text

app = section("Print what a host reads of the memory as its plugin.")


@app.command()
def manifest(ctx: typer.Context) -> None:
    """Print `manifest.json`: the tools, the hook and the configuration that a host may set.

    Example: afterword plugin manifest
    """
    told = host_manifest()
    Call(ctx).answer(told, lambda: page_text(json.dumps(told, indent=2, ensure_ascii=False)))


@app.command()
def skill(ctx: typer.Context) -> None:
    """Print `memory.md`: when a model stores what, and what it does before a session ends.

    Example: afterword plugin skill
    """
    call = Call(ctx)
    text = skill_text(limits_of(call.settings))
    call.answer({"text": text}, lambda: page_text(text))
