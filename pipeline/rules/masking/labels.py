"""Labels that announce a secret: `api_key`, `password`, `Authorization`, `密码`, `?token=`."""

import re
from collections.abc import Iterator, Mapping
from typing import Final, Literal, NamedTuple

from afterword.pipeline.expression import expression
from afterword.pipeline.rules.text.words import any_of, word_set

LabelKind = Literal["password", "authorization", "cookie", "credential", "token", "key"]


class Label(NamedTuple):
    """A label in a text.

    Args:
        kind: what it announces; a `token` can be a coin, a `key` a level or an index.
        start: index of its first character.
        end: index after its last character.
        is_private: whether it excludes a public key or address.
        in_query: whether it is a parameter of a URL.
    """

    kind: LabelKind
    start: int
    end: int
    is_private: bool
    in_query: bool


_SERVICES: Final = word_set(
    "binance bybit okx okex kraken coinbase kucoin bitget gate gateio mexc htx huobi bitfinex"
    " bitstamp gemini deribit bitmex hyperliquid dydx alpaca polygon finnhub etherscan alchemy"
    " infura helius quicknode birdeye moralis coingecko coinmarketcap nansen dune glassnode"
    " cryptocompare tiingo openai anthropic claude deepseek mistral cohere groq aws azure github"
    " stripe twilio sendgrid telegram discord slack exchange webhook cmc"
)
_PRIVATE: Final = word_set("api access auth priv private sign signing signer")
_KEY_OF: Final = word_set(
    "encryption decryption master service account storage client app application consumer license"
    " deploy ssh wallet agent shared server trading session hmac aes jwt"
)
_TOKEN_OF: Final = word_set(
    "authentication bearer refresh session security bot app oauth csrf xsrf personal deploy service"
    " client user login device rpc"
)
_BEFORE_KEY: Final = tuple(_PRIVATE | _SERVICES | _KEY_OF)
_BEFORE_TOKEN: Final = tuple(_PRIVATE | _SERVICES | _TOKEN_OF)
_PUBLIC: Final = (
    *("public", "pub", "dedup", "cache", "idempotency", "sort", "primary", "foreign", "partition"),
    *("group", "routing", "row", "object", "hash", "map", "index", "order", "unique"),
)
_COMMON: Final = frozenset({"key", "token", "pass", "pw"})
_PAGES: Final = (
    "page",
    "pagination",
    "next",
    "cursor",
    "continuation",
)  # words before `token` that mean a place
_LONGEST_BEFORE: Final = 20

_ENGLISH: Final = (  # without groups, so that the engine checks only first letters
    r"passwort|passw(?:or)?d|pass[\s_-]?phrase|passcode|pass|pwd|pw|authorization|auth|sig"
    r"|bearer(?![\s_.-]?token)|cookie|secret(?:[\s_.-]?access)?(?:[\s_.-]?(?:key|token))?"
    r"|credential|key|token"
)
_OTHERS: Final = (
    r"|mot[\s_]de[\s_]passe|contrase[nñ]a|kennwort|senha|пароль|パスワード|비밀번호"
    r"|密[码碼]|口令|密[钥鑰]|私[钥鑰]|秘[钥鑰]|令牌|凭证|凭据|憑證"
    r"|api[\s_-]?schlüssel|geheim\w{0,3}[\s_-]?schlüssel|zugangsschlüssel"
    r"|cl[ée][\s_-](?:d['’][\s]?|de[\s_])?(?:api|secr[èe]te|priv[ée]e|acc[èe]s)"
    r"|clave[\s_-](?:de[\s_-])?(?:la[\s_-])?(?:api|secreta|privada|acceso)"
    r"|chiave[\s_-](?:di[\s_-]|dell['’][\s]?)?(?:api|segreta|privata|accesso)"
    r"|chave[\s_-](?:d[ea][\s_-])?(?:api|secreta|privada|acesso)"
    r"|секретный\sключ|приватный\sключ|закрытый\sключ|ключ\sapi|apiキー|シークレットキー|api\s?키"
)
_STEM: Final = expression(_ENGLISH)
_STEM_OF_ANY: Final = expression(_ENGLISH + _OTHERS)
_KINDS: Final[Mapping[str, LabelKind]] = {  # by first letter
    **dict.fromkeys(("pa", "pw", "密码", "密碼", "口令", "mo", "па", "パス", "비밀"), "password"),
    **dict.fromkeys(("contraseña", "contrasena", "ke", "senha"), "password"),
    **dict.fromkeys(("ap", "ge", "zu", "cl", "ch", "кл", "се", "пр", "за"), "credential"),
    "シークレットキー": "credential",
    **dict.fromkeys(("be", "authorization"), "authorization"),
    "co": "cookie",
    **dict.fromkeys(("se", "cr", "密钥", "密鑰"), "credential"),
    **dict.fromkeys(("私钥", "私鑰", "秘钥", "秘鑰", "令牌", "凭证", "凭据", "憑證"), "credential"),
}
_WORDS_FOREIGN: Final = (
    "contrase",
    "kennwort",
    "senha",
    "clave",
    "chave",
    "chiave",
    "mot de passe",
)
LABEL_WORDS: Final = (
    *("key", "secret", "token", "pass", "pw", "auth", "bearer", "cookie", "credential", "sig="),
    *_WORDS_FOREIGN,
)
"""Every label in ASCII has one of these in it."""

