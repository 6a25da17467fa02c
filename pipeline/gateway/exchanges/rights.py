"""Whose a key is, and what it may do. Only one that reads is used: ours never acts."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.gateway.exchanges.client import ExchangeClient
from afterword.pipeline.gateway.exchanges.errors import UNREADABLE, unreadable
from afterword.pipeline.gateway.exchanges.keys import ExchangeKey
from afterword.pipeline.gateway.exchanges.model import ExchangeVenue


class KeyHolder(NamedTuple):
    """The account of a key.

    Args:
        uid: the venue's number of the account, as it writes it.
        master: of a sub-account, the number of the account it belongs to.
        powers: what the key may do besides reading, in the venue's words.
    """

    uid: str
    master: str | None
    powers: tuple[str, ...]


def holder_of(client: ExchangeClient, key: ExchangeKey) -> KeyHolder:
    """Return the account of a key that may only read.

    Raises:
        InvalidInputError: it may trade, move or withdraw; nothing more was asked with it.
        AskFailedError: the venue did not say what it may do; see `ExchangeClient.ask` for others.
    """
    try:
        holder = _READERS[client.venue.name](client)
    except UNREADABLE:
        raise unreadable(client.venue) from None
    if holder.powers:
        raise _too_mighty(client.venue, key, holder.powers)
    return holder


def _too_mighty(
    venue: ExchangeVenue, key: ExchangeKey, powers: tuple[str, ...]
) -> InvalidInputError:
    words = ", ".join(power[:40] for power in powers[:6] if power.isprintable())
    problem = f"must only read, and {venue.title} says that it may do more: {words}"
    return InvalidInputError(key.variable, problem, f"a key of {venue.title} that may only read")


def _binance(client: ExchangeClient) -> KeyHolder:
    """Source: Binance docs, "Get API Key Permission" and "Account information"."""
    flags = client.ask("sapiGetAccountApiRestrictions")
    if flags["enableReading"] is not True:
        raise unreadable(client.venue)
    powers = [
        name
        for name, is_on in flags.items()
        if name.startswith(("enable", "permits"))
        and name not in ("enableReading", "enableFixReadOnly")
        and is_on is not False
    ]
    if powers:
        return KeyHolder("", None, tuple(powers))
    account = client.ask("privateGetAccount", {"omitZeroBalances": "true"})
    return KeyHolder(_text(account["uid"]), None, ())


def _bybit(client: ExchangeClient) -> KeyHolder:
    """Source: Bybit docs, "Get API Key Information"."""
    info = client.ask("privateGetV5UserQueryApi")["result"]
    may = [name for names in info["permissions"].values() for name in names]
    parent = _text(info["parentUid"])
    powers = () if _text(info["readOnly"]) == "1" else ("readOnly is 0", *may)
    return KeyHolder(_text(info["userID"]), None if parent == "0" else parent, powers)


def _okx(client: ExchangeClient) -> KeyHolder:
    """Source: OKX docs, "Get account configuration"."""
    info = client.ask("privateGetAccountConfig")["data"][0]
    rights = [right.strip() for right in info["perm"].split(",")]
    if "read_only" not in rights:
        raise unreadable(client.venue)
    uid, main = _text(info["uid"]), _text(info["mainUid"])
    powers = tuple(right for right in rights if right != "read_only")
    return KeyHolder(uid, None if main == uid else main, powers)


def _kraken(client: ExchangeClient) -> KeyHolder:
    """Source: Kraken docs, "Get API Key Info"; it calls the number of an account its IBAN."""
    info = client.ask("privatePostGetApiKeyInfo")["result"]
    rights = [str(right) for right in info["permissions"]]
    harmless = ("export-data", "access-websockets")
    powers = [right for right in rights if not right.startswith("query-") and right not in harmless]
    return KeyHolder(_text(info["iban"]).replace(" ", ""), None, tuple(powers))


_READERS: Final[Mapping[str, Callable[[ExchangeClient], KeyHolder]]] = {
    "binance": _binance,
    "bybit": _bybit,
    "okx": _okx,
    "kraken": _kraken,
}


def _text(value: Any) -> str:
    """Return a number of an account, or a flag, as text.

    Raises:
        ValueError: it is none.
    """
    text = str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
    if not text.replace(" ", "").isalnum() or len(text) > 40:
        raise ValueError("no number of an account")
    return text
