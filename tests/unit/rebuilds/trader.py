"""A trader whose profile is rebuilt: trades of every source, and the model that words them."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from itertools import count
from typing import Any

from sqlalchemy import text

from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.history.import_fills import import_fills
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.profile.financial_profile import read_financial_profile
from afterword.pipeline.domain.profile.model import FinancialProfile
from afterword.pipeline.domain.rebuilds import rows
from afterword.pipeline.domain.rebuilds.kinds import REBUILDS
from afterword.pipeline.domain.rebuilds.model import Cursor, RebuildReport, RebuildState
from afterword.pipeline.domain.rebuilds.parts import RebuildParts
from afterword.pipeline.domain.rebuilds.rebuild import run_rebuild
from afterword.pipeline.domain.recorded_trades.model import NewTrade
from afterword.pipeline.domain.recorded_trades.record import record_trade
from afterword.pipeline.domain.spot import rows as spot_rows
from afterword.pipeline.domain.spot.value import stable_value
from afterword.pipeline.domain.venues.hyperliquid_api import parse_fills
from afterword.pipeline.gateway.llm import Llm
from afterword.pipeline.gateway.switches import Mode
from afterword.pipeline.settings import Settings
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.spot import wallet_swap
from afterword.pipeline.testing.venue_server import venue_fill

MINUTE_MS = 60_000
_TIDS = count(1)


@dataclass
class Trader:
    """The owner of one group."""

    agent: Writer
    clock: ManualClock
    llm: Llm | None = None
    mode: Callable[[str], Mode] = lambda _task: Mode.ON
    settings: Settings = field(default_factory=Settings)
    priced: Callable[[float], Llm] | None = None

    @property
    def system(self) -> Writer:
        return replace(self.agent, actor="system")

    def trip(
        self,
        profit: float,
        *,
        coin: str = "SOL",
        closings: int = 1,
        days_ago: float = 1.0,
        account: str = "main",
        wallet: str | None = None,
    ) -> None:
        """Trade one unit for each closing, each closed a minute later; a fill costs a cent."""
        at = to_micros(self.clock() - timedelta(days=days_ago)) // 1_000
        price = f"{100 + profit / closings}"
        bought = venue_fill(next(_TIDS), at, f"{closings}.0", coin=coin)
        fills = [bought] + [
            venue_fill(
                next(_TIDS),
                at + MINUTE_MS * (place + 1),
                "-1.0",
                f"{closings - place}.0",
                coin=coin,
                px=price,
                closedPnl=f"{profit / closings}",
            )
            for place in range(closings)
        ]
        wallets = {} if wallet is None else {account: wallet}
        parsed = parse_fills(fills, account, "fills")
        import_fills(self.agent.store, parsed, self.clock, self.agent.ids, wallets=wallets)

    def record(self, realised_usd: str = "5") -> None:
        """Have an agent record a trade of which no fill is known."""
        opened = NewTrade(
            venue="binance",
            account="elsewhere",
            asset="ETH-PERP",
            side="buy",
            size="1",
            price="2000",
            realised_usd=realised_usd,
            occurred_at=self.clock() - timedelta(hours=3),
        )
        record_trade(self.agent, opened)

    def swap(self, number: int = 1, account: str = "wallet") -> None:
        """Swap a hundred dollars on a chain."""
        swap = wallet_swap(
            "100 USDC",
            "0.05 WETH",
            self.clock() - timedelta(hours=2),
            number=number,
            account=account,
        )
        with writing(self.agent.store) as conn:
            now = to_micros(self.clock())
            spot_rows.insert(conn, [(swap, 0, stable_value(swap))], now)

    def rebuild(self, name: str = "trading_summary", **given: Any) -> RebuildReport:
        parts = RebuildParts(self.system, self.settings, self.llm, self.mode)
        rebuild = next(rebuild for rebuild in REBUILDS if rebuild.name == name)
        return run_rebuild(parts, rebuild, **given)

    def state(self, name: str = "trading_summary") -> RebuildState:
        with reading(self.agent.store) as conn:
            return rows.state_of_rebuild(conn, name)

    def cursors(self) -> dict[str, Cursor]:
        """Return the cursors by what they are of: `trade`, `perps_fill`, `external_spot`, …"""
        with reading(self.agent.store) as conn:
            cursors = rows.cursors(conn, "trading_summary")
        return {_short(name): cursor for name, cursor in cursors.items()}

    def profile(self) -> FinancialProfile:
        return read_financial_profile(self.agent.store)

    def run_sql(self, statement: str) -> None:
        """Change the file as damage would."""
        with writing(self.agent.store) as conn:
            conn.execute(text(statement))


def _short(name: str) -> str:
    return name.removeprefix("trading_summary_last_").removesuffix("_seen").removesuffix("_id")
