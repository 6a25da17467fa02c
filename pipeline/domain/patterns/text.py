"""The text of a pattern by template: what was counted, against what, and how sure that is."""

from typing import Final

from afterword.pipeline.domain.patterns.model import MAX_TEXT, PatternKey, PatternNumbers
from afterword.pipeline.rules.evidence.model import PatternState
from afterword.pipeline.rules.text.line import one_line

_BEFORE: Final = {
    "up": "after a rise beyond the band",
    "down": "after a fall beyond the band",
    "flat": "after no move beyond the band",
}
_DIRECTIONS: Final = {"long": "longs", "short": "shorts"}
_MOST_NAMED: Final = 8
"""Assets that a text names."""


def template_text(
    key: PatternKey,
    state: PatternState,
    is_class: bool,
    assets: tuple[str, ...],
    numbers: PatternNumbers,
) -> str:
    """Return the text of a stored pattern, on one line.

    Args:
        assets: those it may be told of in any case.
    """
    about = f"{_DIRECTIONS[key.direction]} {_BEFORE[key.trend]}, {_scope(key, is_class, assets)}"
    counts = _counts(numbers)
    match state:
        case "confirmed":
            lead = "Failing" if key.side == "failing" else "Works"
            text = f"{lead}: {about}: {counts}. {_sureness(numbers)}"
        case "retired":
            text = (
                f"No longer holds: {about}: {counts}. It was confirmed, and what came after spoke"
                f" against it{_month(' in ', numbers.retired_at)}."
            )
        case _:
            text = f"A hint, not a lesson: {about}: {counts}. {_decided_by(numbers)}"
    return one_line(text, MAX_TEXT)


def _scope(key: PatternKey, is_class: bool, assets: tuple[str, ...]) -> str:
    """Name the assets it may be told of."""
    shown = [one_line(name, 40) for name in assets[:_MOST_NAMED]]
    more = len(assets) - len(shown)
    names = ", ".join(shown) + (f" and {more} more" if more else "")
    if is_class:
        return f"all of {key.asset_class}" + (f", most of all {names}" if names else "")
    return names or f"in {key.asset_class}, no single asset"


def _counts(numbers: PatternNumbers) -> str:
    """Tell what was counted, and what would be without skill."""
    parts = [
        f"right {number_text(numbers.hits)} of {number_text(numbers.n_eff)} stretches"
        f" ({number_text(numbers.n)} decisions, base {number_text(numbers.expected)})",
        f"95 % interval {percent(numbers.low)} to {percent(numbers.high)} %",
    ]
    if numbers.mean_residual is not None:
        parts.append(f"mean {signed_percent(numbers.mean_residual)} % beyond the market")
    if numbers.cost_micro_usd:
        word = "lost" if numbers.cost_micro_usd < 0 else "earned"
        parts.append(f"{word} {dollars(numbers.cost_micro_usd)}")
    return ", ".join(parts) + _month(", since ", numbers.first_at)


def _sureness(numbers: PatternNumbers) -> str:
    text = (
        "Chance finds something like this in at most 1 of"
        f" {number_text(1 / numbers.level)} such roles, however often you look."
        f" Expect about {percent(numbers.shrunk)} % next (shrunk)."
    )
    if not numbers.since_n or numbers.since_hits is None or numbers.since_expected is None:
        return text
    return (
        f"{text} Since confirmation: {number_text(numbers.since_hits)} of"
        f" {number_text(numbers.since_n)} (base {number_text(numbers.since_expected)})."
    )


def _decided_by(numbers: PatternNumbers) -> str:
    text = "One role in five shows one by luck."
    if numbers.stretches_needed is None:
        return text
    return f"{text} About {number_text(numbers.stretches_needed)} more stretches decide."


def number_text(value: float) -> str:
    """Return a count with at most one decimal, and commas between thousands."""
    rounded = round(value, 1)
    return f"{rounded:,.0f}" if rounded == int(rounded) else f"{rounded:,.1f}"


def percent(share: float) -> str:
    """Return a share in per cent, without the sign."""
    return f"{share * 100:.0f}"


def signed_percent(share: float) -> str:
    """Return a share in per cent with one decimal and its sign."""
    return f"{share * 100:+.1f}".replace("-", "−")


def dollars(micro_usd: int) -> str:
    """Return an amount without its sign; cents below 100 USD."""
    usd = abs(micro_usd) / 1_000_000
    return f"${usd:,.0f}" if usd >= 100 else f"${usd:,.2f}"


def _month(before: str, moment: object) -> str:
    return "" if moment is None else f"{before}{moment:%Y-%m}"
