"""The trading summary in words by template: every figure with its n, and what it does not say."""

from collections.abc import Mapping
from typing import Final

from afterword.pipeline.domain.memory.flags import families_of
from afterword.pipeline.domain.rebuilds.figures import (
    GROUPS,
    ChainFigures,
    NetOf,
    RecordedFigures,
    ReferenceWallet,
    SummaryFigures,
    TripFigures,
)
from afterword.pipeline.domain.trades.profile import TradingActivity
from afterword.pipeline.rules.evidence.rates import wilson_interval
from afterword.pipeline.rules.text.line import one_line
from afterword.pipeline.rules.text.numbers import dollars, percent, signed_dollars

HEADLINE: Final = "platform"
REFERENCE_SECTION: Final = "reference"

SECTIONS: Final = (HEADLINE, *GROUPS, REFERENCE_SECTION)
"""What the summary is told in: all round trips, each group of markets, the reference wallets."""

SOURCES_OF_SECTION: Final = ("trips", "fills", "recorded", "on_chain", "wallets")
"""Where the parts of a section come from, in the order in which they are told."""

MOST_NAMES: Final = 3
"""Markets that a sentence names: those with the most trades, or the best and the worst."""

_LONGEST_NAME: Final = 24
"""Characters of the name of a market or a wallet."""

WITHHELD_NAME: Final = "a market whose name is withheld"

_FEW_TRIPS: Final = 30
"""Round trips below which the interval of the share is told: it is wider than ± 0.17."""


def summary_parts(figures: SummaryFigures) -> dict[str, str]:
    """Return the parts of the summary, by section and source; of what was read, all of them."""
    parts: dict[str, str] = {}
    if figures.all_trips is not None:
        parts[f"{HEADLINE}.trips"] = headline(figures.all_trips, figures)
    for group in GROUPS:
        if figures.trips is not None:
            parts[f"{group}.trips"] = _of_trips(figures.trips[group], figures.all_trips)
        if figures.fills is not None:
            parts[f"{group}.fills"] = _of_fills(figures.fills[group])
        if figures.recorded is not None:
            parts[f"{group}.recorded"] = _of_recorded(figures.recorded[group])
    if figures.on_chain is not None:
        parts["spot.on_chain"] = _of_chains(figures.on_chain)
    if figures.references is not None:
        more = figures.references.more
        told = [_of_wallet(wallet, figures) for wallet in figures.references.wallets]
        parts[f"{REFERENCE_SECTION}.wallets"] = " ".join(
            [*told, *([f"{more:,} more wallets are not told of."] if more else [])]
        )
    return parts


def headline(trips: TripFigures, figures: SummaryFigures) -> str:
    """Return what all round trips came to: the net after costs first, with its n."""
    window = f"the {figures.days} days to {figures.until:%Y-%m-%d}"
    if not trips.trips and not trips.incomplete:
        return f"No round trip closed in {window}."
    if not trips.trips:
        return f"No round trip that is known whole closed in {window}; {_incomplete(trips)}."
    said = [
        f"{_count(trips.trips, 'round trip')} closed in {window}, {trips.won:,} won "
        f"({percent(trips.won / trips.trips)}): net {signed_dollars(trips.net)}{_after(trips)}."
    ]
    if trips.gross is not None and trips.fees is not None:
        said.append(_costs(trips))
    if trips.trips < _FEW_TRIPS:
        low, high = wilson_interval(trips.won, trips.trips)
        interval = f"{percent(low)} to {percent(high)}"
        said.append(f"So few leave the true share of winners anywhere from {interval}.")
    if trips.average_win is not None and trips.average_loss is not None:
        win, loss = signed_dollars(trips.average_win), signed_dollars(trips.average_loss)
        said.append(f"An average winner came to {win}, an average loser to {loss}.")
    if len(trips.by_market) > 1:
        best, worst = trips.by_market[0], trips.by_market[-1]
        said.append(f"Best: {_net(best)}; worst: {_net(worst)}.")
    if trips.longs.trips and trips.shorts.trips:
        said.append(f"Longs: {_amount(trips.longs)}; shorts: {_amount(trips.shorts)}.")
    if trips.in_other_money:
        said.append(f"{trips.in_other_money:,} of them are not in dollars, and in no amount.")
    if trips.incomplete:
        said.append(f"{_incomplete(trips)}.")
    return " ".join(said)


def composed(section_texts: Mapping[str, str]) -> str | None:
    """Return the texts of the sections as one string, as R3 has it: `Spot:` and `Perps:`.

    Args:
        section_texts: by section; without `reference`, which has a field of its own.
    """
    lines = [section_texts.get(HEADLINE, "")]
    lines += [
        f"{group.capitalize()}: {section_texts[group]}"
        for group in GROUPS
        if section_texts.get(group)
    ]
    return "\n".join(line for line in lines if line) or None


def names_of(figures: SummaryFigures) -> frozenset[str]:
    """Return the names that the summary may tell: of markets, tokens and wallets, as written."""
    names: set[str] = set()
    if figures.all_trips is not None:
        names.update(market.name for market in figures.all_trips.by_market)
    for activity in (figures.fills or {}).values():
        names.update(symbol.symbol for symbol in activity.top_symbols)
    if figures.on_chain is not None:
        names.update(token for token, _ in figures.on_chain.tokens[:MOST_NAMES])
    if figures.references is not None:
        for wallet in figures.references.wallets:
            names.update((wallet.name, *(market for market, _ in wallet.markets[:MOST_NAMES])))
    return frozenset(map(_name, names))


