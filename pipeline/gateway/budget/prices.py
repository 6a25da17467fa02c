"""What a model's tokens cost: a dated table, and a refusal for every model it does not name."""

from dataclasses import dataclass
from datetime import date
from unicodedata import normalize

from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.gateway.budget.amounts import micro_usd


@dataclass(frozen=True, slots=True)
class Price:
    """A model's price.

    Args:
        input_micro_usd: for a million tokens read.
        output_micro_usd: for a million tokens written.
        as_of: the day it was looked up; None if a setting gave it.
        long_after: tokens read beyond which a call costs `long_times` as much.
    """

    input_micro_usd: int
    output_micro_usd: int
    as_of: date | None
    long_after: int | None = None
    long_times: int = 1

    def cost_micro_usd(self, input_tokens: int, output_tokens: int) -> int:
        """Return what a call costs, rounded up to whole micro-dollars."""
        due = input_tokens * self.input_micro_usd + output_tokens * self.output_micro_usd
        if self.long_after is not None and input_tokens > self.long_after:
            due *= self.long_times
        return -(-due // 1_000_000)


# Source: OpenAI's price list as quoted in May 2026, standard tier; embeddings write no tokens.
_MAY_2026 = date(2026, 5, 1)
# Source: Anthropic's model pages and price list of October 2026, standard tier, nothing cached.
_OCTOBER_2026 = date(2026, 10, 24)
PRICES = {
    "text-embedding-3-small": Price(20_000, 0, _MAY_2026),
    "text-embedding-3-large": Price(130_000, 0, _MAY_2026),
    "text-embedding-ada-002": Price(100_000, 0, _MAY_2026),
    "claude-opus-5-5": Price(4_000_000, 20_000_000, _OCTOBER_2026),
    "claude-opus-5": Price(5_000_000, 25_000_000, _OCTOBER_2026),
    "claude-opus-4-8": Price(5_000_000, 25_000_000, _OCTOBER_2026),
    "claude-sonnet-5-5": Price(2_000_000, 10_000_000, _OCTOBER_2026),
    "claude-sonnet-5": Price(2_000_000, 10_000_000, _OCTOBER_2026),
    "claude-sonnet-4-6": Price(3_000_000, 15_000_000, _OCTOBER_2026),
    "claude-haiku-5-5": Price(100_000, 500_000, _OCTOBER_2026, long_after=100_000, long_times=5),
    "claude-haiku-4-5": Price(1_000_000, 5_000_000, _OCTOBER_2026),
}
"""What each model costs; a name that is missing needs its price from a setting."""


def price_of(model: str, usd_per_million_tokens: float | None, setting: str) -> Price:
    """Return what a model costs; without a price nothing is asked of it.

    Args:
        usd_per_million_tokens: price of a model the table does not name, tokens read and written
            alike; USD.
        setting: name of the setting that gives it, for the refusal.

    Raises:
        InvalidInputError: neither the table nor the setting has a price for it.
    """
    if model in PRICES:
        return PRICES[model]
    if usd_per_million_tokens is None:
        raise InvalidInputError(
            setting, f"model {model!r} has no price", f"its USD per million tokens in {setting}"
        )
    price = micro_usd(usd_per_million_tokens, setting, up=True)
    return Price(price, price, as_of=None)


def estimate_tokens(text: str) -> int:
    """Return a bound that no byte-level tokenizer passes: the text's UTF-8 bytes.

    Every such token stands for one byte or more; English prose has about four bytes a token.
    """
    return len(text.encode("utf-8", "surrogatepass"))


def most_tokens(text: str) -> int:
    """Return more tokens than a service can count for a text.

    A cost above the reservation stops all spending, so no text may bring that about: some
    tokenizers fold a text to NFKC first, where one character can become eighteen.
    """
    return max(estimate_tokens(text), estimate_tokens(normalize("NFKC", text)))
