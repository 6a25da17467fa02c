"""Every setting is shown, with where it comes from, and no secret is."""

from afterword.pipeline.settings import SETTINGS_PREFIX, Settings


def test_every_setting_is_shown_with_its_source(command, home):
    env = {"AFTERWORD_MMAP_MB": "64", "AFTERWORD_GROUP_CAPS_USD": '{"main": 2.5}'}
    shown = {one["variable"]: one for one in command("config", "check", "--json", env=env).json}

    assert shown.keys() == {SETTINGS_PREFIX + name.upper() for name in Settings.model_fields}
    assert all(one["description"] for one in shown.values())
    found = {name: (one["value"], one["source"]) for name, one in shown.items()}
    assert found["AFTERWORD_HOME"] == (str(home), "command line")
    assert found["AFTERWORD_MMAP_MB"] == ("64", "environment")
    assert found["AFTERWORD_GROUP_CAPS_USD"] == ('{"main": 2.5}', "environment")
    assert found["AFTERWORD_GROUP"] == ("main", "default")
    assert found["AFTERWORD_REDIS_URL"] == ("(not set)", "default")
    assert not home.exists()


def test_no_secret_is_shown(command):
    env = {
        "AFTERWORD_EMBEDDING_API_KEY": "sk-hunter2",
        "AFTERWORD_REDIS_URL": "redis://user:p@ss:w%2Fhunter2@host:6379/7",
    }
    for line in (("config", "check"), ("config", "check", "--json")):
        answer = command(*line, env=env)
        assert "hunter2" not in answer.out
        assert "redis://user:********@host:6379/7" in answer.out


def test_a_group_name_within_a_setting_is_checked(command):
    answer = command("config", "check", env={"AFTERWORD_GROUP_CAPS_USD": '{"a/b": 1}'})

    assert answer.code == 2
    assert "'a/b'" in answer.err