_POSSIBLE: Final = any_of(LABEL_WORDS)
_POSSIBLE_FOREIGN: Final = any_of(_WORDS_FOREIGN)
_FOREIGN: Final = expression(
    "[密口令秘私凭憑]|пароль|ключ|パスワード|キー|비밀번호|api\\s?키|schlüssel|clé"
)
_REST: Final = expression(
    r"s?(?:[\s_-]?(?:\d{1,2}|prod|dev|test|testnet|main|mainnet|live|old|new|value|hex|b64|base64"
    r"|base|plain|raw))?(?![a-z0-9_-])"
)


def are_possible(low: str) -> bool:
    """Return quickly whether a lower-case text can have a label."""
    return _POSSIBLE.search(low) is not None or _has_other_script(low)


def _is_foreign(low: str) -> bool:
    """Return quickly whether a lower-case text can have a label that is not English."""
    return _POSSIBLE_FOREIGN.search(low) is not None or _has_other_script(low)


def _has_other_script(low: str) -> bool:
    return not low.isascii() and _FOREIGN.search(low) is not None


def find_labels(low: str) -> Iterator[Label]:
    """Yield the labels of a text in lower case."""
    for match in (_STEM_OF_ANY if _is_foreign(low) else _STEM).finditer(low):
        label = _label(low, match)
        if label:
            yield label


def field_label(name: str) -> Label | None:
    """Return the label at the end of a field's name; None if there is none."""
    return next((one for one in find_labels(name) if one.end == len(name)), None)


def _label(low: str, match: re.Match[str]) -> Label | None:
    stem, (start, end) = match[0], match.span()
    if stem.isascii():
        rest = _REST.match(low, end)
        if rest is None or (stem in {"pass", "pw"} and low[max(0, start - 1) : start].isalpha()):
            return None
        end = rest.end()
    before = low[max(0, start - _LONGEST_BEFORE) : start]
    in_query = before.endswith(("?", "&"))
    if before[-1:] in {" ", "_", ".", "-"}:
        before = before[:-1]
    kind = _kind(stem, before, in_query)
    is_alone = stem in _COMMON and not before.endswith(tuple(_PRIVATE))
    return Label(kind, start, end, not is_alone, in_query) if kind else None


def _kind(stem: str, before: str, in_query: bool) -> LabelKind | None:
    match stem:
        case "key" if before.endswith(_PUBLIC):
            return None
        case "key":
            return "credential" if before.endswith(_BEFORE_KEY) else "token" if in_query else "key"
        case "token":
            if before.endswith(_PAGES):
                return None
            return "credential" if before.endswith(_BEFORE_TOKEN) else "token"
        case "auth":
            return "token" if in_query else "key"
        case "sig":
            return "token" if in_query else None
    return _KINDS.get(stem) or _KINDS[stem[:2]]
