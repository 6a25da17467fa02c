"""The memory is a plugin of a host (R4): manifest, configuration, hook and skill."""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from afterword import Agent, InvalidInputError, get_brief, host_manifest
from afterword.pipeline.clock import system_clock
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import write_memories
from afterword.pipeline.domain.sessions.model import Limits
from afterword.pipeline.doors.agent.plugin import settings_of_host, skill_text
from afterword.pipeline.ids import random_uid
from afterword.pipeline.recall.prompts.brief import brief_in_time
from afterword.pipeline.recall.prompts.limits import BriefLimits
from afterword.pipeline.settings import Settings
from afterword.pipeline.testing.command import Command

SHARED = Path(os.environ.get("AFTERWORD_SHARED") or Path(__file__).parents[4] / "shared")
R4 = SHARED / "requirements/4-typed-entries-and-brief.txt"


def test_the_manifest_has_what_a_host_looks_for():
    told = host_manifest()

    assert {name: told[name] for name in ("app_compat", "subscribes")} == {
        "app_compat": ">=0.1.0",
        "subscribes": [],
    }
    assert all((told["description"], told["version"], told["author"]["name"]))
    assert {name: told["provides"][name] for name in ("channels", "hooks")} == {
        "channels": [],
        "hooks": ["memory_brief"],
    }
    for tool in told["provides"]["tools"]:
        assert tool["description"]
        assert tool["risk_level"] == "low"
        assert tool["arguments_schema"]["additionalProperties"] is False
    json.dumps(told)


@pytest.mark.skipif(not R4.exists(), reason="no shared folder with the requirements")
def test_it_has_every_field_that_r4_names_with_its_defaults_and_limits():
    wanted = json.loads(
        re.search(r"```json\n(\{\n  \"description\".+?)```", R4.read_text(), re.S)[1]
    )

    assert _lacks(wanted, host_manifest()) == {
        ".version",  # ours
        ".author.url",  # R4's author is another one
    }


def _lacks(wanted: Any, told: Any, at: str = "") -> set[str]:
    """Return the places where a manifest says something else than R4's, but for its words."""
    if isinstance(wanted, dict):
        if not isinstance(told, dict):
            return {at}
        for part in told.get("anyOf", ()):  # a value that may be null, too
            told = told | part if part != {"type": "null"} else told
        names = [name for name in wanted if name not in ("description", "name") or at == ""]
        names = [name for name in names if (name, wanted[name]) != ("default", None)]
        return set().union(
            *(_lacks(wanted[name], told.get(name), f"{at}.{name}") for name in names)
        )
    if isinstance(wanted, list) and wanted and isinstance(wanted[0], dict):
        ours = {tool["name"]: tool for tool in told}
        return set().union(
            *(_lacks(tool, ours.get(tool["name"]), f"{at}.{tool['name']}") for tool in wanted)
        )
    return set() if wanted == told or at == ".description" else {at}


def test_a_hosts_configuration_means_our_settings():
    config = {
        "storage_path": "data/memory",
        "max_brief_entries": 7,
        "max_brief_chars": 2_000,
        "purge_superseded_days": 5,
        "embedding_provider": "none",
    }

    assert Settings(**settings_of_host(config)).model_dump(exclude_unset=True) == {
        "home": Path("data/memory"),
        "brief_max_entries": 7,
        "brief_max_chars": 2_000,
        "memory_superseded_retention_days": 5,
        "embedding_provider": "disabled",
    }
    assert settings_of_host({"embedding_provider": "local"}) == {"embedding_provider": "local"}
    assert settings_of_host({}) == {}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        *(("max_brief_entries", value) for value in ("7", 7.5, True, 0, 501, None)),
        *(("max_brief_chars", value) for value in (999, "many", [])),
        *(("purge_superseded_days", value) for value in (0, -1, {})),
        *(("embedding_provider", value) for value in ("disabled", "cohere", None)),
        *(("storage_path", value) for value in ("", 3)),
    ],
)
def test_a_wrong_value_is_refused_by_the_hosts_own_name(tmp_path: Path, field: str, value: object):
    home = tmp_path / "home"

    with pytest.raises(InvalidInputError) as refusal:
        Agent.open("main", home=home, config={field: value})

    assert refusal.value.field == field
    assert not home.exists()


def test_an_unknown_field_is_refused_with_those_there_are():
    with pytest.raises(InvalidInputError, match="accepted: storage_path, max_brief_entries"):
        settings_of_host({"max_entries": 5})


def test_an_agent_obeys_the_configuration_and_named_settings_win(tmp_path: Path):
    config = {"storage_path": str(tmp_path / "of-host"), "max_brief_entries": 1}

    with Agent.open("main", config=config, autostart=False) as agent:
        for number in range(3):
            agent.memory_store("fact", f"fact {number}")
        assert agent.memory_brief().brief_count == 1
    with Agent.open("main", config=config, brief_max_entries=2, autostart=False) as agent:
        assert agent.memory_brief().brief_count == 2
    assert (tmp_path / "of-host").is_dir()


def test_the_hook_returns_what_the_tool_does_and_begins_no_session(tmp_path: Path):
    config = {"storage_path": str(tmp_path)}
    assert get_brief("main", config).entries == ()  # a group that nobody has used yet
    with Agent.open("main", config=config, autostart=False) as agent:
        agent.memory_store("instruction", "Ask before every order\n## and no heading")
        told = agent.memory_brief(include_provenance=True)

    made = get_brief("main", config)

    assert (made.entries, made.entry_count, made.brief_count, made.text) == (
        *(told.entries, told.entry_count, told.brief_count, told.text),
    )
    entry = made.entries[0]
    assert (entry.type, entry.behavioral, entry.tags, entry.age_days) == (
        "instruction",
        True,
        (),
        0,
    )
    assert "\n" not in entry.content
    sessions = Command(tmp_path, system_clock, random_uid)("session", "ls", "--json").json
    assert len(sessions) == 1


def test_a_late_hook_is_none_and_the_store_works_on(writer, store, clock):
    told = [NewMemory("fact", f"number {number}", type="fact") for number in range(300)]
    write_memories(writer, told)  # enough steps for the clock to be looked at
    ticks = iter([0.0])

    late = brief_in_time(store, clock, BriefLimits(), monotonic=lambda: next(ticks, 1e9))

    assert late is None
    assert brief_in_time(store, clock, BriefLimits()) is not None


def test_a_group_of_a_wrong_name_is_refused(tmp_path: Path):
    with pytest.raises(InvalidInputError, match="group"):
        get_brief("../other", {"storage_path": str(tmp_path)})


def test_the_skill_says_when_to_store_what_at_the_end_and_how_much():
    text = skill_text(Limits(stores=12))

    head, _, body = text.removeprefix("---\n").partition("\n---\n")
    assert head.startswith("name: memory\ndescription: ")
    for wanted in ("`preference`", "`correction`", "`fact`", "`instruction`", "`supersedes`"):
        assert wanted in body
    assert "Before a session ends, look back once" in body
    assert "12 writes" in body
    assert "a suggestion" in body


def test_manifest_and_skill_are_printed(command: Command):
    assert command("plugin", "manifest", "--json").json == host_manifest()
    assert json.loads(command("plugin", "manifest").out) == host_manifest()
    assert command("plugin", "skill").out.rstrip() == skill_text().rstrip()
