"""Every setting with its default and meaning, by the area that declares it."""

import json

from pydantic import SecretStr

from afterword.pipeline.areas import all_areas
from afterword.pipeline.settings import SETTINGS_PREFIX, Settings
from reference.markdown import code, page, table

INTRODUCTION = """Settings are environment variables; they are read once, when a process starts. A \
wrong value stops the start with a line that names it. `afterword config check` prints each \
setting, its value and where the value comes from; secrets are masked. \
[`deploy/env.example`](../../deploy/env.example) is the same list as a file."""


def settings_page() -> str:
    """Return the page: one table for each area with settings."""
    parts = []
    for area in all_areas():
        if area.settings:
            parts.append(f"## {area.name}")
            parts.append(table(("setting", "default", "meaning"), map(_row, area.settings)))
    return page("Settings", INTRODUCTION, *parts)


def _row(name: str) -> tuple[str, str, str]:
    meaning = Settings.model_fields[name].description or ""
    return code(SETTINGS_PREFIX + name.upper()), code(_default_of(name)), meaning


def _default_of(name: str) -> str:
    default = Settings.model_fields[name].get_default(call_default_factory=True)
    if isinstance(default, SecretStr):
        default = default.get_secret_value()
    if default is None:
        return ""
    return json.dumps(default) if isinstance(default, dict) else str(default)
