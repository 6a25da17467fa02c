"""What the owner's accounts hold together."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from afterword.pipeline.domain.accounts.model import Account
from afterword.pipeline.domain.capital.model import CapitalMetrics, CapitalPart, MissingPart
from afterword.pipeline.domain.capital.refresh import CapitalRefresh
from afterword.pipeline.domain.capital.tiers import TIER_BOUNDS_USD
from afterword.pipeline.views.blocks import Block, Fields, Paragraph, Table, View, paragraphs
from afterword.pipeline.views.numbers import money
from afterword.pipeline.views.words import moment

_COLUMNS: Final = ("account", "part", "value", "known", "state")
_PARTS: Final = {"spot": "spot", "perp": "perpetuals"}


def capital_view(
    capital: CapitalMetrics | None,
    missing: Sequence[MissingPart],
    uncounted: Sequence[Account] = (),
) -> View:
    """Return a capital, and what there is no sum without.

    Args:
        missing: parts of accounts that were never told.
        uncounted: own accounts that no capital counts.
    """
    words = [*map(_missing_words, missing), *_uncounted_words(uncounted)]
    if capital is None and missing:
        return View([Paragraph("No capital is known yet."), *paragraphs(words, "warning")])
    return View([*_capital(capital), *paragraphs(words, "warning")])


def capital_done(done: CapitalRefresh) -> View:
    """Return what a run came to."""
    shown = capital_view(done.capital, done.missing)
    if done.rests_until is None:
        return shown
    rests = f"Nothing was asked: the last look is young, until {moment(done.rests_until)}."
    return View([*shown.blocks, Paragraph(rests)])


def _capital(capital: CapitalMetrics | None) -> list[Block]:
    if capital is None:
        return [Paragraph("No capital is known. `afterword account add NAME 0x… --own` adds one.")]
    fields = {
        "capital": f"{_usd(capital.capital_total_micro_usd)}, {_tier_words(capital)}",
        "spot": _usd(capital.spot_holdings_micro_usd),
        "perpetuals": _usd(capital.perp_value_micro_usd),
        "computed": moment(capital.computed_at),
    }
    if capital.kept_since is not None:
        fields["kept since"] = moment(capital.kept_since)
    if capital.unpriced:
        fields["not counted"] = f"no price of {', '.join(capital.unpriced)}"
    return [Fields(fields), Table(_COLUMNS, list(map(_row, capital.parts)))]


def _tier_words(capital: CapitalMetrics) -> str:
    place = int(capital.tier.removeprefix("tier_")) - 1
    if place == 0:
        return f"{capital.tier}: below ${TIER_BOUNDS_USD[0]:,}"
    if place == len(TIER_BOUNDS_USD):
        return f"{capital.tier}: ${TIER_BOUNDS_USD[-1]:,} and more"
    low, high = TIER_BOUNDS_USD[place - 1 : place + 1]
    return f"{capital.tier}: ${low:,} to ${high:,}"


def _row(part: CapitalPart) -> list[str]:
    state = "" if part.kept_because is None else f"kept: {part.kept_because}"
    value, known_at = _usd(part.value_micro_usd), moment(part.known_at)
    return [part.account, _PARTS[part.part], value, known_at, state]


def _uncounted_words(accounts: Sequence[Account]) -> list[str]:
    names = ", ".join(f"{account.name} ({account.venue})" for account in accounts)
    return [f"Not counted: {names}. Only Hyperliquid is asked what it holds."] if names else []


def _usd(micro_usd: int) -> str:
    """Return dollars to the cent: the parts add up, and a tier is not left by rounding."""
    return money(Decimal(micro_usd).scaleb(-6), "USD", is_signed=False)


def _missing_words(part: MissingPart) -> str:
    return f"{part.account}, {_PARTS[part.part]}: {part.error}. Without it there is no new sum."
