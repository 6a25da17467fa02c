"""Run the real command line inside the process, with a clock and ids of the test."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from afterword.pipeline.clock import Clock
from afterword.pipeline.doors.cli.call import Roots
from afterword.pipeline.doors.cli.root import app
from afterword.pipeline.ids import IdSource


@dataclass(frozen=True, slots=True)
class CommandResult:
    """The output and exit code of one line."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The output as one JSON document."""
        return json.loads(self.out)


@dataclass(frozen=True, slots=True)
class Command:
    """The command `afterword` in one home.

    Args:
        home: passed to every line as `--home`.
    """

    home: Path
    clock: Clock
    ids: IdSource

    def __call__(
        self,
        *line: str,
        stdin: bytes | str | None = None,
        env: Mapping[str, str | None] | None = None,
    ) -> CommandResult:
        """Run one line, such as `command("jobs", "ls", "--json")`."""
        done = CliRunner().invoke(
            app,
            ["--home", str(self.home), *line],
            input=stdin,
            env=env,
            obj=Roots(self.clock, self.ids),
        )
        return CommandResult(done.exit_code, done.stdout, done.stderr)
