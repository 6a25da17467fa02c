"""What wallets did on chains: activities below each other, and what they come to."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final

from afterword.pipeline.clock import from_millis, iso
from afterword.pipeline.domain.spot.model import SpotActivity, SpotCounts, StoredActivity
from afterword.pipeline.domain.spot.totals import SpotTotals
from afterword.pipeline.rules.market.decimals import plain
from afterword.pipeline.views.blocks import Block, Fields, Paragraph, Table, View

_COLUMNS: Final = (
    *("time", "account", "chain", "type", "gave", "got"),
    *("usd", "by", "gas", "transaction"),
)
_BASIS: Final = {"stable_leg": "a side in dollars", "price": "a price of then"}
_MOST_NAMED: Final = 6


def spot_kept(counts: SpotCounts, totals: SpotTotals) -> list[Block]:
    """Return what an import of wallets' files did, and what is stored of all wallets."""
    done: dict[str, str | int] = {"spot new": counts.new, "spot known": counts.known}
    if counts.priced:
        done["priced now"] = counts.priced
    return [Fields(done), Fields(total_fields(totals)), *_unpriced(totals)]


def spot_list(
    shown: Sequence[StoredActivity], totals: SpotTotals, *, is_narrowed: bool = False
) -> View:
    """Return activities below each other, and what all that were asked for come to.

    Args:
        is_narrowed: others are stored, which nobody asked for.
    """
    rows = [_row(stored) for stored in shown]
    empty = "no swaps of a wallet yet; see `afterword history import --help`"
    if is_narrowed:
        empty = "nothing fits these options; `afterword history spot` lists all that is stored"
    spare = ("gas", "transaction", "chain", "account")
    blocks: list[Block] = [Table(_COLUMNS, rows, empty, spare=spare)]
    if rows:
        blocks += [Fields(total_fields(totals)), *_unpriced(totals)]
    return View(blocks)


def spot_values(stored: StoredActivity) -> dict[str, object]:
    """Return an activity as JSON has it."""
    activity, value = stored.activity, stored.value
    return {
        "account": activity.account,
        "chain": activity.chain,
        "tx_hash": activity.tx_hash,
        "leg": stored.leg,
        "at": iso(from_millis(activity.time_ms)),
        "type": activity.type,
        "from_token": activity.from_token,
        "from_amount": _written(activity.from_amount),
        "to_token": activity.to_token,
        "to_amount": _written(activity.to_amount),
        "gas": _written(activity.gas),
        "status": activity.status,
        "value_usd": None if value is None else plain(value.usd),
        "basis": None if value is None else value.basis,
        "price_token": None if value is None else value.price_token,
        "price": None if value is None else _written(value.price),
        "price_at": None if value is None or value.price_at is None else iso(value.price_at),
    }


def total_values(totals: SpotTotals) -> dict[str, object]:
    """Return totals as JSON has them."""
    return {
        "swaps": totals.swaps,
        "with_dollars": dict(sorted(totals.with_dollars.items())),
        "usd": {basis: plain(usd) for basis, usd in sorted(totals.usd.items())},
        "without_dollars": dict(sorted(totals.without_dollars.items())),
        "unpriced": dict(sorted(totals.unpriced.items())),
        "transfers": totals.transfers,
        "failed": totals.failed,
        "shared": totals.shared,
    }


def total_fields(totals: SpotTotals) -> dict[str, str | int]:
    """Return totals as names and what is said of each; what is 0 is left out, but the swaps."""
    fields: dict[str, str | int] = {"swaps": totals.swaps}
    for basis, count in sorted(totals.with_dollars.items(), reverse=True):
        fields[f"by {_BASIS[basis]}"] = f"{count:,}, {totals.usd[basis]:,.2f} USD"
    for why, count in sorted(totals.without_dollars.items()):
        fields[f"no dollars: {why}"] = count
    counts = {
        "transfers": totals.transfers,
        "failed": totals.failed,
        "in two of your wallets": totals.shared,
    }
    return fields | {name: count for name, count in counts.items() if count}


def _unpriced(totals: SpotTotals) -> list[Block]:
    if not totals.unpriced:
        return []
    named = sorted(totals.unpriced, key=lambda name: (-totals.unpriced[name], name))[:_MOST_NAMED]
    counts = ", ".join(f"{name} ({totals.unpriced[name]:,})" for name in named)
    return [
        Paragraph(
            f"Swaps of known coins without a stored price of then: {counts}. Store prices that "
            "reach that far back, `afterword prices import FILE`, and import a wallet's file "
            "again: its swaps get their dollars."
        )
    ]


def _row(stored: StoredActivity) -> list[str]:
    activity, value = stored.activity, stored.value
    if value is None:
        usd, basis = "-", "failed" if activity.status == "failed" else "-"
    else:
        usd = f"{value.usd:,.2f}"
        basis = value.basis if value.price_token is None else f"{value.basis} {value.price_token}"
    return [
        iso(from_millis(activity.time_ms)),
        *(activity.account, activity.chain, activity.type),
        *_sides(activity),
        *(usd, basis.replace("_", " ")),
        _written(activity.gas) or "-",
        activity.tx_hash,
    ]


def _sides(activity: SpotActivity) -> tuple[str, str]:
    gave = f"{_written(activity.from_amount)} {activity.from_token}"
    got = f"{_written(activity.to_amount)} {activity.to_token}"
    return gave if activity.from_token else "-", got if activity.to_token else "-"


def _written(amount: Decimal | None) -> str | None:
    return None if amount is None else plain(amount)
