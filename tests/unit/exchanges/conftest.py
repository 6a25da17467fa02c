"""Exchanges on loopback, and accounts of them in a store."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from afterword.pipeline.core.store import Store, reading
from afterword.pipeline.domain.fills.model import Fill
from afterword.pipeline.domain.fills.rows import FILL_COLUMNS, fill_of
from afterword.pipeline.domain.sync.mirror import MirrorParts
from afterword.pipeline.gateway.exchanges.build import Exchanges
from afterword.pipeline.gateway.exchanges.model import COVERED_EXCHANGES
from afterword.pipeline.ids import IdSource
from afterword.pipeline.settings import Settings, load
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.exchange_server import ExchangeServer

KEY, SECRET = "key-of-the-owner", "c2VjcmV0LW9mLXRoZS1vd25lcg=="


@pytest.fixture
def server(clock: ManualClock) -> Iterator[ExchangeServer]:
    with ExchangeServer(clock) as server:
        server.account(KEY)
        yield server


@pytest.fixture
def exchange_settings(home: Path, server: ExchangeServer) -> Callable[..., Settings]:
    """Settings with the key of accounts, by name."""

    def settings(*names: str, key: str = KEY, **more: object) -> Settings:
        parts = {"KEY": key, "SECRET": SECRET, "PASSWORD": "phrase"}
        keys = {f"{name.upper()}_{part}": text for name in names for part, text in parts.items()}
        origins = dict.fromkeys(COVERED_EXCHANGES, server.origin)
        return load(home=home, exchange_keys=keys, exchange_base_url=origins, **more)

    return settings


@pytest.fixture
def exchanges(
    exchange_settings: Callable[..., Settings], instance: Store, clock: ManualClock
) -> Exchanges:
    names = (*COVERED_EXCHANGES, "second", "main")
    settings = exchange_settings(*names, exchange_timeout_s=1.0)
    return Exchanges(settings, instance, clock, throttles=False)


@pytest.fixture
def parts(store: Store, clock: ManualClock, ids: IdSource, exchanges: Exchanges) -> MirrorParts:
    return MirrorParts(store, clock, ids, exchanges=exchanges)


@pytest.fixture
def mirrored(store: Store) -> Callable[[], list[Fill]]:
    """What fills the store has, the oldest first."""

    def fills() -> list[Fill]:
        with reading(store) as conn:
            rows = conn.exec_driver_sql(
                f"SELECT {FILL_COLUMNS} FROM perps_fills AS f ORDER BY ts_ms, order_in_ms, id"
            )
            return [fill_of(row) for row in rows]

    return fills
