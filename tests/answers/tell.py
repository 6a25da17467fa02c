"""Tell the story: run its lines in one home, and keep what they answer by group of commands."""

import json
import re
import shlex
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.sessions.sessions import begin_session
from afterword.pipeline.doors.agent import Agent, call
from afterword.pipeline.doors.agent.door import Door
from afterword.pipeline.doors.mcp.answer_schema import structured
from afterword.pipeline.errors import PipelineError
from afterword.pipeline.recall.prompts.brief import BriefLimits
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.command import Command
from afterword.workers.testing import work_off
from afterword.workers.worker.context import Context

_PAGES = (".html", ".svg")
_PACE = re.compile(r'[\d.,]+(?= s\n| events/s)|(?<="seconds": )[^,]+')
"""How long a replay took, and its pace."""


@dataclass(frozen=True)
class Teller:
    """One home, and what was answered in it so far.

    Args:
        folder: the current folder, with the files of the story.
        open_venue: makes the venue reachable.
        transcripts: what was asked and answered, by the name of the record.
    """

    command: Command
    context: Context
    clock: ManualClock
    folder: Path
    open_venue: Callable[[], object]
    transcripts: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))

    def run(self, story: str) -> dict[str, str]:
        """Return the records by name: a transcript for each group of commands, and each page."""
        lines = (one for one in story.splitlines() if one and not one.startswith("#"))
        for line in lines:
            verb, _, rest = line.partition(" ")
            match verb:
                case "at":
                    self.clock.set(datetime.fromisoformat(rest))
                case "work":
                    work_off(self.context, self.context.stores.group("main"), self.clock)
                case "venue":
                    self.open_venue()
                case "tool":
                    self._tool(*rest.split(" ", 1))
                case _:
                    for words in _runs(line):
                        self._ask(words)
        pages = {one.name: one.read_text() for one in self.folder.iterdir() if one.suffix in _PAGES}
        return {name: "\n".join(told) for name, told in self.transcripts.items()} | pages

    def _ask(self, words: list[str]) -> None:
        done = self.command(*words)
        code = f"exit {done.code}\n" if done.code else ""
        self._keep(
            f"{words[0]}.txt", f"$ afterword {shlex.join(words)}", done.out + done.err + code
        )

    def _tool(self, name: str, arguments: str) -> None:
        self._keep("tools.txt", f"{name} {arguments}", f"{self._answer(name, arguments)}\n")

    def _answer(self, name: str, arguments: str) -> Any:
        try:
            answer = call(self._agent, name, json.loads(arguments))
        except PipelineError as refusal:
            return refusal
        return answer if isinstance(answer, str) else json.dumps(structured(answer), indent=2)

    def _keep(self, record: str, asked: str, answered: str) -> None:
        told = f"{asked}\n{answered}"
        for path, name in ((self.command.home, "HOME"), (self.folder, "HERE")):
            told = told.replace(str(path), name)
        self.transcripts[record].append(_PACE.sub("N", told))

    @cached_property
    def _agent(self) -> Agent:
        group = self.context.stores.group("main")
        by = Writer(group, self.clock, self.context.runtime.ids)
        return Agent(
            Door(
                by,
                begin_session(by, "story").handle,
                # A loaded machine must not leave the brief out.
                brief_limits=BriefLimits(timeout_s=600),
                roles=self.context.decisions.roles,
                institution_enabled=True,
            )
        )


def _runs(line: str) -> Iterator[list[str]]:
    words = shlex.split(line)
    if words[0] == "both":
        yield words[1:]
        yield [*words[1:], "--json"]
    else:
        yield words
