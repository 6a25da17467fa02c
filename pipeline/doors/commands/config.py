"""`afterword config`: every setting, its value and where it comes from."""

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

app = section("Show every setting and where it comes from.")


@dataclass(frozen=True, slots=True)
class SettingLine:
    """One setting as `config check` prints it; what is secret is masked."""

    variable: str
    value: str
    source: str
    description: str


@app.command()
def check(ctx: typer.Context) -> None:
    """Check all settings, and show each with its value and source."""
    call = Call(ctx)
    settings = call.settings
    caps_of(settings)  # group names within a setting are checked where they are used
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
    # Names of variables are read whatever their case, as the settings do.
    return "environment" if variable in map(str.upper, os.environ) else "default"


def _masked(value: Any) -> str:
    match value:
        case SecretStr():
            return "********" if value.get_secret_value() else "(not set)"
        case dict():
            return json.dumps(value)
        case None | "":
            return "(not set)"
    # The password of a URL, up to the last @: one may stand in the password itself.
    return re.sub(r"(//[^:/@]*:).*@", r"\1********@", str(value))
