"""Secrets that must be masked and their twins that must stay, made from a fixed seed.

Nothing here is anybody's secret, and none stands in the file: tokens are put together from their
shape, keys and phrases are derived from seeded bytes, so that scanners of repositories stay calm.
"""

import base64
import hashlib
import json
import random
import string
from binascii import crc_hqx
from collections.abc import Iterator
from dataclasses import dataclass

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from mnemonic import Mnemonic

SEED = 20260901
BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
RIPPLE = "rpshnaf39wBUDNEGHJKLM4PQRST7VWXYZ2bcdeCg65jkm8oFqi1tuvAxyz"
UPPER, LOWER, DIGITS = string.ascii_uppercase, string.ascii_lowercase, string.digits
ALNUM, HEX, URL64 = UPPER + LOWER + DIGITS, DIGITS + "abcdef", UPPER + LOWER + DIGITS + "-_"
BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"


@dataclass(frozen=True)
class Planted:
    """A text with secrets in it.

    Args:
        family: which rule they are for.
        secrets: stretches of the text of which nothing may stay.
    """

    family: str
    text: str
    secrets: tuple[str, ...]


class Maker:
    """Makes secrets, the same ones for the same seed."""

    def __init__(self, seed: int = SEED) -> None:
        self.chance = random.Random(seed)

    def of(self, alphabet: str, size: int) -> str:
        """Return letters of an alphabet; of eight or more, some are digits where it has any."""
        is_mixed = set(DIGITS) < set(alphabet) and size >= 8
        while True:
            made = "".join(self.chance.choices(alphabet, k=size))
            if not is_mixed or (set(made) & set(DIGITS) and not made.isdigit()):
                return made

    def uuid(self) -> str:
        return "-".join(self.of(HEX, size) for size in (8, 4, 4, 4, 12))

    def phrase(self, words: int = 12, language: str = "english") -> str:
        made = str(Mnemonic(language).to_mnemonic(self.chance.randbytes(words * 4 // 3)))
        return made.replace("сно\ufffd\ufffdа", "снова")  # a word mnemonic 0.21 ships broken

    def wrong_phrase(self, words: int = 12) -> str:
        """Return words of the English list with a wrong checksum in every window."""
        book = Mnemonic("english")
        while True:
            made = self.chance.choices(book.wordlist, k=words)
            windows = [
                made[start : start + size]
                for size in (12, 15, 18, 21, 24)
                for start in range(words - size + 1)
            ]
            if not any(book.check(" ".join(window)) for window in windows):
                return " ".join(made)

    def key_pair(self) -> bytes:
        private = Ed25519PrivateKey.from_private_bytes(self.chance.randbytes(32))
        return private.private_bytes_raw() + private.public_key().public_bytes_raw()

    def signature(self) -> bytes:
        private = Ed25519PrivateKey.from_private_bytes(self.chance.randbytes(32))
        return private.sign(self.chance.randbytes(80))

    def checked58(self, carried: bytes, alphabet: str = BASE58) -> str:
        digest = hashlib.sha256(hashlib.sha256(carried).digest()).digest()
        return base58(carried + digest[:4], alphabet)

    def wif(self, version: int = 0x80, compressed: bool = True) -> str:
        return self.checked58(bytes([version]) + self.chance.randbytes(32) + b"\1" * compressed)

    def extended(self, version: int, private: bool) -> str:
        head = version.to_bytes(4) + b"\3" + self.chance.randbytes(4 + 4 + 32)
        key = b"\0" if private else b"\2"
        return self.checked58(head + key + self.chance.randbytes(32))

    def jwt(self) -> str:
        parts = ({"alg": "HS256", "typ": "JWT"}, {"sub": self.of(DIGITS, 10), "iat": 1516239022})
        made = [
            base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=")
            for part in parts
        ]
        return ".".join([*made, self.of(URL64, 43)])

    def pem(self, kind: str = "PRIVATE KEY", lines: int = 6) -> str:
        body = "\n".join(self.of(ALNUM + "+/", 64) for _ in range(lines))
        return f"-----BEGIN {kind}-----\n{body}\n{self.of(ALNUM, 30)}==\n-----END {kind}-----"

    def stellar(self, version: int) -> str:
        raw = bytes([version]) + self.chance.randbytes(32)
        return base64.b32encode(raw + crc_hqx(raw, 0).to_bytes(2, "little")).decode()

    def evm_address(self) -> str:
        return "0x" + self.of(HEX, 40)

    def evm_hash(self) -> str:
        return "0x" + self.of(HEX, 64)


def base58(raw: bytes, alphabet: str = BASE58) -> str:
    number, made = int.from_bytes(raw), ""
    while number:
        number, digit = divmod(number, 58)
        made = alphabet[digit] + made
    return alphabet[0] * (len(raw) - len(raw.lstrip(b"\0"))) + made


def vendor_tokens(make: Maker) -> dict[str, str]:
    """Return a token of each service."""
    of = make.of
    return {
        "openai": "sk-" + of(ALNUM, 20) + "T3Blbk" + "FJ" + of(ALNUM, 20),
        "openai-project": "sk-proj-" + of(URL64, 120),
        "openai-service": "sk-svcacct-" + of(URL64, 90),
        "deepseek": "sk-" + of(HEX, 32),
        "anthropic": "sk-ant-api03-" + of(URL64, 93) + "AA",
        "anthropic-admin": "sk-ant-admin01-" + of(URL64, 93),
        "openrouter": "sk-or-v1-" + of(HEX, 64),
        "groq": "gsk_" + of(ALNUM, 52),
        "xai": "xai-" + of(ALNUM, 80),
        "perplexity": "pplx-" + of(ALNUM, 48),
        "huggingface": "hf_" + of(UPPER + LOWER, 34),
        "replicate": "r8_" + of(ALNUM, 37),
        "tavily": "tvly-" + of(ALNUM, 32),
        "langsmith": "lsv2_pt_" + of(HEX, 32) + "_" + of(HEX, 10),
        "nvidia": "nvapi-" + of(URL64, 64),
        "aws-id": "AKIA" + of(UPPER + "234567", 16),
        "aws-session-id": "ASIA" + of(UPPER + "234567", 16),
        "github": "ghp_" + of(ALNUM, 36),
        "github-oauth": "gho_" + of(ALNUM, 36),
        "github-server": "ghs_" + of(ALNUM, 36),
        "github-fine": "github_pat_" + of(ALNUM, 22) + "_" + of(ALNUM, 59),
        "gitlab": "glpat-" + of(URL64, 19) + "x",
        "gitlab-runner": "glrt-" + of(ALNUM, 20),
        "bitbucket": "ATBB" + of(ALNUM, 32),
        "atlassian": "ATATT3" + of(URL64, 180) + "=" + of(HEX, 8).upper(),
        "slack-bot": "xoxb-" + of(DIGITS, 12) + "-" + of(DIGITS, 12) + "-" + of(ALNUM, 24),
        "slack-user": "xoxp-" + "-".join(of(DIGITS, 12) for _ in range(3)) + "-" + of(HEX, 32),
        "slack-app": "xapp-1-A" + of(UPPER, 10) + "-" + of(DIGITS, 13) + "-" + of(HEX, 64),
        "stripe-live": "sk_" + "live_" + of(ALNUM, 24),
        "stripe-restricted": "rk_" + "live_" + of(ALNUM, 24),
        "stripe-test": "sk_" + "test_" + of(ALNUM, 99),
        "stripe-webhook": "whsec_" + of(ALNUM, 32),
        "google": "AIza" + of(URL64, 35),
        "google-oauth": "ya29." + of(URL64, 120),
        "google-client": "GOCSPX-" + of(URL64, 28),
        "google-refresh": "1//0" + of(URL64, 60),
        "telegram": of("123456789", 10) + ":AA" + of(URL64, 32) + "x",
        "discord": "MT" + of(ALNUM, 24) + "." + of(URL64, 6) + "." + of(URL64, 37) + "x",
        "npm": "npm_" + of(ALNUM, 36),
        "pypi": "pypi-AgEIcHlwaS5vcmc" + of(URL64, 140),
        "sendgrid": "SG." + of(URL64, 22) + "." + of(URL64, 43),
        "twilio": "SK" + of(HEX, 32),
        "mailgun": "key-" + of(HEX, 32),
        "mailchimp": of(HEX, 32) + "-us14",
        "brevo": "xkeysib-" + of(HEX, 64) + "-" + of(ALNUM, 16),
        "digitalocean": "dop_v1_" + of(HEX, 64),
        "shopify": "shpat_" + of(HEX, 32),
        "square": "sq0atp-" + of(URL64, 22),
        "databricks": "dapi" + of(HEX, 32),
        "doppler": "dp.pt." + of(ALNUM, 43),
        "vault": "hvs." + of(URL64, 95),
        "terraform": of(ALNUM, 14) + ".atlasv1." + of(URL64, 64),
        "pulumi": "pul-" + of(HEX, 40),
        "postman": "PMAK-" + of(HEX, 24) + "-" + of(HEX, 34),
        "grafana": "glsa_" + of(ALNUM, 32) + "_" + of(HEX, 8),
        "newrelic": "NRAK-" + of(UPPER + DIGITS, 27),
        "sentry": "sntrys_" + of(ALNUM, 90),
        "linear": "lin_api_" + of(ALNUM, 40),
        "notion": "ntn_" + of(ALNUM, 46),
        "airtable": "pat" + of(ALNUM, 14) + "." + of(HEX, 64),
        "figma": "figd_" + of(URL64, 40),
        "docker": "dckr_pat_" + of(URL64, 27),
        "supabase": "sbp_" + of(HEX, 40),
        "tailscale": "tskey-auth-" + of(ALNUM, 12) + "-" + of(ALNUM, 32),
        "age": "AGE-SECRET-KEY-1" + of(BECH32.upper(), 58),
        "coingecko": "CG-" + of(ALNUM, 24),
        "alchemy": "alcht_" + of(ALNUM, 30),
        "plaid": "access-production-" + make.uuid(),
        "rubygems": "rubygems_" + of(HEX, 48),
        "nostr": "nsec1" + of(BECH32, 58),
        "sui": "suiprivkey1" + of(BECH32, 59),
        "jwt": make.jwt(),
        "jwt-unsigned": make.jwt().rpartition(".")[0] + ".",
    }


VENDOR_CONTEXTS = (
    "{}",
    "use {} for the nightly run, then rotate it.",
    'export TOKEN="{}"',
    '{{"note": "key {}", "symbol": "BTC"}}',
    "the bot posts with `{}`; limit 20 a minute",
    "新的令牌：{}，请勿外传",
    "curl -H 'X-Key: {}' https://api.example.com/v1/orders",
    "config:\n  auth: {}\n  pair: BTC-USD\n",
    "({})",
    "logs say <{}> was rejected",
)

LABELLED = (
    ('api_key = "{}"', "alnum32"),
    ("API_KEY={}", "alnum64"),
    ("apiKey: '{}',", "alnum32"),
    ('{{"apiKey":"{}","symbol":"BTCUSDT"}}', "alnum64"),
    ('{{\\"api_key\\":\\"{}\\",\\"x\\":1}}', "alnum32"),
    ("x-api-key: {}", "hex32"),
    ("X-MBX-APIKEY: {}", "alnum64"),
    ("OK-ACCESS-KEY: {}", "uuid"),
    ("APCA-API-SECRET-KEY: {}", "alnum40"),
    ("My API key is {}.", "alnum32"),
    ("the api key for Bybit is {} and works", "alnum18"),
    ("API key (read-only): {}", "alnum32"),
    ("Binance API Key:\n{}", "alnum64"),
    ("binance key: {}", "alnum64"),
    ("set api-key to be safe, --api-key {} --pair BTC", "hex32"),
    ("api_secret: {}", "hex64"),
    ("API Secret: {}", "b64_88"),
    ("secret={}&recvWindow=5000", "alnum32"),
    ("BYBIT_API_SECRET={}", "alnum36"),
    ("export KRAKEN_SECRET='{}'", "b64_88"),
    ("secretKey: {}", "hex32"),
    ("secret key is {}", "alnum40"),
    ("aws_secret_access_key = {}", "b64_40"),
    ("AWS_SESSION_TOKEN={}", "b64_200"),
    ("client_secret: {}", "alnum32"),
    ("clientSecret => '{}'", "url43"),
    ("consumer secret: {}", "alnum50"),
    ("webhook secret: {}", "hex40"),
    ("signing_key: {}", "hex64"),
    ("encryption-key={}", "b64_44"),
    ("private_key: {}", "hex64"),
    ("private key = {}", "base58_44"),
    ("access_token={}", "url43"),
    ("access token: {}", "hex40"),
    ("refresh_token: '{}'", "url60"),
    ('"authToken": "{}"', "alnum32"),
    ("bot token: {}", "alnum40"),
    ("token={}", "hex40"),
    ("token: {}", "alnum32"),
    ("session_token = {}", "uuid"),
    ("Authorization: Bearer {}", "alnum32"),
    ("authorization: bearer {}", "hex40"),
    ("Authorization: Basic {}", "b64_24"),
    ("-H 'Authorization: token {}'", "hex40"),
    ('"Authorization": "{}"', "alnum32"),
    ("call it with Bearer {} in the header", "url43"),
    ("password: {}", "pass"),
    ("password = '{}'", "pass"),
    ("PASSWORD={}", "pass"),
    ("DB_PASSWORD: {}", "pass"),
    ('{{"password": "{}", "user": "bob"}}', "pass"),
    ("pwd={};database=trades", "pass"),
    ("user=bob password={} host=db", "pass"),
    ("my password is {}", "pass"),
    ("login bob, password {}", "pass"),
    ("passphrase: {}", "pass"),
    ("OK-ACCESS-PASSPHRASE: {}", "pass"),
    ("passphrase: {}", "diceware"),
    ("password: {}\n", "plain"),
    ("PASSWORD={}", "plain"),
    ('"password":"{}"', "plain"),
    ("--password {} --user bob", "pass"),
    ("<password>{}</password>", "pass"),
    ("密码：{}", "pass"),
    ("我的登录密码是{}，别说出去", "pass"),
    ("交易密码: {}", "pass"),
    ("口令是 {}", "pass"),
    ("API密钥：{}", "alnum64"),
    ("密钥为{}。", "alnum32"),
    ("币安的 secret 是 {}", "alnum64"),
    ("私钥：{}", "hex64"),
    ("访问令牌：{}", "url43"),
    ("postgres://bob:{}@db.local:5432/trades", "pass"),
    ("redis://:{}@cache:6379/0", "pass"),
    ("https://bob:{}@example.com/x", "pass"),
    ("wss://stream.example.com/ws?token={}&symbol=btc", "url64"),
    ("https://api.example.com/v1?apikey={}", "alnum32"),
    ("https://api.example.com/v1?symbol=BTC&key={}#top", "alnum32"),
    ("https://eth-mainnet.g.alchemy.com/v2/{}", "url32"),
    ("https://mainnet.infura.io/v3/{}", "hex32"),
    ("https://x-y-z.solana-mainnet.quiknode.pro/{}/", "hex40"),
    ("https://rpc.ankr.com/eth/{}", "hex64"),
    ("https://mainnet.helius-rpc.com/?api-key={}", "uuid"),
    ("https://hooks.slack.com/services/{}", "slackhook"),
    ("https://discord.com/api/webhooks/112233445566778899/{}", "url68"),
    ("curl -u bob:{} https://example.com", "pass"),
    ("api keys:\n  - {}\n", "alnum32"),
    ("| api key | {} |", "alnum32"),
    ("credentials: bob:{}", "pass"),
    ("Cookie: session={}; theme=dark", "alnum32"),
    ("key: {}", "alnum64"),
    ("my key is {}", "alnum64"),
    ("auth: {}", "alnum32"),
    ("//registry.npmjs.org/:_authToken={}", "uuid"),
    ("api key – {}", "alnum32"),
    ("api secret - {}", "alnum32"),
    ("SECRET_KEY_BASE={}", "hex64"),
    ("DB_PASS={}", "pass"),
    ("pw: {}", "pass"),
    ('password: """{}"""', "pass"),
    ("the exchange password was changed to {}", "pass"),
    ("password → {}", "pass"),
    ("密码改成 {} 了", "pass"),
    ("密码为：{}", "pass"),
    ("账号bob 密码{}", "pass"),
    ("AccountKey={};EndpointSuffix=core", "b64_88"),
    ("https://x.blob.core.windows.net/c?sv=2024&sig={}", "url43"),
    ("https://{}@sentry.example.com/12", "hex32"),
    ("hmac key {}", "alnum32"),
    ("CMC key {}", "uuid"),
    ("mongodb+srv://bob:{}@cluster.example.net", "pass"),
)

PASSWORDS = (
    "$ecretWord9",
    "Pässwört77",
    "Tr0ub4dor&3x",
    "hunter2hunter",
    "S3cure!Pass99",
    "xK9#mQ2$vL",
    "q1w2e3r4t5!Z",
)


def labelled_value(make: Maker, shape: str) -> str:
    match shape:
        case "pass":
            return make.chance.choice(PASSWORDS) + make.of(DIGITS, 2)
        case "plain":
            return "swordfish" + make.of(LOWER, 4)
        case "diceware":
            return "correct horse battery " + make.of(LOWER, 7)
        case "uuid":
            return make.uuid()
        case "slackhook":
            return f"T{make.of(UPPER, 8)}/B{make.of(UPPER, 8)}/{make.of(ALNUM, 24)}"
    kind, _, size = shape.partition("_") if "_" in shape else (shape.rstrip(DIGITS), "", "")
    size = size or shape[len(kind) :]
    if kind == "url":
        return make.of(ALNUM, 1) + make.of(URL64, int(size) - 2) + make.of(ALNUM, 1)
    if kind == "b64":
        return base64.b64encode(make.chance.randbytes(int(size) * 3 // 4)).decode()
    return make.of({"alnum": ALNUM, "hex": HEX, "base58": BASE58}[kind], int(size))


def must() -> Iterator[Planted]:
    """Yield the texts whose secrets must go."""
    make = Maker()
    tokens = vendor_tokens(make)
    for number, (name, token) in enumerate(tokens.items()):
        for shift in (0, 3):
            context = VENDOR_CONTEXTS[(number + shift) % len(VENDOR_CONTEXTS)]
            yield Planted(f"vendor:{name}", context.format(token), (token,))
    for template, shape in LABELLED:
        value = labelled_value(make, shape)
        yield Planted("labelled", template.format(value), (value,))
    yield from _wallets(make)
    yield from _evm(make)
    yield from _phrases(make)
    yield from _pem(make)
    yield from _labelled_phrases(make)
    yield from _environments(make)
    yield from _in_addresses(make)
    yield from _after_labels(make)
    yield from _in_languages(make)
    yield from _one_time(make)
    yield from _escaped(make)
    yield from _long_tail(make)


def _wallets(make: Maker) -> Iterator[Planted]:
    contexts = ("{}", "swept from {} today", '{{"k": "{}"}}', "old one:{},new one soon", "钱包{}")
    keys = [
        *("wif " + make.wif() for _ in range(3)),
        "wif " + make.wif(compressed=False),
        "wif " + make.wif(0xEF),
        "wif " + make.wif(0xB0),
        "wif " + make.wif(0x9E, compressed=False),
        *("xprv " + make.extended(version, True) for version in (0x0488ADE4, 0x049D7878)),
        *("xprv " + make.extended(version, True) for version in (0x04B2430C, 0x04358394)),
        "xprv " + make.extended(0x0488ADE4, True)[:-9],
        *("solana " + base58(make.key_pair()) for _ in range(5)),
        "solana " + make.key_pair().hex(),
        "solana " + base64.b64encode(make.key_pair()).decode(),
        "xrp " + make.checked58(b"\x21" + make.chance.randbytes(16), RIPPLE),
        "stellar " + make.stellar(18 << 3),
        "bip38 " + make.checked58(b"\x01\x42\xe0" + make.chance.randbytes(36)),
    ]
    for number, key in enumerate(keys):
        family, _, secret = key.partition(" ")
        yield Planted(family, contexts[number % len(contexts)].format(secret), (secret,))
    for form in ("[{}]", "Uint8Array.from([{}])", "id.json: [ {} ] keep"):
        for comma in (",", ", "):
            numbers = comma.join(map(str, make.key_pair()))
            yield Planted("solana-bytes", form.format(numbers), (numbers,))


EVM = (
    "private key: {}",
    "PRIVATE_KEY={}",
    'Account.from_key("{}")',
    'w3.eth.account.from_key("{}").address',
    "imported {} into MetaMask",
    "import my wallet with {}",
    "cast send --private-key {} --rpc-url base",
    '{{"privateKey": "{}", "chain": "base"}}',
    "new ethers.Wallet('{}')",
    "pk = {}",
    "the private key for the trading account is {}",
    "{} is my private key",
    "{} (private key of the hot wallet)",
    "我的私钥是{}",
    "把 {} 导入钱包，私钥 {}",
    "deployer key {} on arbitrum",
    "agent private key\n{}",
    "privkey {}, tx later",
    "secret key {}",
    "the private key of the pool bot we use here: {}",
    "private key of wallet 0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed is {}",
    "private key to transfer funds with: {}",
)


def _evm(make: Maker) -> Iterator[Planted]:
    for number, template in enumerate(EVM):
        key = make.evm_hash() if number % 4 else make.of(HEX, 64)
        if template.startswith("把"):
            yield Planted("evm", f"把钱包的私钥 {key} 导入", (key,))
        else:
            yield Planted("evm", template.format(key), (key,))


def _phrases(make: Maker) -> Iterator[Planted]:
    for words in (12, 15, 18, 21, 24):
        yield _planted_phrase("{}", make.phrase(words))
        yield _planted_phrase("the old backup: {} (12 October)", make.phrase(words))
    for language in sorted(Mnemonic.list_languages()):
        for words in (12, 24):
            yield _planted_phrase("backup: {}.", make.phrase(words, language))
    yield _planted_phrase("{}", "zoo " * 11 + "wrong")
    yield _planted_phrase("{}", "abandon " * 11 + "about")
    for change in (
        str.upper,
        str.title,
        lambda it: it.replace(" ", ", "),
        lambda it: it.replace(" ", ","),
        lambda it: it.replace(" ", "\n"),
        lambda it: it.replace(" ", "\\n"),
        lambda it: it.replace(" ", " - "),
        lambda it: it.replace(" ", "、"),
        lambda it: it.replace(" ", "\u3000"),
        lambda it: json.dumps(it.split()),
        lambda it: "\n".join(f"{at}. {word}" for at, word in enumerate(it.split(), 1)),
        lambda it: " ".join(f"{at}) {word}" for at, word in enumerate(it.split(), 1)),
        lambda it: " ".join(f"{at}:{word}" for at, word in enumerate(it.split(), 1)),
        lambda it: "\n".join(f"word {at}: {word}" for at, word in enumerate(it.split(), 1)),
        lambda it: json.dumps({str(at): word for at, word in enumerate(it.split(), 1)}),
        lambda it: "\n".join(" ".join(it.split()[at : at + 4]) for at in range(0, 24, 4)).strip(),
    ):
        phrase = make.phrase(12)
        written = change(phrase)
        secret = written[written.lower().index(phrase.split()[0]) :]
        yield Planted("phrase", f"the wallet has: {written} and holds 3 SOL", (secret,))
    text = "助记词：" + make.phrase(12, "chinese_simplified").replace(" ", "")
    yield Planted("phrase", text, (text.partition("：")[2],))


SPLIT = (
    "seed words 1-12: {0}\nseed words 13-24: {1}",
    "my seed phrase, first half: {0}. second half: {1}",
    "Recovery phrase part 1: {0} | part 2: {1}",
    "mnemonic (first 12): {0}\n\nand the last 12: {1}",
    "backup words, row one: {0}; row two: {1}; keep both",
    "seed phrase: the first half is {0}, the second half, which my brother has, is {1}.",
    "| recovery words 1-12 | {0} |\n| recovery words 13-24 | {1} |",
    "助记词前半：{0}。后半：{1}。",
)
CUT_SHORT = (  # eleven of twelve words
    "seed phrase: {}",
    "Seed Phrase -> {}",
    "my recovery phrase starts with {} and I forgot the last one",
    "secret recovery phrase of the MetaMask wallet: {}",
    "BIP-39 words: {}",
    "mnemonic={}",
    "MNEMONIC_PHRASE='{}'",
    "wallet seed phrase is {}.",
    "the twelve words: {}",
    "{} is most of my seed phrase",
    "助记词：{}",
    "恢复短语 {}",
    "frase semilla: {}",
    "frase de recuperación: {}",
    "phrase de récupération : {}",
    "Wiederherstellungsphrase: {}",
    "frase di recupero: {}",
    "frase de recuperação: {}",
    "сид-фраза: {}",
    "мнемоническая фраза: {}",
    "リカバリーフレーズ：{}",
    "시드 문구: {}",
)
WRITTEN = (  # however it is written down, and with a wrong checksum
    lambda words: "\n".join(f"{at}. {word}" for at, word in enumerate(words, 1)),
    lambda words: " ".join(f"{at}){word}" for at, word in enumerate(words, 1)),
    lambda words: "\n".join(f"word {at}: {word}" for at, word in enumerate(words, 1)),
    lambda words: "\n".join(f"| {at:2} | {word:<12} |" for at, word in enumerate(words, 1)),
    lambda words: "\n".join(f"{at}\t{word}" for at, word in enumerate(words, 1)),
    lambda words: "\n".join(" ".join(words[at : at + 4]) for at in range(0, 12, 4)),
    lambda words: json.dumps(words),
    lambda words: ",".join(words).upper(),
)


def _labelled_phrases(make: Maker) -> Iterator[Planted]:
    """Yield what no checksum proves, and a label gives away."""
    for template in SPLIT:
        words = make.phrase(24).split()
        halves = " ".join(words[:12]), " ".join(words[12:])
        yield Planted("labelled-phrase", template.format(*halves), halves)
    for template in CUT_SHORT:
        phrase = " ".join(make.phrase(12).split()[:11])
        yield Planted("labelled-phrase", template.format(phrase), (phrase,))
    for write in WRITTEN:
        words = make.wrong_phrase(12).split()
        text = "recovery phrase:\n" + write(words)
        yield Planted("labelled-phrase", text, _each(text, words))
    for place in range(12):
        words = make.phrase(12).split()
        words[place] += "qz"  # in no list
        text = f"my seed phrase is {' '.join(words)}"
        yield Planted("labelled-phrase", text, _each(text, words))
    for language in ("spanish", "french", "italian", "korean", "chinese_simplified"):
        phrase = " ".join(make.phrase(12, language).split()[:11])
        yield Planted("labelled-phrase", f"mnemonic: {phrase}", (phrase,))
    phrase = make.wrong_phrase(12)
    yield Planted("labelled-phrase", f"seed phrase: {phrase}\nBuy SOL at 120.", (phrase,))


def _each(text: str, words: list[str]) -> tuple[str, ...]:
    """Return words as a text writes them."""
    return tuple(word if word in text else word.upper() for word in words)


def _environments(make: Maker) -> Iterator[Planted]:
    for name in ("rk_prod", "sk_prod", "rk_staging", "sk_dev", "rk_sandbox", "sk_production"):
        key = f"{name}_{make.of(ALNUM, 24)}"
        yield Planted("vendor:environment", f"rotate {key} on Friday", (key,))


def _in_addresses(make: Maker) -> Iterator[Planted]:
    for template in (
        "mongodb+srv://bob:<{}>@cluster0.ab1cd.mongodb.net/trades",
        "bob:{}@cluster0.ab1cd.mongodb.net",
        "credentials: bob:{}@cluster0.ab1cd.mongodb.net",
        "password: {}@cluster0.ab1cd.mongodb.net",
    ):
        password = make.of(ALNUM, 14) + "aB7"
        yield Planted("address", template.format(password), (password,))


BEFORE_LABEL = (
    ("{} is the agent key", "evm"),
    ("{} is my agent wallet key", "evm"),
    ("{} = trading wallet key", "evm"),
    ("{} ist der private Schlüssel", "evm"),
    ("{} est la clé privée du bot", "evm"),
    ("{} es la clave privada", "evm"),
    ("{} è la chiave privata", "evm"),
    ("{} é a chave privada", "evm"),
    ("{} это приватный ключ", "evm"),
    ("{}是我的私钥", "evm"),
    ("{} is my API key", "alnum32"),
    ("`{}` is the api secret of the bot", "alnum40"),
    ("{} = access token", "alnum40"),
    ("{} ist mein API-Schlüssel", "alnum32"),
    ("{} est ma clé API", "alnum32"),
    ("'{}' is the exchange password", "alnum12"),
    ("{} es mi contraseña", "alnum12"),
    ("{} ist das Passwort", "alnum12"),
)


def _after_labels(make: Maker) -> Iterator[Planted]:
    """Yield secrets whose label comes after them."""
    for template, shape in BEFORE_LABEL:
        value = make.evm_hash() if shape == "evm" else _both_cases(make, shape)
        yield Planted("after-label", template.format(value), (value,))


def _both_cases(make: Maker, shape: str) -> str:
    return "aB3" + labelled_value(make, shape)[3:]


IN_LANGUAGES = (
    ("Das Passwort lautet {}", "alnum12"),
    ("Das Passwort lautet {}.", "plain"),
    ("Mein Kennwort ist {}", "alnum12"),
    ("Der API-Schlüssel lautet {}", "alnum32"),
    ("geheimer Schlüssel: {}", "alnum32"),
    ("privater Schlüssel: {}", "hex64"),
    ("Le mot de passe est {}", "alnum12"),
    ("la clé API est {}", "alnum32"),
    ("clé d'API : {}", "alnum32"),
    ("clé privée : {}", "hex64"),
    ("La contraseña es {}", "alnum12"),
    ("clave de API: {}", "alnum32"),
    ("la clave secreta es {}", "alnum32"),
    ("la clave privada es {}", "hex64"),
    ("La password è {}", "alnum12"),
    ("chiave API: {}", "alnum32"),
    ("la chiave segreta è {}", "alnum32"),
    ("A senha é {}", "alnum12"),
    ("chave da API: {}", "alnum32"),
    ("a chave secreta é {}", "alnum32"),
    ("Пароль это {}", "alnum12"),
    ("секретный ключ: {}", "alnum32"),
    ("ключ API: {}", "alnum32"),
    ("приватный ключ: {}", "hex64"),
    ("APIキー：{}", "alnum32"),
    ("シークレットキーは{}", "alnum32"),
    ("API 키: {}", "alnum32"),
)


def _in_languages(make: Maker) -> Iterator[Planted]:
    for template, shape in IN_LANGUAGES:
        value = labelled_value(make, shape)
        yield Planted("language", template.format(value), (value,))


def _one_time(make: Maker) -> Iterator[Planted]:
    """Yield secrets of one-time passwords, as sites print them."""
    for template in (
        "2FA: {}",
        "TOTP secret of the exchange: {}",
        "my authenticator setup key is {}, kept on paper",
        "Google Authenticator\n{}",
        "secret key for the app: {}",
        "otpauth://totp/Desk:bob?secret={}&issuer=Desk",
    ):
        for groups, change in (
            (" ", str.upper),
            (" ", str.lower),
            ("-", str.upper),
            ("", str.upper),
        ):
            made = "A2" + make.of(UPPER + "234567", 30)
            if "otpauth" in template and groups:
                continue
            secret = change(groups.join(made[at : at + 4] for at in range(0, 32, 4)))
            yield Planted("one-time", template.format(secret), (secret,))


def _escaped(make: Maker) -> Iterator[Planted]:
    """Yield tokens behind an escape, which is no part of them."""
    for template in (
        '{{"url": "https://x.example.com/?t\\u003d{}"}}',
        "line one\\n{}\\tnext",
        "\\\\n{}",
        'say \\"{}\\" again',
        "https://x.example.com/cb?state=a%3D{}%26b",
        "&lt;{}&gt; and x&#61;{}",
        "a\\x3d{}",
    ):
        token = "ghp_" + make.of(ALNUM, 36)
        yield Planted(
            "escaped", template.replace("{{", "{").replace("}}", "}").replace("{}", token), (token,)
        )
    value = make.of(ALNUM, 32)
    yield Planted("escaped", f"api_key\\u003d{value}", (value,))
    yield Planted("escaped", f"password%3D{value}", (value,))


def _long_tail(make: Maker) -> Iterator[Planted]:
    """Yield tokens of services that few people use, and of none that is known."""
    of = make.of
    tokens = (
        *("bkua_" + of(HEX, 40), "CCIPAT_" + of(ALNUM, 22) + "_" + of(HEX, 40)),
        *("CFPAT-" + of(ALNUM, 43), "duffel_live_" + of(ALNUM, 43), "fio-u-" + of(ALNUM, 64)),
        *("dt0c01." + of(UPPER + DIGITS, 24) + "." + of(UPPER + DIGITS, 64),),
        *("pat-na1-" + make.uuid(), "sdk-" + make.uuid(), "sha256~" + of(URL64, 42) + "x"),
        *("oy2" + of(LOWER + DIGITS, 43), "sqp_" + of(HEX, 40), "zpka_" + of(HEX, 32)),
        *("signkey-prod-" + of(HEX, 64), "pylf_v1_us_" + of(ALNUM, 43), "rnd_" + of(ALNUM, 28)),
        *("apify_api_" + of(ALNUM, 36), "nyk_v0_" + of(ALNUM, 64), "rpa_" + of(ALNUM, 40)),
        *("rzp_" + "live_" + of(ALNUM, 14), "bce-v3/ALTAK-" + of(ALNUM, 21) + "/" + of(HEX, 40)),
        *("LIVE_API_KEY:" + of(HEX, 32) + ":" + of(HEX, 32), of(HEX, 32) + "." + of(ALNUM, 16)),
        *("acme_token_" + of(ALNUM, 32), "corp-apikey-" + of(ALNUM, 32)),
        *("key_live_" + of(ALNUM, 32), "svc_secret_" + of(HEX, 40), "myapp_pat_" + of(ALNUM, 40)),
    )
    for number, token in enumerate(tokens):
        context = VENDOR_CONTEXTS[number % len(VENDOR_CONTEXTS)]
        yield Planted("long-tail", context.format(token), (token,))


def _planted_phrase(context: str, phrase: str) -> Planted:
    return Planted("phrase", context.format(phrase), (phrase,))


def _pem(make: Maker) -> Iterator[Planted]:
    for kind in ("PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY", "OPENSSH PRIVATE KEY"):
        whole = make.pem(kind)
        body = tuple(whole.split("\n")[1:-1])
        yield Planted("pem", f"key:\n{whole}\nrotate it", body)
        yield Planted("pem", json.dumps({"pem": whole, "id": 7}), body)
        cut = whole[: len(whole) * 2 // 3]
        yield Planted("pem", f"cut off: {cut}", tuple(cut.split("\n")[1:]))
        tail = whole[len(whole) // 3 :]
        yield Planted("pem", f"the rest: {tail} done", tuple(tail.split("\n")[1:-1]))
    one_line = make.pem().replace("\n", " ")
    yield Planted("pem", one_line, tuple(one_line.split(" ")[2:-3]))
    whole = make.pem("PGP PRIVATE KEY BLOCK")
    yield Planted("pem", whole, tuple(whole.split("\n")[1:-1]))


IDS = (
    "tx 0x{hash} confirmed",
    "transaction hash: 0x{hash}",
    "0x{hash}",
    "block 0x{hash} was reorged",
    '{{"txHash": "0x{hash}", "px": "65000.5"}}',
    "merkle root 0x{hash}",
    "pool id 0x{hash} on Uniswap v4",
    "the private key leaked in tx 0x{hash}",
    "imported trades of block 0x{hash}",
    "sha256 {hash}",
    "digest: sha256:{hash}",
    "dedup_key: {hash}",
    "dedup key {hash}",
    "cache_key={hash}",
    "idempotency_key: {uuid}",
    "public key: {hash}",
    "pubkey 0x02{hash}",
    "condition id 0x{hash} on Polymarket",
    "交易哈希 0x{hash}",
    "state_hash={hash} after replay",
    "wallet 0x{address} on base",
    "token: 0x{address}",
    '{{"token": "0x{address}", "amount": "1500"}}',
    "token address 0x{address}",
    "swap router 0x{address} for USDC",
    "deposit address: 0x{address}",
    "agent wallet key 0x{address}",
    "mint {solana}",
    "token: {solana}",
    "token = {solana}",
    "contract {solana} pumped 40 %",
    "https://dexscreener.com/solana/{solana}",
    "https://example.com/swap?token={solana}&amount=3",
    "token ibc/{hash}",
    "signature {signature}",
    "https://solscan.io/tx/{signature}",
    "{signature}",
    '{{"signature": "{signature}", "slot": 271828182}}',
    "xpub for watching: {xpub}",
    "{xpub}",
    "zpub {zpub}",
    "BTC to {btc}",
    "bc1 address {bech}",
    "XLM account {stellar}",
    "order id {uuid}",
    "{uuid}",
    "orderId: {long}",
    "oid {long}, tid {longer}",
    '{{"oid": {long}, "tid": {longer}, "cloid": "0x{cloid}"}}',
    "cloid 0x{cloid}",
    "commit {sha}",
    "git sha {sha} broke the build",
    "md5 {md5}",
    "client order {alnum}",
    "order_id={alnum}",
    "trace id {md5}",
    "request id req_{alnum}",
    "session s-{uuid}",
    "polymarket token id {very_long}",
    "token_id: {very_long}",
    "key level 65000 and 3250.75",
    "price 65,432.10987654 size 0.00012345",
    "volume 123456789012345678901234567890 wei",
    "[{numbers}]",
    "closes: {numbers}",
    "https://example.com/v1/klines?symbol=BTCUSDT&interval=1h&limit=500",
    "https://user@example.com/path",
    "http://localhost:8080/a@b",
    "img data:image/png;base64,{base64}",
    "ed25519 signature {signature_hex}",
    "-----BEGIN PUBLIC KEY-----\n{base64}\n-----END PUBLIC KEY-----",
    "0x{hash} is the tx of the agent key rotation",
    "0x{hash} is the hash",
    "0x{address} is the agent wallet",
    "0x{address} is my agent key address",
    "token-0x{address}",
    "sol-token-{solana}",
    "dedup-key-{sha}",
    "cache_key_{sha}",
    "order-key-{alnum}",
    "token_id_{alnum}",
    "toolu_{alnum}",
    "run_live_{md5}",
    "pk_" + "live_{alnum}",
    "https://example.com/tx?hash%3D{hash}",
    "-----BEGIN CERTIFICATE-----\n{base64}\n-----END CERTIFICATE-----",
)

PROSE = (
    "The key level is 65,000; a close above it is the key.",
    "The secret is patience: wait for the retest before adding.",
    "secret: nobody knows where the market goes",
    "Secret sauce: mean reversion at 4h, half size.",
    "Token: ARB, unlock on Friday, 92,650,000 tokens.",
    "token: USDC",
    "tokens: 150000",
    "tokens = 128000 per request",
    "max_tokens=4096, temperature=0.2",
    "The token is SOL-based and trades at 0.35.",
    "password: required to log in",
    "Password reset needed for the exchange.",
    "The password is required before withdrawal.",
    "api_key: null",
    "api_key: your_api_key_here",
    "API_KEY=<your key>",
    "api_key = os.environ['BINANCE_API_KEY']",
    "apiKey: process.env.API_KEY",
    "secret: ${BINANCE_SECRET}",
    "password: {{ vault_password }}",
    "secret: /run/secrets/binance",
    "api key: missing",
    "API key: read-only",
    "api key expired on 2026-01-15, rotate monthly",
    "api_key: not-configured-yet",
    "An API key was created on 2026-03-01T10:00:00Z for the bot.",
    "private key: never share it",
    "private keys stay on the hardware wallet",
    "Import the trades before importing the fills.",
    "Bearer bonds and bearer of bad news.",
    "bearer: the market",
    "Authorization was granted by the owner.",
    "authorization: required",
    "credentials: see the vault",
    "Passwordless login is enabled; tokenomics look weak.",
    "The secretary of the treasury spoke, keyboards rattled.",
    "sk-learn and sklearn-pipeline-feature-importance are used.",
    "We compared sk-learn-based-regression-with-long-name models.",
    "eyJ is how a JWT starts, and AKIA is how an AWS id starts.",
    "ghp_ tokens and xoxb- tokens must never be stored.",
    "zoo zoo zoo",
    "zoo zoo zoo zoo zoo zoo",
    "abandon hope all ye who enter here, the market is about to turn",
    "{wrong12}",
    "they said {wrong12}",
    "{wrong13}.",
    "{wrong15}",
    "{wrong18}",
    "{wrong24}",
    "they are: {wrong12_commas}",
    "{wrong12_upper}",
    "我的密码不要告诉别人。",
    "密码：必填",
    "密钥：见保险库",
    "关键价位 65000，突破后加仓，密切关注资金费率。",
    "这个代币的令牌经济学很弱，私钥放在硬件钱包里。",
    "市场情绪转弱我们认为短期内不应追高如果跌破关键支撑就减半仓位并等待下一次确认信号出现再说",
    "Never paste a recovery phrase or a private key into chat.",
    "The cookie: crumbled like the chart.",
    "pass the key: resistance turned support",
    "Q: what is the key? A: risk. Key takeaways: size down.",
    "sort_key: created_at",
    "primary key: id",
    "public key: published on the site",
    "auth=none, mode=paper",
    "Forgot password?\nClick here to continue.",
    "The 2FA token expired after 30 seconds.",
    "Signal token=BTC side=long",
    "Bought 12 BTC at 65,000.50; stop 62,000; funding -0.01 %.",
    "user: bob, role: admin, password: ********",
    "access token: [redacted]",
    "api secret: xxxxxxxxxxxxxxxx",
    "the api key: it must be read only",
    "license key terms changed in 2026Q1",
    "Wallet key facts: 3 signers, 2 of 3.",
    "Open Long, Open Short, Close Long, Close Short, Long > Short, Short > Long; Buy, Sell",
    "long short long short long short long short long short long short long short long",
    "buy sell hold buy sell hold buy sell hold buy sell hold buy sell hold",
    "password = get_password(user)",
    "def login(user, password: Optional[str]) -> None:",
    "client(password=password, token=token)",
    "https://user:password@example.com is the form of it",
    "tests pass: 12 of 15; pass=0.95",
    "key: value, key=price, map key abc",
    "auth: none, author: bob",
    "first pass: B-grade setups only",
)

BESIDE_PHRASES = (  # lines that speak of recovery phrases, and lines of their words that do not
    "my seed phrase is in the safe at the bank, and nobody else can open that door",
    "a recovery phrase has 12 or 24 words; never write them into a chat",
    "seed words should be kept on paper, he said, and then the market fell",
    "the seed round was led by a fund that holds gold, oil and one private bank",
    "backup phrase: none yet, the wallet is a hardware one",
    "seed: 42, model: ridge, score 0.71 on the test fold",
    "seed=7 gives the same random order of trades again",
    "The recovery was strong: oil, gas, gold and silver all rose, and the dollar fell.",
    "Recovery words from the desk: stay calm, size down, trade what you see.",
    "mnemonic for the close: buy weakness, sell strength, and keep cash for the crash",
    "My recovery phrase was stolen last year, so I moved every coin to a new wallet.",
    "seed phrase: see the vault",
    "seed phrase: lost",
    "Write the mnemonic on steel, one word a line, and store it in two places.",
    "the wallet words came up in the call: trust, risk, cash, time",
    "Backup words are the last thing to lose: price can come back, a lost phrase can not.",
    "He said the seed phrase of the fund is split between three people in three cities.",
    "A seed investor must decide early whether to hold, to sell half, or to exit the round.",
    "Secret words of the trade: patience, size, exit.",
    "mnemonic devices help: red candle means wait, green candle means look again",
    "助记词不要截图，也不要发给任何人，抄在纸上放进保险箱。",
    "助记词：请离线保存",
    "La frase semilla se guarda en papel y nunca en el móvil.",
    "La phrase de récupération reste dans le coffre, pas dans un message.",
    "Die Wiederherstellungsphrase liegt im Tresor, nicht im Chat.",
    "сид-фраза хранится на бумаге в сейфе",
    "リカバリーフレーズは紙に書いて保管する",
    "시드 문구는 종이에 적어 금고에 보관한다",
    "Trade idea: buy oil when demand and price rise again, sell gold into dollar panic.",
    "open close high low volume total average value change range trend signal",
    "market order limit order stop order cancel order adjust position reduce margin use cash",
    "Today the fund will reduce equity, buy bonds, add gold, hold cash, and wait for news.",
    "gold oil sugar coffee cotton cattle wheat corn soy cocoa rice orange",
    "Focus on risk, time, price, volume, trend, range; avoid noise, rumor, panic, fatigue.",
    "my api key is not set",
    "Das Passwort ist falsch.",
    "Das Passwort lautet anders als gestern",
    "Die API-Schlüssel sind abgelaufen",
    "la clave es la paciencia",
    "La clave api no está configurada",
    "Le mot de passe est requis.",
    "a chave secreta do mercado é paciência",
    "la chiave del mercato è 65000",
    "ключ к рынку это терпение",
    "BTC2026 is the password of success",
    "4h-retest-2026 is the key level",
    "2FA: enabled on all accounts",
    "the 2FA code was late, and this that with from them",
    "TOTP works; each code is good for 30 seconds",
    "50%25 off, a%20b and x&amp;y",
    "{wrong12} was the order of the flash cards",
    "labels of the chart: {wrong12_commas}",
    "mongodb+srv://user:<password>@cluster0.abcde.mongodb.net/trades",
    "connect as user:<password>@cluster0.abcde.mongodb.net and list the fills",
    "user:<db_password>@cluster0.abcde.mongodb.net:27017/test?retryWrites=true",
    "postgres://user:${DB_PASSWORD}@db.example.net:5432/trades",
    "mail trader@desk.example.com about the fill at 10:42",
    "password:\nBuy3Sol at 120 and wait",
    "the password is\nSOL2026 target is 250",
    "secret:\nWait4TheRetest of 65000",
    "risk_prod_model_2026 and task_dev_environment2 ran over night",
    "sk_prod_ and rk_prod_ are how such keys begin",
    "rk_dev_environmentvariables are set by the operator",
)


def stay() -> Iterator[tuple[str, str]]:
    """Yield the texts nothing of which may change, each with its side: `id` or `prose`."""
    make = Maker(SEED + 1)
    for _ in range(3):
        for template in IDS:
            yield "id", template.format(**_ids(make))
    for template in (*PROSE, *BESIDE_PHRASES):
        wrong = {f"wrong{size}": make.wrong_phrase(size) for size in (12, 13, 15, 18, 24)}
        wrong["wrong12_commas"] = wrong["wrong12"].replace(" ", ", ")
        wrong["wrong12_upper"] = wrong["wrong12"].upper()
        for name, phrase in wrong.items():
            template = template.replace("{" + name + "}", phrase)
        yield "prose", template


def _ids(make: Maker) -> dict[str, str]:
    return {
        "hash": make.of(HEX, 64),
        "address": make.of(HEX, 40),
        "cloid": make.of(HEX, 32),
        "uuid": make.uuid(),
        "solana": base58(make.key_pair()[32:]),
        "signature": base58(make.signature()),
        "signature_hex": make.signature().hex(),
        "xpub": make.extended(0x0488B21E, False),
        "zpub": make.extended(0x04B24746, False),
        "btc": make.checked58(b"\0" + make.chance.randbytes(20)),
        "bech": "bc1q" + make.of(BECH32, 38),
        "stellar": make.stellar(6 << 3),
        "long": make.of("123456789", 11),
        "longer": make.of("123456789", 15),
        "very_long": make.of("123456789", 77),
        "sha": make.of(HEX, 40),
        "md5": make.of(HEX, 32),
        "alnum": make.of(ALNUM, 36),
        "numbers": ", ".join(str(make.chance.randrange(256)) for _ in range(64)),
        "base64": base64.b64encode(make.chance.randbytes(300)).decode(),
    }
