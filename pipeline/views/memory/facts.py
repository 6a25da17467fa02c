"""Facts: what the agent recorded as true, and what was decided about it."""

from collections.abc import Sequence
from typing import Final

from afterword.pipeline.domain.facts.consolidate import ConsolidationCounts
from afterword.pipeline.domain.facts.model import Event, Fact, KnownFact
from afterword.pipeline.domain.facts.read import FactDetails
from afterword.pipeline.domain.memory.model import MemoryIds
from afterword.pipeline.views.blocks import Block, Fields, Paragraph, Table, View
from afterword.pipeline.views.cells import Cell
from afterword.pipeline.views.flagged import flag_line
from afterword.pipeline.views.words import SHOWN_CHARS, moment, shorten

_EVENTS: Final = ("event", "at", "kind", "fact", "other", "by", "why")


def fact_recorded(written: MemoryIds, flagged: Sequence[str]) -> View:
    """Return the ids of a fact just recorded.

    Args:
        flagged: families of injections that its words look like.
    """
    blocks: list[Block] = [Paragraph(f"fact {written.id} ({written.uid}) is pending")]
    if flagged:
        blocks.append(Paragraph(flag_line(f"fact {written.id}", str(written.id), flagged)))
    return View(blocks)


def fact_list(facts: Sequence[Fact]) -> View:
    """Return facts in every state."""
    rows = [
        [
            *(str(fact.id), fact.state, _id(fact.retired_by), moment(fact.known_at)),
            shorten(fact.content, SHOWN_CHARS),
        ]
        for fact in facts
    ]
    return View([Table(("id", "state", "by", "known", "text"), rows, "no facts")])


def past_fact_list(facts: Sequence[KnownFact]) -> View:
    """Return the facts that stood at a moment."""
    rows = [
        [str(fact.id), moment(fact.known_at), shorten(fact.content, SHOWN_CHARS)] for fact in facts
    ]
    return View([Table(("id", "known", "text"), rows, "no facts")])


def fact_story(story: FactDetails) -> View:
    """Return one fact, and every decision it took part in."""
    fact = story.fact
    fields: dict[str, str | int] = {
        "fact": str(fact.id),
        "text": fact.content,
        "state": fact.state,
        "retired by": _id(fact.retired_by),
        "origin": fact.origin,
        "version": fact.version,
        "known": moment(fact.known_at),
        "last said": moment(fact.said_at),
    }
    return View([Fields(fields), _events(story.events, "nothing was decided yet")])


def fact_events(events: Sequence[Event]) -> View:
    """Return what was decided about facts."""
    return View([_events(events, "no events")])


def fact_stands_again(undone: Event) -> View:
    """Return that a decision was taken back."""
    return View([Paragraph(f"fact {undone.memory_id} stands again (event {undone.id})")])


def facts_consolidated(counts: ConsolidationCounts) -> View:
    """Return what a pass by rule did."""
    return View([Paragraph(f"{counts.settled:,} facts settled, {counts.retired:,} retired")])


def _events(events: Sequence[Event], empty: str) -> Table:
    return Table(_EVENTS, list(map(_event, events)), empty)


def _event(event: Event) -> list[Cell]:
    kind = f"{event.kind} (undone)" if event.undone else event.kind
    reason = str(event.detail.get("reason", ""))
    why = shorten(" ".join(filter(None, (reason, event.said))), SHOWN_CHARS)
    about = str(event.memory_id), _id(event.other_id)
    return [str(event.id), moment(event.at), kind, *about, event.decided_by, why]


def _id(memory_id: int | None) -> str:
    return "" if memory_id is None else str(memory_id)
