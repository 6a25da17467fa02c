"""A group that lived a little, and what is asked of its exports."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from afterword.pipeline.core.store import Stores, reading, run_sql, writing
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.preferences.change import approve_preference, propose_preference
from afterword.pipeline.testing.command import Command, CommandResult

FILLS = Path(__file__).parents[3] / "docs/examples/fills.json"


@dataclass(frozen=True, slots=True)
class Lived:
    """A group with some of everything, its commands, and where its exports go."""

    command: Command
    stores: Stores
    by: Writer
    folder: Path

    def live(self) -> None:
        """Remember, trade, learn and decide; a hard constraint is about DOGE."""
        write = ("memory", "write")
        self.command(*write, "observation", "BTC funding was high on Sunday")
        self.command(*write, "lesson", "cut losers early")
        self.command(*write, "instruction", "never average down", "--tag", "risk")
        self.command("fact", "record", "fees on Hyperliquid are 2 bps")
        self.command("profile", "set", "risk", "moderate")
        self.command("profile", "set", "risk", "low")
        self.command("history", "import", str(FILLS), "--account", "me")
        self.method("Buy BTC when RSI is below 20", "major_crypto", "bullish")
        self.method("Sell gold after a surprise rate cut", "commodity", "bearish")
        approve_preference(self.by, self._proposed("direction", "soft_preference", "long"))
        approve_preference(self.by, self._proposed("avoided_asset", "hard_constraint", "DOGE"))
        with writing(self.by.store) as conn:
            conn.exec_driver_sql(
                "UPDATE methodologies SET quarantine = 0, confidence = 0.8, times_used = 20,"
                " times_correct = 18, strict_since = known_at WHERE id = 1"
            )

    def method(self, text: str, asset_class: str, direction: str) -> None:
        """Add a methodology."""
        line = ("--class", asset_class, "--timeframe", "short", "--direction", direction)
        line = (*line, "--signal", "event")
        done = self.command("methodology", "add", text, *line, "--evidence", "it came back")
        assert done.code == 0, done.err

    def export(self, name: str, *options: str, group: str = "main") -> Path:
        """Export the group into a folder of this name."""
        target = self.folder / name
        done = self.command("memory", "export", "--group", group, "--out", str(target), *options)
        assert done.code == 0, done.err
        return target

    def take(self, folder: Path, *options: str, group: str = "main") -> dict[str, Any]:
        """Import a folder, and return what it did with each file."""
        done = self.line(folder, *options, group=group)
        assert done.code == 0, done.err
        return {file["path"]: file for file in done.json["files"]}

    def back_up(self) -> Path:
        """Back the group up into a new folder."""
        target = self.folder / "backup"
        done = self.command("store", "backup", str(target))
        assert done.code == 0, done.err
        return target

    def restore(self, backup: Path) -> None:
        """Put the group back as it was; this process lets go of its file first."""
        self.stores.close()
        line = ("store", "restore", str(backup), "--group", "main", "--replace")
        done = self.command(*line)
        assert done.code == 0, done.err

    def line(self, folder: Path, *options: str, group: str = "main") -> CommandResult:
        """Run the import of a folder."""
        return self.command("memory", "import", str(folder), "--group", group, "--json", *options)

    def sql(self, query: str, group: str = "main") -> list[tuple[Any, ...]]:
        """Return the rows of a query on a group."""
        with reading(self.stores.group(group)) as conn:
            return [tuple(row) for row in run_sql(conn, query).fetchall()]

    def _proposed(self, *what: Any) -> str:
        return propose_preference(self.by, *what).uid


def rows(folder: Path, name: str) -> list[dict[str, Any]]:
    """Return the rows of a file of data."""
    lines = (folder / "data" / f"{name}.jsonl").read_text().splitlines()
    return [json.loads(line) for line in lines[1:]]


def without(lines: Sequence[dict[str, Any]], *names: str) -> list[dict[str, Any]]:
    """Return rows without some fields."""
    return [{name: value for name, value in line.items() if name not in names} for line in lines]


def texts(folder: Path) -> dict[str, bytes]:
    """Return the bytes of all files but those with serial and time."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in ("index.md", "signature.txt")
    }
