"""Read Hyperliquid's rows of the ledger: a row of an unknown type is kept, a broken one refused."""

import json
import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any, Final

from afterword.pipeline.domain.fills.secrets import masked
from afterword.pipeline.domain.transfers.effects import effect_of
from afterword.pipeline.domain.transfers.model import LedgerTransfer
from afterword.pipeline.gateway.http.model import AskFailedError

OCCURRENCE: Final = "occurrence"
"""Field that tells equal rows of a moment apart; the venue sends none of this name."""

_KIND: Final = re.compile(r"[A-Za-z0-9_]{1,64}")
_HASH: Final = re.compile(r"0x[0-9a-fA-F]{1,128}")
_COMPACT: Final = json.JSONEncoder(separators=(",", ":"), allow_nan=False, sort_keys=True)


def transfers_in(rows: Iterable[Mapping[str, Any]], address: str) -> list[LedgerTransfer]:
    """Return the updates that rows of `userNonFundingLedgerUpdates` tell of.

    Args:
        address: of the account that was asked for, in small letters: amounts are signed from its
            view.

    Raises:
        AskFailedError: a row is no update of a ledger.
    """
    return [_transfer(row, address) for row in rows]


def _transfer(row: Mapping[str, Any], address: str) -> LedgerTransfer:
    delta, time_ms, digest = row.get("delta"), row.get("time"), row.get("hash")
    kind = delta.get("type") if isinstance(delta, Mapping) else None
    if not isinstance(kind, str) or not _KIND.fullmatch(kind):
        raise AskFailedError("Hyperliquid sent a row that is no transfer; try again later")
    if type(time_ms) is not int or not isinstance(digest, str) or not _HASH.fullmatch(digest):
        raise AskFailedError("Hyperliquid sent a transfer without a time; try again later")
    assert isinstance(delta, Mapping)
    sent = {name: value for name, value in row.items() if name != OCCURRENCE}
    try:
        raw = masked(_COMPACT.encode(sent))
    except (ValueError, RecursionError):  # 1e999 becomes an infinity no JSON can hold
        raise AskFailedError("Hyperliquid sent a transfer that cannot be kept") from None
    effect = effect_of(delta, address)
    if effect is None:
        unknown = (None, Decimal(0), None, None, None)
        return LedgerTransfer(time_ms, kind, digest, *unknown, raw, row.get(OCCURRENCE, 0))
    return LedgerTransfer(time_ms, kind, digest, *effect, raw, row.get(OCCURRENCE, 0))
