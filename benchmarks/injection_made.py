"""Orders and true texts in thirteen languages: written one by one, and made from patterns.

A file of `injection_written` holds one text a line, one of `injection_texts` one pattern a line,
under the name of its family; `true` is what must raise no alarm. In a pattern `(a|b|)` stands for
one of these, `{coin}` for a word of a list, `{n}` for a number.
"""

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

PATTERNS: Final = Path(__file__).parent / "injection_texts"
WRITTEN: Final = Path(__file__).parent / "injection_written"
LANGUAGES: Final = ("en", "zh", "es", "pt", "ru", "de", "fr", "ja", "ko", "ar", "hi", "tr", "vi")
TRUE: Final = "true"
STOCK: Final = "stock"
"""The plainest orders, in a few words."""
DIARY: Final = "diary"
"""True texts that agents and owners write into a workspace."""
PLAN: Final = "plan"
"""True texts that say when something counts as confirmed, is marked or moved: near to orders."""
TALK: Final = "talk"
"""True texts about injections, which often hold one: nothing is trained on them."""

_CHOICE: Final = re.compile(r"(?<!\\)\(([^()]*(?:\\[()][^()]*)*)\)")
_SLOT: Final = re.compile(r"\{(n|tok|coin|venue|addr)\}")
_WORDS: Final = {
    "tok": "MOONX HyperMoon ZapCoin NOVA LUNR PumpX GoldInu XYZ FLOKX StarkAI BONKER TurboFi",
    "coin": "BTC ETH SOL DOGE XRP AVAX LINK",
    "venue": "Binance Kraken OKX SwiftEx Bybit Coinbase ApexTrade",
    "addr": "0x52908400098527886E0F7030069857D2E4169EE7"
    " bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq 0xde709f2102306220921060314715629080e2fb77",
}


class MadeText(NamedTuple):
    """A text with its family (`true` for a harmless one) and its language."""

    text: str
    family: str
    language: str

    @property
    def is_order(self) -> bool:
        """Whether the text must raise the alarm."""
        return self.family not in {TRUE, DIARY, PLAN, TALK}


def written(language: str) -> Iterator[MadeText]:
    """Yield the texts of a language that were written one by one."""
    for family, text in _lines(WRITTEN, language):
        yield MadeText(text, family, language)


def made(language: str, each: int) -> Iterator[MadeText]:
    """Yield the texts of a language, the same ones for the same number.

    Args:
        each: texts of one pattern at most; of a harmless one twice as many; count.
    """
    for place, (family, pattern) in enumerate(_lines(PATTERNS, language)):
        chance = random.Random(f"0-{language}-{place}")
        number = 2 * each if family == TRUE else each
        for text in sorted({_filled(pattern, chance) for _ in range(number)}):
            yield MadeText(text, family, language)


def _lines(folder: Path, language: str) -> Iterator[tuple[str, str]]:
    """Yield the lines of a file, each with its family."""
    family = ""
    for line in (folder / f"{language}.txt").read_text("utf-8").splitlines():
        if line.startswith("# "):
            family = line.removeprefix("# ")
        elif line.strip():
            yield family, line


def _filled(pattern: str, chance: random.Random) -> str:
    while choice := _CHOICE.search(pattern):
        chosen = chance.choice(choice[1].split("|"))
        pattern = pattern[: choice.start()] + chosen + pattern[choice.end() :]
    filled = _SLOT.sub(lambda slot: _word(slot[1], chance), pattern)
    return " ".join(filled.replace("\\(", "(").replace("\\)", ")").split())


def _word(slot: str, chance: random.Random) -> str:
    if slot == "n":
        most = chance.choice((9, 99, 99_999))
        return str(chance.randint(1, most))
    return chance.choice(_WORDS[slot].split())
