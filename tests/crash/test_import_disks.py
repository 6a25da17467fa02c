"""Disks that take no more while an export is read: what is kept is said, and nothing is lost.

Some need a mount namespace; where a machine has none, the test says so and is left out.
"""

import re
import resource
import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from afterword.pipeline.core.store.driver import dbapi
from afterword.pipeline.testing.process import command_of, environment_of, run_afterword
from tests.crash.small_disk import on_disk

pytestmark = pytest.mark.crash

ROWS = 12_000
COLUMNS = "time=Date,symbol=Pair,side=Type,qty=Amount,price=Price,fee=Fee"
READ = ("--columns", COLUMNS, "--zone", "UTC")


def exported(folder: Path, rows: int) -> Path:
    """Write an export of a fill every minute: each second one closes a trip."""
    path, begin = folder / "fills.csv", datetime(2026, 1, 1, tzinfo=UTC)
    lines = [
        f"{begin + number * timedelta(minutes=1):%Y-%m-%d %H:%M:%S},"
        f"BTC/USDT,{'SELL' if number % 2 else 'BUY'},1,{100 + number % 7},0.1"
        for number in range(rows)
    ]
    path.write_text("\n".join(["Date,Pair,Type,Amount,Price,Fee", *lines, ""]))
    return path


@pytest.fixture(scope="module")
def export(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return exported(tmp_path_factory.mktemp("export"), ROWS)


@pytest.fixture(scope="module")
def large_export(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an export whose rows take more than the memory that an import sets aside for them."""
    return exported(tmp_path_factory.mktemp("large"), 4 * ROWS)


def fills_in(home: Path) -> int:
    conn = dbapi.connect(str(home / "groups" / "main.sqlite"))
    try:
        assert conn.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        return conn.execute("SELECT count(*) FROM perps_fills").fetchone()[0]
    finally:
        conn.close()


@pytest.mark.parametrize("door", [("learn", "--keep"), ("history", "import")])
def test_a_disk_that_fills_up_is_told_with_what_is_kept_and_the_next_import_goes_on(
    tmp_path: Path, export: Path, door: tuple[str, ...]
):
    home, copy = tmp_path / "disk", tmp_path / "copy"
    line = command_of(*door, str(export), *READ, home=home)

    done = on_disk(home, "size=7m", line, ["cp", "-r", str(home), str(copy)])

    (error,) = done.stderr.splitlines()
    assert "Traceback" not in error and "nothing was written" not in error
    kept = re.search(r"([\d,]+) of the 12,000 rows of fills.csv are stored: run the same", error)
    assert kept and "free some disk space" in error
    assert fills_in(copy) == int(kept[1].replace(",", "")) > 0

    assert run_afterword(*door, str(export), *READ, home=copy).returncode == 0
    assert fills_in(copy) == ROWS


@pytest.mark.parametrize("door", [("learn",), ("history", "import")])
@pytest.mark.parametrize("size", ["256k", "1m"])
def test_a_full_folder_of_temporary_files_is_named_with_its_remedy(
    tmp_path: Path, large_export: Path, door: tuple[str, ...], size: str
):
    folder, home = tmp_path / "temporary", tmp_path / "home"
    line = ["env", f"TMPDIR={folder}", *command_of(*door, str(large_export), *READ, home=home)]

    done = on_disk(folder, f"size={size}", line, ["ls", "-A", str(folder)])

    (error,) = done.stderr.splitlines()
    assert error.startswith(f"afterword: temporary files cannot be written in {folder} (")
    assert "TMPDIR" in error and "Operational" not in error
    assert done.stdout == ""  # no folder of a look is left
    assert not (home / "groups" / "main.sqlite").exists() or fills_in(home) == 0


def test_a_read_only_disk_is_read_and_refuses_to_keep(tmp_path: Path, export: Path):
    home = tmp_path / "disk"
    small = tmp_path / "small.csv"
    small.write_text("".join(export.read_text().splitlines(keepends=True)[:5]))
    keep = command_of("learn", str(small), *READ, "--keep", "--json", home=home)

    done = on_disk(
        home,
        "size=8m",
        [*keep],
        ["mount", "-o", "remount,ro", str(home)],
        command_of("learn", str(export), *READ, "--keep", home=home),
        command_of("history", "import", str(export), *READ, home=home),
        command_of("learn", "--json", home=home),
    )

    errors = done.stderr.splitlines()
    assert len(errors) == 2
    assert all("mounted read-only; mount it writable" in error for error in errors)
    assert done.stdout.count('"is_kept": true') == 2


@pytest.mark.parametrize("limit", [50_000, 500_000, 2_000_000])
def test_a_limit_of_file_sizes_is_named(tmp_path: Path, export: Path, limit: int):
    home = tmp_path / "home"

    done = subprocess.run(
        command_of("learn", str(export), *READ, "--keep", home=home),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
        env=environment_of(),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    (error,) = done.stderr.splitlines()
    assert done.returncode == 1
    assert f"this process may write {limit:,} bytes a file" in error
    assert "raise the limit (`ulimit -f`)" in error
    assert "Operational" not in error and "is gone" not in error
