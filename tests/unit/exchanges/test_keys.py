"""A key stands in the environment, and nowhere else."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from pydantic import SecretStr

from afterword.pipeline.core.store import Store
from afterword.pipeline.domain.accounts.add_exchange import add_exchange_account
from afterword.pipeline.domain.accounts.read import list_accounts
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.gateway.exchanges.build import Exchanges
from afterword.pipeline.settings import Settings, load, setting_lines, variables_of
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.command import Command
from afterword.pipeline.testing.exchange_server import ExchangeServer
from tests.unit.exchanges.conftest import KEY, SECRET

NAMED = {"AFTERWORD_EXCHANGE_MY_BOT_KEY": KEY, "AFTERWORD_EXCHANGE_MY_BOT_SECRET": SECRET}


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    monkeypatch.setenv("AFTERWORD_HOME", str(home))


def test_a_key_is_named_by_its_account(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in NAMED.items():
        monkeypatch.setenv(name, value)
    keys = load().exchange_keys
    assert {name: key.get_secret_value() for name, key in keys.items()} == {
        "MY_BOT_KEY": KEY,
        "MY_BOT_SECRET": SECRET,
    }


def test_a_worker_that_is_started_is_given_the_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in NAMED.items():
        monkeypatch.setenv(name, value)
    settings = load()
    variables = variables_of(settings)
    for name in list(os.environ):
        monkeypatch.delenv(name)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert load() == settings


def test_a_key_is_shown_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in NAMED.items():
        monkeypatch.setenv(name, value)
    settings = load()
    (line,) = (
        line for line in setting_lines(settings, ()) if line.variable == "AFTERWORD_EXCHANGE_KEYS"
    )
    assert line.source == "environment"
    assert json.loads(line.value) == dict.fromkeys(("MY_BOT_KEY", "MY_BOT_SECRET"), "********")
    assert KEY not in repr(settings)


@pytest.mark.parametrize("text", ["[]", "{", '{"MAIN_KEY": 12345}', f'{{"MAIN_KEY": ["{KEY}"]}}'])
def test_bad_keys_are_refused_and_not_repeated(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("AFTERWORD_EXCHANGE_KEYS", text)
    with pytest.raises(InvalidInputError, match=r"^AFTERWORD_EXCHANGE_KEYS: must be JSON") as one:
        load()
    assert KEY not in str(one.value)
    assert "12345" not in str(one.value)


def test_a_misspelt_variable_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AFTERWORD_EXCHANGE_MAIN_TOKEN", "x")
    with pytest.raises(InvalidInputError, match="no such setting"):
        load()


def test_an_account_without_its_key_is_told_which_variable_to_set(
    exchange_settings: Callable[..., Settings], instance: Store, store: Store, clock: ManualClock
) -> None:
    exchanges = Exchanges(exchange_settings(), instance, clock)
    with pytest.raises(InvalidInputError, match=r"^AFTERWORD_EXCHANGE_MY_BOT_KEY: must be set"):
        add_exchange_account(store, exchanges, "binance", "my-bot", [], clock)
    assert list_accounts(store) == []


def test_a_passphrase_is_asked_for_where_the_venue_has_one(
    exchange_settings: Callable[..., Settings], instance: Store, store: Store, clock: ManualClock
) -> None:
    settings = exchange_settings("main")
    keys = {name: key for name, key in settings.exchange_keys.items() if "PASSWORD" not in name}
    exchanges = Exchanges(settings.model_copy(update={"exchange_keys": keys}), instance, clock)
    with pytest.raises(InvalidInputError, match=r"^AFTERWORD_EXCHANGE_MAIN_PASSWORD: must be set"):
        add_exchange_account(store, exchanges, "okx", "main", [], clock)


def test_a_secret_that_the_venue_never_hands_out_is_refused_before_anything_is_asked(
    server: ExchangeServer,
    exchange_settings: Callable[..., Settings],
    instance: Store,
    clock: ManualClock,
) -> None:
    keys = {"MAIN_KEY": SecretStr(KEY), "MAIN_SECRET": SecretStr("not-base-64!")}
    settings = exchange_settings().model_copy(update={"exchange_keys": keys})
    with pytest.raises(InvalidInputError, match=r"^AFTERWORD_EXCHANGE_MAIN_SECRET: must be base64"):
        Exchanges(settings, instance, clock).open("kraken", "main")
    assert server.requests == 0


def test_nothing_of_a_key_is_in_the_files_of_an_installation(
    server: ExchangeServer, command: Command, home: Path
) -> None:
    env = NAMED | {"AFTERWORD_EXCHANGE_BASE_URL": json.dumps({"binance": server.origin})}
    assert command("account", "add", "my-bot", "--venue", "binance", "--own", env=env).code == 0
    assert command("sync", "now", env=env).code == 0
    for path in home.rglob("*"):
        content = path.read_bytes() if path.is_file() else b""
        assert KEY.encode() not in content
        assert SECRET.encode() not in content
