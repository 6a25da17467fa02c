"""What wallets did in tests: swaps as values, and as the rows of a file."""

from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Final

from afterword.pipeline.clock import to_micros
from afterword.pipeline.domain.spot.model import ETHEREUM, SpotActivity

JUNE_2021: Final = datetime(2021, 6, 1, tzinfo=UTC)

_HEADER: Final = "tx_hash,ts_ms,type,from_token,from_amount,to_token,to_amount,status,gas"


def transaction(number: int) -> str:
    """Return the hash of a transaction."""
    return f"0x{number:064x}"


def wallet_swap(
    gave: str,
    got: str,
    at: datetime = JUNE_2021,
    *,
    number: int = 1,
    account: str = "main",
    chain: str = ETHEREUM,
) -> SpotActivity:
    """Return a swap, from `100 USDC` to `0.05 WETH`.

    Args:
        number: of its transaction.
    """
    (sold, from_token), (bought, to_token) = gave.split(" "), got.split(" ")
    return SpotActivity(
        account=account,
        chain=chain,
        tx_hash=transaction(number),
        time_ms=to_micros(at) // 1_000,
        type="swap",
        from_token=from_token,
        from_amount=Decimal(sold),
        to_token=to_token,
        to_amount=Decimal(bought),
        gas=None,
        status="confirmed",
        raw="{}",
    )


def wallet_row(
    number: int,
    gave: str = "100 USDC",
    got: str = "0.05 WETH",
    at: datetime = JUNE_2021,
    status: str = "",
) -> str:
    """Return the row of a swap in a file; with a side left empty, of a transfer.

    Args:
        number: of its transaction.
        status: as the file writes it; empty where it says none.
    """
    type_ = "swap" if gave and got else "transfer"
    sides = [side.split(" ", 1)[::-1] if side else ["", ""] for side in (gave, got)]
    at_ms = str(to_micros(at) // 1_000)
    return ",".join((transaction(number), at_ms, type_, *sides[0], *sides[1], status, "0.01"))


def write_wallet_file(path: Path, *rows: str) -> Path:
    """Write rows below their header, and return the file."""
    path.write_text("\n".join((_HEADER, *rows)) + "\n")
    return path
