"""Settings: typed, checked at start, unknown names rejected with a suggestion."""

import os
from pathlib import Path

import pytest

from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.settings import SETTINGS_PREFIX, Settings, load, variables_of


def test_an_unknown_name_is_refused_with_a_suggestion(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("AFTERWORD_REDIS_URI", "redis://x")
    with pytest.raises(InvalidInputError, match="did you mean AFTERWORD_REDIS_URL"):
        load()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("WORKER_THREADS", "0"),
        ("WORKER_THREADS", "many"),
        ("SYNCHRONOUS", "OFF"),
        ("LEARNING_DAILY_CAP_USD", "-1"),
        ("LEARNING_DAILY_CAP_USD", "nan"),
        ("LEARNING_DAILY_CAP_USD", "inf"),
        ("LEARNING_DAILY_CAP_USD", "1e12"),
        ("GROUP_CAPS_USD", "{"),
        ("GROUP_CAPS_USD", '{"main": -1}'),
        ("METRICS_PORT", "70000"),
    ],
)
def test_a_bad_value_is_refused_and_the_variable_named(
    monkeypatch: pytest.MonkeyPatch, name: str, value: str
):
    monkeypatch.setenv(SETTINGS_PREFIX + name, value)
    with pytest.raises(InvalidInputError) as refused:
        load()
    assert name.lower() in str(refused.value).lower()
    assert "\n" not in str(refused.value)


def test_the_command_line_is_stronger_than_the_environment(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("AFTERWORD_GROUP", "from_environment")
    assert load().group == "from_environment"
    assert load(group="given", home=None).group == "given"
    assert load(home="~/x").home == Path("~/x").expanduser()


def test_another_process_is_given_the_same_settings(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("afterword_Worker_Threads", "3")
    monkeypatch.setenv("AFTERWORD_GROUP", "from_environment")
    settings = load(
        group="given",
        home="~/x",
        llm_api_key="secret",
        consolidation_enabled=True,
        budget_soft_ratio=0.5,
        group_caps_usd={"main": 2.5},
        llm_cassette="answers.jsonl",
    )

    variables = variables_of(settings)
    for name in list(os.environ):
        monkeypatch.delenv(name)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert load() == settings


def test_a_variable_is_read_in_any_case_and_its_text_as_what_the_setting_is(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setenv("afterword_Worker_Threads", "3")
    monkeypatch.setenv("AFTERWORD_CONSOLIDATION_ENABLED", "true")
    monkeypatch.setenv("AFTERWORD_GROUP_CAPS_USD", '{"main": 2.5}')

    found = load()
    assert (found.worker_threads, found.consolidation_enabled) == (3, True)
    assert found.group_caps_usd == {"main": 2.5}


def test_a_value_that_is_no_json_is_refused_by_the_name_of_its_variable(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setenv("AFTERWORD_GROUP_CAPS_USD", "[" * 100_000)
    with pytest.raises(InvalidInputError, match=r"^AFTERWORD_GROUP_CAPS_USD: .*JSON"):
        load()


def test_every_setting_says_what_it_is():
    undocumented = [name for name, field in Settings.model_fields.items() if not field.description]
    assert undocumented == []


def test_a_key_is_never_shown(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("AFTERWORD_EMBEDDING_API_KEY", "sk-very-secret")
    assert "sk-very-secret" not in repr(load())


def test_an_empty_home_is_refused_and_not_taken_for_the_folder_one_stands_in(monkeypatch):
    monkeypatch.setenv("AFTERWORD_HOME", "")

    with pytest.raises(InvalidInputError, match=r"AFTERWORD_HOME: .*is empty"):
        load()
