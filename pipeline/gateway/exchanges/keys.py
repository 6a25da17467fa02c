"""The key of an account: from the settings only, never stored, never repeated."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from pydantic import SecretStr

from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.gateway.exchanges.model import ExchangeVenue
from afterword.pipeline.settings import SETTINGS_PREFIX

_ODD: Final = re.compile(r"[^A-Z0-9]")
_SENDABLE: Final = re.compile(r"[!-~]+")

_BASE64: Final = re.compile(r"(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")


@dataclass(frozen=True, slots=True)
class ExchangeKey:
    """A key of an account at an exchange.

    Args:
        variable: the environment variable of the key, for messages.
        password: the passphrase; empty where the venue has none.
    """

    variable: str
    key: SecretStr
    secret: SecretStr
    password: SecretStr


def key_of(settings: Mapping[str, SecretStr], account: str, venue: ExchangeVenue) -> ExchangeKey:
    """Return the key of an account.

    Args:
        settings: `exchange_keys`.
        account: its name; `my-account` is `MY_ACCOUNT` in the names of variables.

    Raises:
        InvalidInputError: a part of it is not set, or cannot be sent; it is not repeated.
    """
    name = _ODD.sub("_", account.upper())
    needed = ("KEY", "SECRET", "PASSWORD") if venue.has_password else ("KEY", "SECRET")
    parts = {part: settings.get(f"{name}_{part}", SecretStr("")) for part in needed}
    for part, secret in parts.items():
        variable = f"{SETTINGS_PREFIX}EXCHANGE_{name}_{part}"
        if not secret.get_secret_value():
            accepted = f"a key of {venue.title} that may only read"
            raise InvalidInputError(variable, "must be set in the environment", accepted)
        if not _SENDABLE.fullmatch(secret.get_secret_value()):
            accepted = "printable ASCII without spaces"
            raise InvalidInputError(variable, "cannot be sent in a header", accepted)
    secret_text = parts["SECRET"].get_secret_value()
    if venue.has_base64_secret and not _BASE64.fullmatch(secret_text):
        variable = f"{SETTINGS_PREFIX}EXCHANGE_{name}_SECRET"
        raise InvalidInputError(variable, "must be base64", f"what {venue.title} hands out")
    password = parts.get("PASSWORD", SecretStr(""))
    variable = f"{SETTINGS_PREFIX}EXCHANGE_{name}_KEY"
    return ExchangeKey(variable, parts["KEY"], parts["SECRET"], password)
