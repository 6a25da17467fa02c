"""`afterword config`: every setting with its value and its source."""

import typer

from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.global_options import given
from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.gateway.budget import caps_of
from afterword.pipeline.settings import Settings, setting_lines
from afterword.pipeline.views.operator.config import setting_list

app = section("Show every setting with its value and its source.")


@app.command()
def check(ctx: typer.Context) -> None:
    """Check all settings, and show each with its value and its source.

    Example: afterword config check
    """
    call = Call(ctx)
    settings = call.settings
    caps_of(settings)  # it checks the group names inside a setting
    given_names = {name for name in Settings.model_fields if given(ctx, name)}
    lines = setting_lines(settings, given_names)
    call.answer(lines, lambda: setting_list(lines))