def _of_trips(trips: TripFigures, together: TripFigures | None) -> str:
    """Return what the round trips of one group came to; no more where they are all there is."""
    if not trips.trips:
        return f"{_incomplete(trips)}." if trips.incomplete else ""
    net = signed_dollars(trips.net)
    share = percent(trips.won / trips.trips)
    said = f"{_count(trips.trips, 'round trip')}, {trips.won:,} won ({share}), net {net}."
    if len(trips.by_market) > 1 and trips != together:
        best, worst = trips.by_market[0], trips.by_market[-1]
        said += f" Best: {_net(best)}; worst: {_net(worst)}."
    return said


def _of_fills(activity: TradingActivity) -> str:
    if not activity.trade_count:
        return ""
    top = ", ".join(
        f"{_name(symbol.symbol)} ({symbol.count:,}, {dollars(symbol.volume_micro_usd)})"
        for symbol in activity.top_symbols[:MOST_NAMES]
    )
    said = [f"{_count(activity.trade_count, 'fill')}, most in {top}."]
    if activity.long_count or activity.short_count:
        said.append(f"{activity.long_count:,} of longs, {activity.short_count:,} of shorts.")
    if activity.average_trade_size_micro_usd is not None:
        said.append(f"An average fill is worth {dollars(activity.average_trade_size_micro_usd)}.")
    if activity.win_rate_fills is not None:
        share = percent(activity.win_rate_fills)
        said.append(
            f"win_rate_fills: {share} of {activity.closing_fills:,} closing fills, before fees; "
            "it flatters, as a loser closes in few fills and a winner in many."
        )
    if activity.last_traded_at is not None:
        said.append(f"Last on {activity.last_traded_at:%Y-%m-%d}.")
    return " ".join(said)


def _of_recorded(recorded: RecordedFigures) -> str:
    if not recorded.trades and not recorded.closed:
        return ""
    unlinked = "which fills they are cannot be read now"
    known = "no fill of them is known" if recorded.is_linked else unlinked
    said = f"Agents recorded {_count(recorded.trades, 'trade')}; {known}."
    if recorded.closed:
        said += (
            f" {_count(recorded.closed, 'round trip')} of these, {recorded.won:,} won, "
            f"net {signed_dollars(recorded.net)} as the agent says."
        )
    return said


def _of_chains(chains: ChainFigures) -> str:
    totals = chains.totals
    if not totals.swaps and not totals.transfers:
        return ""
    said = []
    if totals.swaps:
        top = ", ".join(f"{_name(token)} ({n:,})" for token, n in chains.tokens[:MOST_NAMES])
        said.append(f"{_count(totals.swaps, 'swap')} on chains, most in {top}.")
        known = sum(totals.with_dollars.values())
        if known:
            micro_usd = round(sum(totals.usd.values()) * 1_000_000)
            said.append(f"{known:,} of them have known dollars, {dollars(micro_usd)} together.")
        if totals.swaps - known:
            said.append(f"{totals.swaps - known:,} have none.")
    if totals.transfers:
        said.append(f"{_count(totals.transfers, 'transfer')} on chains.")
    return " ".join(said)


def _of_wallet(wallet: ReferenceWallet, figures: SummaryFigures) -> str:
    window = f"the {figures.days} days to {figures.until:%Y-%m-%d}"
    trips, name = wallet.trips, _name(wallet.name)
    if not trips.trips and not wallet.markets:
        return f"{name}: no trade in {window} is known."
    said = f"{name}: {_count(trips.trips, 'round trip')} in {window}"
    if trips.trips:
        share = percent(trips.won / trips.trips)
        said += f", {trips.won:,} won ({share}), net {signed_dollars(trips.net)}{_after(trips)}"
    if wallet.markets:
        top = ", ".join(f"{_name(market)} ({n:,})" for market, n in wallet.markets[:MOST_NAMES])
        said += f"; most fills in {top}"
    return f"{said}."


def _after(trips: TripFigures) -> str:
    """Return after which costs a net is."""
    missing = " and ".join(cost.replace("_", " ") for cost in trips.not_in_net)
    if not missing:
        return " after fees and funding"
    return f" after costs as far as they are known: of some nobody says the {missing}"


def _costs(trips: TripFigures) -> str:
    assert trips.gross is not None and trips.fees is not None
    said = f"Before costs they came to {signed_dollars(trips.gross)}; fees were {_paid(trips.fees)}"
    if trips.funding is not None:
        said += f", funding {signed_dollars(trips.funding)}"
    if trips.gross > 0 > trips.net:
        said += ": costs turned a gain into a loss"
    return f"{said}."


def _paid(fees: int) -> str:
    return f"−{dollars(fees)}" if fees < 0 else dollars(fees)


def _incomplete(trips: TripFigures) -> str:
    return f"{_count(trips.incomplete, 'round trip')} lack fills and are in no figure"


def _net(part: NetOf) -> str:
    return f"{_name(part.name)} {_amount(part)}"


def _amount(part: NetOf) -> str:
    return f"{signed_dollars(part.net_micro_usd)} (n = {part.trips:,})"


def _name(name: str) -> str:
    """Return a name of others as a summary may hold it: short, and no order to the agent."""
    line = one_line(name, _LONGEST_NAME)
    return WITHHELD_NAME if not line or families_of(line, one_line(name)) else line


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun if number == 1 else noun + 's'}"
