"""The prices of models: a dated table; a model without a price is refused."""

from dataclasses import dataclass
from datetime import date
from unicodedata import normalize

from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.gateway.budget.amounts import micro_usd


@dataclass(frozen=True, slots=True)
class Price:
    """The price of a model.

    Args:
        input_micro_usd: for a million tokens read.
        output_micro_usd: for a million tokens written.
        as_of: the day of the price list; None for a price from a setting.
        long_after: a call that reads more tokens costs `long_times` as much.
    """

    input_micro_usd: int
    output_micro_usd: int
    as_of: date | None
    long_after: int | None = None
    long_times: int = 1

    def cost_micro_usd(self, input_tokens: int, output_tokens: int) -> int:
        """Return the cost of a call, rounded up to whole micro-dollars."""
        cost = input_tokens * self.input_micro_usd + output_tokens * self.output_micro_usd
        if self.long_after is not None and input_tokens > self.long_after:
            cost *= self.long_times
        return -(-cost // 1_000_000)


# Source: OpenAI's price list as quoted in May 2026, standard tier; embeddings write no tokens.
_MAY_2026 = date(2026, 5, 1)
# Source: Anthropic's model pages and price list of October 2026, standard tier, without caching.
_OCTOBER_2026 = date(2026, 10, 24)
MODEL_PRICES = {
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
"""Price by model; a model that is missing here needs a price from a setting."""


def price_of(model: str, usd_per_million_tokens: float | None, setting: str) -> Price:
    """Return the price of a model; a model without a price is never called.

    Args:
        usd_per_million_tokens: price of a model that is not in the table, for tokens read and
            written; USD.
        setting: name of that setting, for the error message.

    Raises:
        InvalidInputError: neither the table nor the setting has a price.
    """
    if model in MODEL_PRICES:
        return MODEL_PRICES[model]
    if usd_per_million_tokens is None:
        raise InvalidInputError(
            setting, f"model {model!r} has no price", f"its USD per million tokens in {setting}"
        )
    price = micro_usd(usd_per_million_tokens, setting, up=True)
    return Price(price, price, as_of=None)


def estimate_tokens(text: str) -> int:
    """Return the UTF-8 bytes of a text, an upper bound of its tokens for a byte-level tokenizer.

    Each such token stands for at least one byte; English prose has about four bytes per token.
    """
    return len(text.encode("utf-8", "surrogatepass"))


def most_tokens(text: str) -> int:
    """Return an upper bound of the tokens of a text for any tokenizer.

    A cost above its reservation stops all spending, so no text may cause one. Some tokenizers
    normalise a text to NFKC first, where one character can become eighteen.
    """
    return max(estimate_tokens(text), estimate_tokens(normalize("NFKC", text)))
