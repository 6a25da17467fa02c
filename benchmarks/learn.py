"""How long a trader waits for `afterword learn`, and for a report of many fills to be written."""

import csv
import json
import os
import subprocess
import sys
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from afterword.pipeline.clock import system_clock
from afterword.pipeline.domain.layouts.layout import Origin
from afterword.pipeline.doors.render.html import page
from afterword.pipeline.doors.render.screen import Screen
from afterword.pipeline.doors.render.text import text
from afterword.pipeline.doors.render.values import print_json
from afterword.pipeline.ids import random_uid
from afterword.pipeline.operations.learn.files import ReadingOptions
from afterword.pipeline.operations.learn.learn import learn_from
from afterword.pipeline.operations.learn.place import LearnPlace
from afterword.pipeline.settings import load
from afterword.pipeline.testing.trade_files import TradeFiles, write_trade_files
from afterword.pipeline.views.blocks import View
from afterword.pipeline.views.trades.learn_report import learn_report
from benchmarks.answer import Answer, Target, answers, note
from benchmarks.host import a_host
from benchmarks.timing import seconds

ENV = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def ask(trades: int, fills: int) -> Answer:
    """Learn from trades with hourly prices as a user does; write the report of many fills."""
    measured: dict[str, float] = {}
    floor: dict[str, float] = {}
    with TemporaryDirectory(prefix="afterword-bench-") as folder:
        few = write_trade_files(_folder(folder, "few"), trades)
        many = write_trade_files(_folder(folder, "many"), max(1, fills // 10), parts=5)
        floor["csv_reader_s"] = seconds(lambda: _rows(few.trades))
        floor["csv_reader_many_s"] = seconds(lambda: _rows(many.trades))
        _learn(folder, write_trade_files(_folder(folder, "warm"), 10), "--json")
        learnt: dict[str, Any] = {}
        measured["learn_s"] = seconds(lambda: learnt.update(_learn(folder, few, "--json")))
        _check(learnt, few)
        note(f"learn: {trades:,} trades in {measured['learn_s']:.1f} s")
        measured |= _report(many)
    return Answer(
        "learn",
        measured,
        targets={"learn_s": Target(at_most=20), "report_s": Target(at_most=2)},
        floor=floor,
        sizes={"trades": trades, "fills": fills},
    )


def _report(made: TradeFiles) -> dict[str, float]:
    """Learn from many fills, and take the time of writing the report: as text and page, as JSON."""
    with a_host(fleet=False) as host:
        place = LearnPlace(
            *(host.store, host.stores, None, load(), system_clock, random_uid, None),
            is_kept=False,
        )
        report = learn_from(
            place,
            [made.trades, *made.prices],
            [],
            ReadingOptions(Origin("", "")),
            told=lambda _name, _done, _total: None,
        )
    with redirect_stdout(StringIO()):
        json_s = seconds(lambda: print_json(report))
    report_s = seconds(lambda: _write(learn_report(report, "afterword learn")))
    note(f"learn: a report as text and page {report_s:.2f} s, JSON {json_s:.2f} s")
    return {"report_s": report_s, "json_s": json_s}


def _write(view: View) -> None:
    text(view, Screen())
    page(view)


def _learn(folder: str, made: TradeFiles, *options: str) -> dict[str, Any]:
    command = str(Path(sys.executable).with_name("afterword"))
    files = [str(made.trades), *map(str, made.prices)]
    line = [command, "--home", f"{folder}/home", "learn", *files, *options]
    done = subprocess.run(line, env=ENV, check=True, capture_output=True, text=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def _check(report: dict[str, Any], made: TradeFiles) -> None:
    (sums,) = report["trades"]["sums"]
    found = sums["trips"], sums["winners"], float(sums["net"])
    wanted = made.trips, made.winners, float(made.net)
    if found != wanted:
        raise AssertionError(f"the report says {found}, the file {wanted}")


def _folder(top: str, name: str) -> Path:
    path = Path(top) / name
    path.mkdir()
    return path


def _rows(path: Path) -> None:
    with path.open(newline="") as file:
        for _ in csv.reader(file):
            pass


if __name__ == "__main__":
    answers(
        ask,
        trades=(int, 10_000, "round trips with hourly prices"),
        fills=(int, 100_000, "fills of a report"),
    )
