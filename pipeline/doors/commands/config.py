"""`afterword config`: every setting with its value and its source."""

import json
import os
import re
from dataclasses import dataclass
from typing import Any

import typer
from pydantic import SecretStr

from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.lazy import section
from afterword.pipeline.doors.cli.options import given
from afterword.pipeline.doors.cli.output import print_table
from afterword.pipeline.gateway.budget import caps_of
from afterword.pipeline.settings import PREFIX, Settings

app = section("Show every setting with its value and its source.")


@dataclass(frozen=True, slots=True)
class SettingLine:
    """One setting as `config check` prints it; secrets are masked."""

    variable: str
    value: str
    source: str
    description: str


@app.command()
def check(ctx: typer.Context) -> None:
    """Check all settings, and show each with its value and its source.

    Example: afterword config check
    """
    call = Call(ctx)
    settings = call.settings
    caps_of(settings)  # it checks the group names inside a setting
    found = [
        SettingLine(
            f"{PREFIX}{name.upper()}",
            _masked(getattr(settings, name)),
            _source(ctx, name),
            field.description or "",
        )
        for name, field in Settings.model_fields.items()
    ]
    columns = ("variable", "value", "from", "what it is")
    rows = [(one.variable, one.value, one.source, one.description) for one in found]
    call.answer(found, lambda: print_table(columns, rows))


def _source(ctx: typer.Context, name: str) -> str:
    if given(ctx, name):
        return "command line"
    variable = f"{PREFIX}{name.upper()}"
    # The case of a variable's name does not count, as in the settings.
    return "environment" if variable in map(str.upper, os.environ) else "default"


def _masked(value: Any) -> str:
    match value:
        case SecretStr():
            return "********" if value.get_secret_value() else "(not set)"
        case dict():
            return json.dumps(value)
        case None | "":
            return "(not set)"
    # The password of a URL, up to the last @: the password itself may contain one.
    return re.sub(r"(//[^:/@]*:).*@", r"\1********@", str(value))
