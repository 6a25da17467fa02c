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
    roles = [role for role in report.equity.roles if role.decided.decisions]
    if not roles:
        return []
    counts = Table(
        ("role", "right", "wrong", "inside the band"),
        [[role_name(role.role), role.right, role.wrong, role.noise] for role in roles],
    )
    assumptions = " ".join(assumption_words(report.equity))
    blocks = [
        *paragraphs(equity_words(report)),
        _curves(report, roles),
        Table(_COLUMNS, [_row(role) for role in roles], spare=("deepest fall", "right")),
        *paragraphs([equity_remark(report), assumptions], "quiet"),
        Detail("", [counts, *_placebos(report.equity)]),
    ]
    return [Section("What came of it", blocks, place="equity")]


def equity_words(report: ReplayReport) -> list[str]:
    """Return what the decisions came to, and what a σ is."""
    roles = [role for role in report.equity.roles if role.decided.decisions]
    if not roles:
        return []
    own = [role for role in roles if not role.is_placebo]
    sums = [f"{role_name(role.role)} {sigma(role.decided.total)}" for role in own]
    coin = {role.coin_total for role in own}
    held = {role.held.total for role in own}
    beside = []
    if len(held) == 1:
        beside.append(f"the same markets held {sigma(held.pop())}")
    if len(coin) == 1 and None not in coin:
        beside.append(f"a coin {sigma(coin.pop() or 0.0)}")
    sentences = []
    if sums:
        rest = f"; {', '.join(beside)}" if beside else ""
        sentences.append(f"At equal risk, after costs: {', '.join(sums)}{rest}.")
    open_ = max(role.decided.most_open for role in own or roles)
    window = roles[0].window_hours if len({role.window_hours for role in roles}) == 1 else None
    time = "the window of its decision" if window is None else span(window)
    sentences.append(
        f"σ is the usual move of a market over {time}, as known at the entry; each decision risks "
        f"one. Who risks 1 % of the capital on each earns 1 % where the sum rises by 1 σ; up to "
        f"{count(open_, 'decision')} of a role {'was' if open_ == 1 else 'were'} open at once."
    )
    if report.trips.trips:
        sentences.append("Round trips are judged by that time too, not by what they earned.")
    return sentences


def equity_remark(report: ReplayReport) -> str:
    """Return how to read a mean with its error; empty without one."""
    known = [role for role in report.equity.roles if role.decided.mean_error is not None]
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
        f"{percent(cost.least, 2)} a round trip of {cost.asset_class}"
        if cost.least == cost.most
        else f"{percent(cost.least, 2)} to {percent(cost.most, 2)} a round trip of "
        f"{cost.asset_class}"
        for cost in part.costs
    )
    side = f"{amount(part.fee_bps)} bp fee and {amount(part.slippage_bps)} bp slippage a side"
    sentences = [
        f"Costs taken off: {', '.join(filter(None, [side, trips]))}. No funding and no interest is "
        "charged or paid. Results add up; nothing is reinvested.",
        "Held: the same markets, times and risk, always long, without costs.",
    ]
    coin = next((placebo.maker for placebo in part.placebos if placebo.is_coin), None)
    if coin is not None:
        sentences.append(
            f"Coin: the placebo {coin}, long or short by chance at the same times, with the same "
            "costs; its sum is told for as many decisions."
        )
    left = sum(role.unscaled for role in part.roles)
    if left:
        sentences.append(f"{count(left, 'decision')} left out: their market had not moved before.")
    return sentences


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
    own = [role for role in roles if not role.is_placebo] or roles
    legend: dict[LineKind, str] = {
        "own": "the decisions, net of costs",
        "held": "the same markets held",
    }
    if any(role.coin is not None for role in roles):
        legend["coin"] = "a coin, as many decisions"
    head = report.head
    panels = [_panel(role) for role in own]
    return Picture(Curves(panels, head.begins_at, head.reached_at, "σ", legend))


def _panel(role: RoleEquity) -> Panel:
    beside = "" if role.coin_total is None else f", a coin {sigma(role.coin_total)}"
    words = (
        f"{role_name(role.role)}: {sigma(role.decided.total)} after "
        f"{count(role.decided.decisions, 'decision')}, deepest fall "
        f"{sigma(-role.decided.drawdown)}; the same held {sigma(role.held.total)}{beside}"
    )
    coin = () if role.coin is None else role.coin
    return Panel(
        [("held", role.held.points), ("coin", coin), ("own", role.decided.points)],
        words,
        f"{role_name(role.role)}: {sigma(role.decided.total)}",
    )


def _row(role: RoleEquity) -> list[Cell]:
    voted = role.right + role.wrong
    return [
        role_name(role.role),
        role.decided.decisions,
        percent(role.right / voted) if voted else NONE,
        sigma(role.decided.total),
        mean_words(role.decided.mean, role.decided.mean_error),
        sigma(-role.decided.drawdown),
        sigma(role.held.total),
        sigma(role.coin_total),
    ]


def _placebos(part: EquityPart) -> list[Block]:
    if len(part.placebos) < 2:
        return []
    columns = ("placebo", "decisions", "sum", "a decision")
    return [Section("Each placebo", [Table(columns, list(map(_placebo, part.placebos)))])]


def _placebo(placebo: PlaceboEquity) -> list[Cell]:
    return [
        f"{placebo.maker} (the coin)" if placebo.is_coin else placebo.maker,
        placebo.decisions,
        sigma(placebo.total),
        mean_words(placebo.mean, placebo.mean_error),
    ]
