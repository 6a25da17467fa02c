"""The memory as a plugin of a host (R4): its manifest, its configuration, its hook, its skill."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, NamedTuple

from afterword.pipeline.domain.memory.checks import short_repr
from afterword.pipeline.domain.sessions.model import Limits
from afterword.pipeline.doors.agent.call import manifest
from afterword.pipeline.doors.agent.instructions import instructions
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.type_words import wanted

if TYPE_CHECKING:
    from pydantic import BaseModel

    from afterword.pipeline.doors.agent.lesson_model import Brief

BRIEF_HOOK: Final = "memory_brief"
"""What the manifest calls `get_brief`; at most one plugin of a host may have it."""

_APP_COMPAT: Final = ">=0.1.0"
_AUTHOR: Final = "The authors of Afterword"
_DESCRIPTION: Final = "Persistent memory: store, search and recall across sessions."
_SKILL: Final = "When to store what, what to look up, and what to do before a session ends."


class HostSetting(NamedTuple):
    """A field of a host's configuration.

    Args:
        name: R4's.
        setting: ours, whose bounds hold.
        kind: of its value.
        words: what a value of the host is called here, where that differs.
    """

    name: str
    setting: str
    kind: Any
    description: str
    words: Mapping[str, str] = {}


HOST_SETTINGS: Final = (
    HostSetting("storage_path", "home", str, "Folder of all files; ~/.afterword without it."),
    HostSetting(
        "max_brief_entries", "brief_max_entries", int, "Entries at most in the brief of a start."
    ),
    HostSetting(
        "max_brief_chars", "brief_max_chars", int, "Characters at most in the brief of a start."
    ),
    HostSetting(
        "purge_superseded_days",
        "memory_superseded_retention_days",
        int,
        "Entries that were superseded are purged after so many days.",
    ),
    HostSetting(
        "embedding_provider",
        "embedding_provider",
        Literal["none", "local", "openai"],
        "What compares meanings: nothing, a model in this process, a service.",
        {"none": "disabled"},
    ),
)


def host_manifest() -> dict[str, Any]:
    """Return what a host reads of the plugin before it loads it: R4's `manifest.json`."""
    from importlib.metadata import version  # imported here: no start of an agent waits for it

    return {
        "description": _DESCRIPTION,
        "version": version("afterword"),
        "app_compat": _APP_COMPAT,
        "author": {"name": _AUTHOR},
        "provides": {"channels": [], "hooks": [BRIEF_HOOK], "tools": manifest()},
        "subscribes": [],
        "config_schema": _config_schema(),
    }


def settings_of_host(config: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that a host's configuration stands for.

    Raises:
        InvalidInputError: an unknown field, or a value that it cannot have.
    """
    from pydantic import ValidationError  # imported here: an agent without a host needs it not

    try:
        _config_form().model_validate(config)
    except ValidationError as error:
        raise _refusal(error.errors(include_url=False)[0]) from None
    named = [(field, config[field.name]) for field in HOST_SETTINGS if field.name in config]
    return {field.setting: field.words.get(str(value), value) for field, value in named}


def get_brief(group: str, config: Mapping[str, Any] | None = None) -> "Brief | None":
    """Return what an agent of a group should know before its first step: R4's `getBrief(group)`.

    It begins no session, and a group that remembers nothing has an empty brief.

    Args:
        config: of the host; see `settings_of_host`.

    Returns:
        None if it failed or took longer than 5 s (`AFTERWORD_BRIEF_TIMEOUT_S`): start without it.

    Raises:
        InvalidInputError: the group's name or the configuration is wrong.
    """
    from contextlib import closing

    from afterword.pipeline.clock import system_clock
    from afterword.pipeline.core.store import Stores, options_of
    from afterword.pipeline.core.store.names import checked_group_in
    from afterword.pipeline.doors.agent.lesson_model import brief
    from afterword.pipeline.ids import random_uid
    from afterword.pipeline.recall.prompts.brief import brief_in_time
    from afterword.pipeline.recall.prompts.limits import limits_of
    from afterword.pipeline.recall.prompts.prompt_lessons import choice_at_start
    from afterword.pipeline.settings import load

    settings = load(group=group, **settings_of_host(config or {}))
    checked_group_in(settings.home, group)
    with closing(Stores(settings.home, options_of(settings), system_clock, random_uid)) as stores:
        store = stores.group(group, create=True)
        choice = choice_at_start(settings.role_lessons, settings.lesson_holdout)
        made = brief_in_time(store, system_clock, limits_of(settings), choice=choice)
        return None if made is None else brief(made)


def skill_text(limits: Limits = Limits()) -> str:  # noqa: B008  # frozen
    """Return the skill file of the memory (R4's `skill/memory.md`), for a host's folder of skills.

    It is the text of a system prompt, `instructions`, under the head by which hosts find a skill.
    """
    return f"---\nname: memory\ndescription: {_SKILL}\n---\n\n{instructions(limits)}"


@cache
def _config_form() -> "type[BaseModel]":
    from pydantic import ConfigDict, Field, create_model

    from afterword.pipeline.settings import Settings

    fields: dict[str, Any] = {}
    for field in HOST_SETTINGS:
        ours = Settings.model_fields[field.setting]
        words = {word: name for name, word in field.words.items()}
        default = words.get(str(ours.default), ours.default)
        if isinstance(default, Path):
            default = str(default)
        kind = Annotated[(field.kind, *ours.metadata)] if ours.metadata else field.kind
        shortest = 1 if field.kind is str else None
        fields[field.name] = (
            kind,
            Field(default=default, description=field.description, min_length=shortest),
        )
    return create_model("HostConfig", __config__=ConfigDict(extra="forbid", strict=True), **fields)


def _config_schema() -> dict[str, Any]:
    schema = _config_form().model_json_schema()
    properties = {
        name: {word: value for word, value in told.items() if word != "title"}
        for name, told in schema["properties"].items()
    }
    return {"type": "object", "additionalProperties": False, "properties": properties}


def _refusal(error: Mapping[str, Any]) -> InvalidInputError:
    field = str(error["loc"][0]) if error["loc"] else "config"
    if error["type"] == "extra_forbidden":
        accepted = ", ".join(setting.name for setting in HOST_SETTINGS)
        return InvalidInputError(short_repr(field), "is not a field of the configuration", accepted)
    accepted = wanted(error) or error["msg"]
    return InvalidInputError(field, f"{short_repr(error['input'])} is not {accepted}", accepted)
