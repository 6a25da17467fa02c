"""SQL over the parts of the trading summary, and over whose trades are whose."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Final, NamedTuple

from sqlalchemy import Connection, text

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store.codec import Codec

# Of a name that was both, the owner's own account counts while it stands.
_ACCOUNTS = text("""
SELECT name, address, max(removed_at IS NULL) AS is_current FROM accounts AS a
WHERE kind = 'reference' AND NOT EXISTS (
  SELECT 1 FROM accounts AS own WHERE own.kind = 'own' AND own.removed_at IS NULL
    AND (own.name = a.name OR own.address = a.address))
GROUP BY name, address ORDER BY name, address
""")


class SummaryPart(NamedTuple):
    """One sentence or two of the trading summary, from one source.

    Args:
        part: the section and the source, such as `perps.fills`.
        text: empty where there is nothing to tell.
    """

    part: str
    text: str
    computed_at: datetime


class ReferenceAccount(NamedTuple):
    """A wallet that the owner only compares with.

    Args:
        is_current: False if it was removed here; its trades stay somebody else's.
    """

    name: str
    address: str
    is_current: bool


_PART: Final = Codec(SummaryPart, moments=("computed_at",))
_READ = text(f"SELECT {_PART.columns} FROM trading_summary_parts")
_KEEP: Final = _PART.insert(
    "trading_summary_parts",
    otherwise="""ON CONFLICT (part) DO UPDATE SET
  text = excluded.text, computed_at = excluded.computed_at""",
)


def parts_before(conn: Connection) -> Mapping[str, SummaryPart]:
    """Return the parts as they were last computed, by name."""
    return {part.part: part for part in map(_PART.read, conn.execute(_READ))}


def keep_parts(conn: Connection, texts: Mapping[str, str], now: datetime) -> None:
    """Keep parts that were computed, by name."""
    for part, words in texts.items():
        conn.exec_driver_sql(_KEEP, (part, words, to_micros(now)))


def reference_accounts(conn: Connection) -> list[ReferenceAccount]:
    """Return the wallets that the owner only compares with, also those that were removed."""
    rows = conn.execute(_ACCOUNTS)
    return [ReferenceAccount(row.name, row.address, bool(row.is_current)) for row in rows]


def aliases(conn: Connection, addresses: Iterable[str]) -> frozenset[str]:
    """Return the names under which fills of some wallets are kept."""
    known = {address.lower() for address in addresses}
    if not known:
        return frozenset()
    rows = conn.execute(_WALLETS)
    return frozenset(row.name for row in rows if (row.wallet or "").lower() in known)


# One look into the index for each account, whatever the number of its fills.
_WALLETS = text("""
SELECT sub_account_id AS name,
  (SELECT wallet_address FROM perps_fills WHERE sub_account_id = known.sub_account_id LIMIT 1)
    AS wallet
FROM (SELECT DISTINCT sub_account_id FROM perps_fills) AS known
""")
