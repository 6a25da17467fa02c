"""What the demo shows of recall: an explained search, a page, and what a session starts with."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from pipeline.agent import Agent
from pipeline.cli.output import print_line
from pipeline.cli.search import print_explanation
from pipeline.clock import Clock
from pipeline.ids import IdSource
from pipeline.recall.model import Hit
from pipeline.recall.search import search
from pipeline.sessions.sessions import begin_session, end_session
from pipeline.store import Store

QUESTION: Final = "which MSFT shorts made money?"

ASSET: Final = "MSFT"

ENTRIES: Final = (
    ("preference", "Prefers daily charts and no leverage"),
    ("instruction", "Never short IBM in the week before its earnings"),
    ("correction", "The rule trades whole shares, not dollars"),
    ("fact", "The demo account was opened in 2000"),
)
"""What a first session remembers for the ones after it."""

SHOWN_LINES: Final = 16
"""Lines of a page or a snapshot; the commands show all."""


@dataclass(frozen=True, slots=True)
class Recalled:
    """What was recalled.

    Args:
        best: the best hit for `QUESTION`, explained.
        page: all that is known about `ASSET`.
        snapshot: what a session begun after another one's writes starts with.
        brief: likewise.
    """

    best: Hit | None
    page: str
    snapshot: str
    brief: str | None


def recall(store: Store, clock: Clock, ids: IdSource) -> Recalled:
    """Let one session write, and look at what the next one is shown."""
    first = begin_session(store, clock, ids, "demo, first")
    agent = Agent(store, first.handle, clock, ids)
    for kind, content in ENTRIES:
        agent.memory_store(kind, content)
    end_session(store, first.handle, clock)
    second = Agent(store, begin_session(store, clock, ids, "demo, second").handle, clock, ids)
    hits = search(store, QUESTION, limit=1, explain=True)
    return Recalled(
        best=hits[0] if hits else None,
        page=second.memory_compiled_page(ASSET),
        snapshot=second.snapshot(),
        brief=second.start_brief(),
    )


def print_recalled(recalled: Recalled) -> None:
    """Print it, the long texts cut."""
    if recalled.best and recalled.best.explanation:
        print_line("")
        print_line(f"search, explained: {QUESTION}")
        print_line(f"  {recalled.best.memory.content}")
        print_explanation(f"memory {recalled.best.memory.id}", recalled.best.explanation)
    _print_text(f"page {ASSET}", recalled.page.splitlines())
    _print_text("snapshot of a next session", recalled.snapshot.splitlines())
    _print_text("its brief", (recalled.brief or "").splitlines())


def _print_text(name: str, lines: Sequence[str]) -> None:
    print_line("")
    print_line(f"{name}:")
    for line in lines[:SHOWN_LINES]:
        print_line(f"  {line}")
    if len(lines) > SHOWN_LINES:
        print_line(f"  … {len(lines) - SHOWN_LINES} lines more")
