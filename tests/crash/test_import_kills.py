"""An import of an export that is killed and taken up again ends in the tables of one import."""

import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.store import Store, StoreOptions, Stores, reading
from afterword.pipeline.domain.exports.import_export import import_export
from afterword.pipeline.domain.layouts.layout import Origin
from afterword.pipeline.ids import random_uid

pytestmark = pytest.mark.crash

VICTIM = """
import sys
from datetime import UTC
from pathlib import Path
from afterword.pipeline.clock import system_clock
from afterword.pipeline.core.store import StoreOptions, Stores
from afterword.pipeline.domain.exports.import_export import import_export
from afterword.pipeline.domain.layouts.layout import Origin
from afterword.pipeline.ids import random_uid
from afterword.pipeline.testing.crash import die_at

home, file, point = sys.argv[1:]
store = Stores(Path(home), StoreOptions(), system_clock, random_uid).group("main", create=True)
die_at(point)
import_export(store, Path(file), Origin("x", "me"), system_clock, random_uid)
"""
HEADER = (
    "portfolio,trade id,product,side,created at,size,size unit,price,fee,total,price/fee/total unit"
)
STORED = (
    """SELECT fill_uid, rank_in_ms, order_in_ms, raw_json FROM perps_fills ORDER BY 1""",
    """SELECT trip_uid, digest, fills, net FROM round_trips
    WHERE superseded_at IS NULL ORDER BY 1""",
    """SELECT digest, fills, first_equal, last_equal FROM history_files ORDER BY 1""",
    """SELECT content, metadata FROM memories
    WHERE superseded_at IS NULL AND deleted_at IS NULL ORDER BY 1, 2""",
    """SELECT count(*) FROM jobs""",
)


@pytest.fixture
def export(tmp_path: Path) -> Path:
    """Return an export of 1,200 fills: each second one closes a trip."""
    rows = []
    for number in range(1_200):
        is_sale = number % 2
        side, total = ("SELL", "110") if is_sale else ("BUY", "-100")
        time = f"2026-03-{1 + number // 60:02}T10:{number % 60:02}:00.000Z"
        px = abs(int(total))
        rows.append(f"default,{number},BTC-USD,{side},{time},1,BTC,{px},0,{total},USD")
    path = tmp_path / "fills.csv"
    path.write_text("\n".join([HEADER, *rows, ""]))
    return path


def tables(store: Store) -> list[list[tuple[Any, ...]]]:
    with reading(store) as conn:
        return [[tuple(row) for row in conn.execute(text(query))] for query in STORED]


def group_in(home: Path) -> Store:
    return Stores(home, StoreOptions(), system_clock, random_uid).group("main", create=True)


@pytest.mark.parametrize("point", ["history.stored:1", "history.stored:2", "history.settled:2"])
def test_a_killed_import_is_finished_by_the_next(tmp_path: Path, export: Path, point: str):
    killed = tmp_path / "killed"
    line = [sys.executable, "-c", VICTIM, str(killed), str(export), point]
    assert subprocess.run(line, timeout=60, check=False).returncode == -signal.SIGKILL

    store, whole = group_in(killed), group_in(tmp_path / "whole")
    (left,) = tables(store)[4][0]
    for one in (store, whole):
        import_export(one, export, Origin("x", "me"), system_clock, random_uid)

    assert tables(store) == tables(whole)
    assert left < tables(whole)[4][0][0]
