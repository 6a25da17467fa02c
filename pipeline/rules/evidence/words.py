"""Words for patterns and reports; every number comes from the record it is given.

A pattern that is not confirmed gets counts, never a judgement.
"""

from datetime import UTC, datetime, timedelta
from typing import Final

from afterword.pipeline.rules.evidence.family import EMERGING_LEVEL
from afterword.pipeline.rules.evidence.habits import HabitReport
from afterword.pipeline.rules.evidence.model import PatternRecord, Setup
from afterword.pipeline.rules.evidence.rates import shrunk_rate

_DIRECTIONS: Final = {"long": "Longs", "short": "Shorts"}
_TRENDS: Final = {
    "down": "after a fall beyond the band",
    "flat": "after a move inside the band",
    "up": "after a rise beyond the band",
}
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)

SEEN_HALF: Final = 60
SEEN_THIRD: Final = 125
"""Stretches by which a setup-wide flaw is found, that turns half or a third of the hits. Measured:
66-75 % are found by the first, 55 % of those of 30 % by the second."""


def setup_name(setup: Setup) -> str:
    """Return the words for a setup: "Longs after a rise beyond the band"."""
    return f"{_DIRECTIONS[setup.direction]} {_TRENDS[setup.trend]}"


def pattern_line(record: PatternRecord, class_label: str = "") -> str:
    """Return the record of a pattern in one line, counts only.

    Args:
        class_label: plural of the asset class, such as "coins"; named if the scope is the class.
    """
    setup = setup_name(record.hypothesis.setup)
    since = "" if record.first_at is None else f"; since {_month(record.first_at)}"
    assets = record.scope.assets
    if record.scope.is_class or not assets:
        label = f", all {class_label}" if record.scope.is_class and class_label else ""
        own = _counted(record.hits, record.n_eff, record.expected)
        return f"{setup}{label}: {own}{_moved(record.mean_residual, record.cost_micro_usd)}{since}"
    parts = []
    for asset in assets:
        one = record.asset_evidence[asset]
        own = _counted(one.hits, one.n_eff, one.expected)
        parts.append(f"{asset} {own}{_moved(one.mean_residual, one.cost_micro_usd)}")
    return f"{setup}, {'; '.join(parts)}{since}"


def expectation(record: PatternRecord) -> str:
    """Return what to expect next, shrunk, and the record since the pattern was confirmed."""
    assets = record.scope.assets
    if record.scope.is_class or not assets:
        said = f"Expect about {_percent(record.shrunk_rate)} next (shrunk)."
    else:
        rates = {
            asset: shrunk_rate(one.hits, one.expected, one.n_eff)
            for asset, one in record.asset_evidence.items()
            if asset in assets
        }
        listed = ", ".join(f"{asset} {_percent(rate)}" for asset, rate in rates.items())
        said = f"Expect about {listed} next (shrunk)."
    if record.since is not None:
        since = record.since
        said += f" Since confirmation: {_counted(since.hits, since.n_eff, since.expected)}."
    return said


def pattern_text(record: PatternRecord, class_label: str = "") -> str:
    """Return what may be said of a pattern in its state.

    Args:
        class_label: plural of the asset class, such as "coins".
    """
    if record.state == "confirmed":
        return (
            f"{pattern_line(record, class_label)}. Chance finds something like this in at most 1 "
            f"of {_one_in(record.level)} such roles, however often you look. {expectation(record)}"
        )
    if record.state == "emerging":
        needed = record.stretches_needed
        wait = f" About {needed:,} more stretches decide." if needed else ""
        return (
            f"{pattern_line(record, class_label)}. A hint, not a lesson: one role in "
            f"{_one_in(max(record.level, EMERGING_LEVEL))} shows one by luck.{wait}"
        )
    if record.state == "retired" and record.retired_at is not None:
        return (
            f"{pattern_line(record, class_label)}. Not told since {_day(record.retired_at)}: later "
            "results looked like the base again."
        )
    return f"{pattern_line(record, class_label)}. {nothing_text(record.n_eff)}"


def nothing_text(n_eff: int) -> str:
    """Return the words for a setup about which nothing can be said.

    Args:
        n_eff: its stretches that voted; count.
    """
    return (
        f"Nothing can be told apart from luck yet: {n_eff:,} stretches. A setup that turns half of "
        f"its hits would be seen by about {SEEN_HALF}, one that turns a third by about "
        f"{SEEN_THIRD}."
    )


def report_opening(report: HabitReport) -> str:
    """Return how many cuts of the trades were tried, and how often chance names anything."""
    return (
        f"{report.tried:,} ways of cutting your trades were tried. By chance 1 report in "
        f"{_one_in(report.level)} would name anything."
    )


def _counted(hits: float, n_eff: int, expected: float) -> str:
    return f"{_number(hits)} of {n_eff:,} (base {_number(expected)})"


def _moved(residual: float | None, cost_micro_usd: int | None) -> str:
    said = ""
    if residual is not None:
        said += f", mean {_signed(residual * 100, 1)} % beyond the market"
    if cost_micro_usd is not None:
        said += f", {_dollars(cost_micro_usd)}"
    return said


def _number(value: float) -> str:
    return f"{value:,.1f}".removesuffix(".0")


def _signed(value: float, digits: int) -> str:
    text = f"{abs(value):,.{digits}f}"
    is_zero = not text.strip("0.,")
    return text if is_zero else f"{'−' if value < 0 else '+'}{text}"


def _dollars(micro_usd: int) -> str:
    dollars = (abs(micro_usd) + 500_000) // 1_000_000
    sign = "" if not dollars else "−" if micro_usd < 0 else "+"
    return f"{sign}${dollars:,}"


def _percent(share: float) -> str:
    return f"{share * 100:.0f} %"


def _one_in(level: float) -> str:
    return f"{1 / level:.0f}"


def _month(moment: int) -> str:
    return f"{_EPOCH + timedelta(microseconds=moment):%Y-%m}"


def _day(moment: int) -> str:
    return f"{_EPOCH + timedelta(microseconds=moment):%Y-%m-%d}"
