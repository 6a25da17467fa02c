"""Hours and days of a report are those of its reader; those of a verdict stay where it was made."""

from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.command import Command
from afterword.pipeline.testing.trade_files import TradeFiles, write_trade_files

TOKYO = ZoneInfo("Asia/Tokyo")


@pytest.fixture
def made(tmp_path: Path) -> TradeFiles:
    return write_trade_files(tmp_path, 90, markets=("SOLUSDT",))


def hours(report, zone):
    """Return each part of a day with the trips that were entered in it, by the clock of a zone."""
    found = {}
    for one in report["outcomes"]:
        entered = datetime.fromisoformat(one["trip"]["opened_at"]).astimezone(zone)
        begin = entered.hour // 4 * 4
        found.setdefault(f"{begin:02}-{begin + 4:02}", set()).add(one["trip"]["trip_uid"])
    return found


def told_hours(report):
    cells = (*report["trades"]["named"], *report["trades"]["looked_at"])
    return {one["value"]: set(one["trip_uids"]) for one in cells if one["attribute"] == "hour"}


def test_hours_of_one_look_are_those_of_the_reader(command: Command, made: TradeFiles):
    line = ("learn", str(made.trades), "--zone", "Asia/Tokyo")
    report = command(*line, "--json").json

    assert (report["zone"], report["hours_zone"]) == ("Asia/Tokyo", "Asia/Tokyo")
    assert told_hours(report) == hours(report, TOKYO)
    assert "(dates in Asia/Tokyo)" in command(*line).out


def test_the_setting_is_the_zone_of_the_reader_whatever_the_files_are_in(
    command: Command, made: TradeFiles
):
    line = ("learn", str(made.trades), "--zone", "UTC", "--json")
    report = command(*line, env={"AFTERWORD_TIMEZONE": "Asia/Tokyo"}).json

    assert (report["zone"], told_hours(report)) == ("Asia/Tokyo", hours(report, TOKYO))


def test_a_setting_that_is_no_zone_is_refused(command: Command):
    done = command("trades", "ls", env={"AFTERWORD_TIMEZONE": "Mars/Olympus"})

    assert done.code == 2 and "AFTERWORD_TIMEZONE" in done.err and "Europe/Berlin" in done.err


def test_another_zone_renews_no_verdict_and_moves_no_hour_of_kept_trades(
    command: Command, clock: ManualClock, made: TradeFiles
):
    first = command("learn", str(made.trades), "--keep", "--json").json
    clock.advance(days=1)
    again = command("learn", "--zone", "Asia/Tokyo", "--json").json

    assert first["trades"]["judged_at"] is not None
    assert again["trades"] == first["trades"]
    assert (again["zone"], again["hours_zone"]) == ("Asia/Tokyo", "UTC")
    assert told_hours(again) == hours(again, ZoneInfo("UTC"))
    assert "in UTC: kept trades are always judged in it" in " ".join(
        command("learn", "--zone", "Asia/Tokyo").out.split()
    )
