"""Files of what a wallet did on a chain: swaps and transfers by transaction."""

from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from afterword.pipeline.domain.documents.cells import Cells, cells_of, has_columns
from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.layouts.layout import Item, Layout, LeftOut, Origin
from afterword.pipeline.domain.spot.checks import check_chain
from afterword.pipeline.domain.spot.model import SpotActivity, SpotStatus, SpotType
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.tabular.numbers import is_blank

_SWAPS: Final = (
    "tx_hash",
    "ts_ms",
    "type",
    "from_token",
    "from_amount",
    "to_token",
    "to_amount",
)
_TYPES: Final[dict[str, SpotType]] = {"swap": "swap", "transfer": "transfer"}
_TOOK_EFFECT: Final = ("confirmed", "success", "ok", "1")
_FAILED: Final = ("failed", "reverted", "error", "0")
_LONGEST_MS: Final = 15


def _swaps(document: Document, origin: Origin) -> Iterator[Item]:
    """Yield what the wallet swapped and moved; a file without `status` holds what took effect.

    Further columns that are read where they stand: `chain`, `status`, and the gas, in the coin of
    the chain, as `gas_cost_eth` or `gas`.
    """
    chain = check_chain(origin.chain, "chain")
    for row in cells_of(document, *_SWAPS):
        type_ = _TYPES.get(row.text("type").lower())
        if type_ is None:
            yield LeftOut(row.line, "no swap and no transfer")
            continue
        _check_width(row)
        from_token, from_amount = _side(row, "from")
        to_token, to_amount = _side(row, "to")
        written = row.text("chain")
        tx_hash = row.text("tx_hash").strip()
        yield SpotActivity(
            account=origin.account,
            chain=check_chain(written, f"{row.name}: line {row.line}: chain") if written else chain,
            tx_hash=tx_hash.lower() if tx_hash[:2].lower() == "0x" else tx_hash,
            time_ms=_millis(row),
            type=type_,
            from_token=from_token,
            from_amount=from_amount,
            to_token=to_token,
            to_amount=to_amount,
            gas=_gas(row),
            status=_status(row),
            raw=row.raw(),
            line=row.line,
        )


def _side(row: Cells, side: str) -> tuple[str | None, Decimal | None]:
    token = row.text(f"{side}_token").strip()
    if token:
        return token, row.price(f"{side}_amount")
    if row.number_or_zero(f"{side}_amount"):  # of what, nobody says: it must not be lost
        raise row.refusal(f"{side}_token", f"the name of a token, or no {side}_amount")
    return None, None


def _check_width(row: Cells) -> None:
    """Refuse a row longer than its header: a number with a comma may have made two cells."""
    if any(map(str.strip, row.cells[len(row.header) :])):
        accepted = "a cell for each column; a number with a comma in quotes"
        raise InvalidInputError(
            f"{row.name}: line {row.line}", "has more cells than the header", accepted
        )


def _millis(row: Cells) -> int:
    text = row.text("ts_ms").strip()
    if not (text.isascii() and text.isdigit() and len(text) <= _LONGEST_MS):
        raise row.refusal("ts_ms", "UTC milliseconds since 1970: 1607465308000")
    return int(text)


def _status(row: Cells) -> SpotStatus:
    word = row.text("status").strip().lower()
    if not word or word in _TOOK_EFFECT:
        return "confirmed"
    if word in _FAILED:
        return "failed"
    raise row.refusal("status", ", ".join((*_TOOK_EFFECT, *_FAILED)))


def _gas(row: Cells) -> Decimal | None:
    for column in ("gas_cost_eth", "gas"):
        if not is_blank(row.text(column)):
            return row.price(column)
    return None


LAYOUTS: Final = (
    Layout(
        "wallet-swaps",
        "wallet",
        "Wallet on a chain, swaps and transfers by transaction",
        _SWAPS,
        has_columns(*_SWAPS),
        _swaps,
        is_of_wallet=True,
    ),
)
