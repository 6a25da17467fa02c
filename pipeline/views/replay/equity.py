"""What the decisions of a replay came to at equal risk, beside the markets held and a coin."""

from typing import Final

from afterword.pipeline.operations.replay_report.model import (
    EquityPart,
    PlaceboEquity,
    ReplayReport,
    RoleEquity,
)
from afterword.pipeline.rules.text.numbers import amount
from afterword.pipeline.views.blocks import Block, Detail, Section, Table, paragraphs
from afterword.pipeline.views.cells import Cell
from afterword.pipeline.views.numbers import NONE, count, percent
from afterword.pipeline.views.pictures import Curves, LineKind, Panel, Picture
from afterword.pipeline.views.replay.words import role_name, span

_COLUMNS: Final = (
    *("role", "decisions", "right", "sum", "a decision", "deepest fall", "held", "coin"),
)


def equity_section(report: ReplayReport) -> list[Block]:
    """Return the section; nothing where no decision has a result."""
    roles = [one for one in report.equity.roles if one.decided.decisions]
    if not roles:
        return []
    counts = Table(
        ("role", "right", "wrong", "inside the band"),
        [[role_name(one.role), one.right, one.wrong, one.noise] for one in roles],
    )
    assumptions = " ".join(assumption_words(report.equity))
    blocks = [
        *paragraphs(equity_words(report)),
        _curves(report, roles),
        Table(_COLUMNS, [_row(one) for one in roles], spare=("deepest fall", "right")),
        *paragraphs([equity_remark(report), assumptions], "quiet"),
        Detail("", [counts, *_placebos(report.equity)]),
    ]
    return [Section("What came of it", blocks, place="equity")]


def equity_words(report: ReplayReport) -> list[str]:
    """Return what the decisions came to, and what a σ is."""
    roles = [one for one in report.equity.roles if one.decided.decisions]
    if not roles:
        return []
    own = [one for one in roles if not one.is_placebo]
    sums = [f"{role_name(one.role)} {sigma(one.decided.total)}" for one in own]
    coin = {one.coin_total for one in own}
    held = {one.held.total for one in own}
    beside = []
    if len(held) == 1:
        beside.append(f"the same markets held {sigma(held.pop())}")
    if len(coin) == 1 and None not in coin:
        beside.append(f"a coin {sigma(coin.pop() or 0.0)}")
    said = []
    if sums:
        rest = f"; {', '.join(beside)}" if beside else ""
        said.append(f"At equal risk, after costs: {', '.join(sums)}{rest}.")
    open_ = max(one.decided.most_open for one in own or roles)
    window = roles[0].window_hours if len({one.window_hours for one in roles}) == 1 else None
    time = "the window of its decision" if window is None else span(window)
    said.append(
        f"σ is the usual move of a market over {time}, as known at the entry; each decision risks "
        f"one. Who risks 1 % of the capital on each earns 1 % where the sum rises by 1 σ; up to "
        f"{count(open_, 'decision')} of a role {'was' if open_ == 1 else 'were'} open at once."
    )
    if report.trips.trips:
        said.append("Round trips are judged by that time too, not by what they earned.")
    return said


def equity_remark(report: ReplayReport) -> str:
    """Return how to read a mean with its error; empty without one."""
    known = [one for one in report.equity.roles if one.decided.mean_error is not None]
    if not known:
        return ""
    luck = f", and one of {len(known)} roles may lie outside by luck" if len(known) > 1 else ""
    return (
        "± is one standard error; decisions that share prices count as fewer. A mean within two "
        f"of them of 0 cannot be told from 0{luck}: this table names no winner."
    )


def assumption_words(part: EquityPart) -> list[str]:
    """Return all assumptions of the equity, with their numbers."""
    trips = ", ".join(
        f"{percent(one.least, 2)} a round trip of {one.asset_class}"
        if one.least == one.most
        else f"{percent(one.least, 2)} to {percent(one.most, 2)} a round trip of {one.asset_class}"
        for one in part.costs
    )
    side = f"{amount(part.fee_bps)} bp fee and {amount(part.slippage_bps)} bp slippage a side"
    said = [
        f"Costs taken off: {', '.join(filter(None, [side, trips]))}. No funding and no interest is "
        "charged or paid. Results add up; nothing is reinvested.",
        "Held: the same markets, times and risk, always long, without costs.",
    ]
    coin = next((one.maker for one in part.placebos if one.is_coin), None)
    if coin is not None:
        said.append(
            f"Coin: the placebo {coin}, long or short by chance at the same times, with the same "
            "costs; its sum is told for as many decisions."
        )
    left = sum(one.unscaled for one in part.roles)
    if left:
        said.append(f"{count(left, 'decision')} left out: their market had not moved before.")
    return said


def sigma(value: float | None, digits: int = 1) -> str:
    """Return a result as `+12.3 σ`, or a dash where it is not known."""
    if value is None:
        return NONE
    written = f"{abs(value):,.{digits}f}"
    is_zero = not float(written.replace(",", ""))
    return f"{'' if is_zero else '−' if value < 0 else '+'}{written} σ"


def mean_words(mean: float | None, error: float | None) -> str:
    """Return a mean with its standard error: `+0.12 ± 0.05 σ`."""
    if mean is None:
        return NONE
    written = sigma(mean, 2)
    return written if error is None else f"{written.removesuffix(' σ')} ± {error:.2f} σ"


def _curves(report: ReplayReport, roles: list[RoleEquity]) -> Picture:
    """Return a panel for each role; the placebos are in every panel, as the coin."""
    own = [one for one in roles if not one.is_placebo] or roles
    legend: dict[LineKind, str] = {
        "own": "the decisions, net of costs",
        "held": "the same markets held",
    }
    if any(one.coin is not None for one in roles):
        legend["coin"] = "a coin, as many decisions"
    head = report.head
    panels = [_panel(one) for one in own]
    return Picture(Curves(panels, head.begins_at, head.reached_at, "σ", legend))


def _panel(one: RoleEquity) -> Panel:
    beside = "" if one.coin_total is None else f", a coin {sigma(one.coin_total)}"
    words = (
        f"{role_name(one.role)}: {sigma(one.decided.total)} after "
        f"{count(one.decided.decisions, 'decision')}, deepest fall {sigma(-one.decided.drawdown)}; "
        f"the same held {sigma(one.held.total)}{beside}"
    )
    coin = () if one.coin is None else one.coin
    return Panel(
        [("held", one.held.points), ("coin", coin), ("own", one.decided.points)],
        words,
        f"{role_name(one.role)}: {sigma(one.decided.total)}",
    )


def _row(one: RoleEquity) -> list[Cell]:
    voted = one.right + one.wrong
    return [
        role_name(one.role),
        one.decided.decisions,
        percent(one.right / voted) if voted else NONE,
        sigma(one.decided.total),
        mean_words(one.decided.mean, one.decided.mean_error),
        sigma(-one.decided.drawdown),
        sigma(one.held.total),
        sigma(one.coin_total),
    ]


def _placebos(part: EquityPart) -> list[Block]:
    if len(part.placebos) < 2:
        return []
    columns = ("placebo", "decisions", "sum", "a decision")
    return [Section("Each placebo", [Table(columns, list(map(_placebo, part.placebos)))])]


def _placebo(one: PlaceboEquity) -> list[Cell]:
    return [
        f"{one.maker} (the coin)" if one.is_coin else one.maker,
        one.decisions,
        sigma(one.total),
        mean_words(one.mean, one.mean_error),
    ]
