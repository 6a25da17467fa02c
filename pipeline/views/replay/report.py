"""The report of a replay: what came of it first, then what it rests on."""

from typing import Final

from afterword.pipeline.operations.replay_report.model import (
    ReplayPattern,
    ReplayReport,
    ReportHead,
)
from afterword.pipeline.views.blocks import Block, Detail, Fields, Section, Table, View, paragraphs
from afterword.pipeline.views.cells import Cell
from afterword.pipeline.views.numbers import NONE, count, percent
from afterword.pipeline.views.replay.equity import equity_section
from afterword.pipeline.views.replay.folds import folds_section
from afterword.pipeline.views.replay.loop import loop_section
from afterword.pipeline.views.replay.methods import luck_section, tried_section
from afterword.pipeline.views.replay.words import (
    known_words,
    maker_words,
    priced_words,
    role_name,
    title_words,
    trips_words,
    verdict_words,
)
from afterword.pipeline.views.roles.words import badge_word, placebo_lines

_MOST_PATTERNS: Final = 4
"""Patterns of a text; a page folds the others, and --json has all of them."""

_NO_PATTERN: Final = (
    "No setup of a role, longs or shorts after a rise, a fall or no clear move, can be told apart "
    "from luck."
)
_NOTE: Final = "Figures of the past, computed by fixed rules. Nothing here is advice."
_HOW_TO_READ: Final = {
    "method": "a way to decide that decisions cite; each is judged over its own horizon",
    "stretch": "decisions of one method that share prices: one vote, that of the first; "
    "several markets at the same time share it, hence fractions",
    "base": "the share that is right without skill, in the same stretches",
    "95 %": "the shares of hits that the record allows; a short record allows many",
    "bet": "what a bet of 1 on the method became; without skill it ever reaches 20 with a "
    "chance of 1 in 20",
    "open": "not told apart from luck",
    "promising": "told apart from luck, if it had been the only one tried",
    "graduated": "told apart from luck among all that were tried; prompts show it",
    "literal rule": "every window of every decision is one use, though they share prices",
    "since": "what came after it graduated, which nobody knew then",
    "placebo": "decides without skill, to check the gates",
    "noise band": "a quarter of the usual move, and costs; inside it nobody was right or wrong",
}


def replay_findings(report: ReplayReport) -> View:
    """Return what came of a replay, on about one screen of text."""
    head = report.head
    blocks = [
        *paragraphs([f"Replay {head.name}: {title_words(head)}.", f"{maker_words(head)}."]),
        *paragraphs([known_words(head)], "named"),
        Section("", _verdict(report)),
        *equity_section(report),
        *luck_section(report),
        *folds_section(report),
        *tried_section(report),
        _patterns(report),
        loop_section(report),
        Detail("", [_replayed(head)]),
        Detail("", [Section("How to read it", [Fields(_HOW_TO_READ)], place="how-to-read")]),
    ]
    return View(blocks, f"Replay {head.name}", _NOTE, is_prose=True)


def _verdict(report: ReplayReport) -> list[Block]:
    sentences = [*trips_words(report.trips), *verdict_words(report)]
    return [*paragraphs(sentences, "lead"), *paragraphs([priced_words(report.head)])]


def _patterns(report: ReplayReport) -> Block:
    """Return the patterns of roles; a text has nothing to say without one, and without coins."""
    rest = len(report.patterns) - _MOST_PATTERNS
    sentences = list(map(_pattern, report.patterns[:_MOST_PATTERNS]))
    if rest > 0:
        sentences.append(f"{rest:,} more: --html, --json.")
    section = Section(
        "Patterns of roles",
        [*paragraphs(sentences), _whole_patterns(report), *paragraphs(coin_words(report))],
        place="patterns",
    )
    return section if report.patterns or report.coins else Detail("", [section])


def _pattern(pattern: ReplayPattern) -> str:
    sentence = pattern.text.partition(". ")[0].removesuffix(".")
    return f"{role_name(pattern.role)}, {badge_word(pattern.state)}: {sentence}."


def _whole_patterns(report: ReplayReport) -> Detail:
    if not report.patterns:
        return Detail("", paragraphs([_NO_PATTERN]))
    texts = [
        f"{role_name(pattern.role)}, {badge_word(pattern.state)}: {pattern.text}"
        for pattern in report.patterns
    ]
    return Detail(f"{count(len(texts), 'pattern')} with their numbers", paragraphs(texts))


def coin_words(report: ReplayReport) -> list[str]:
    """Return how many coins in place of a role would have been told something, a line for each."""
    return [
        f"{role_name(coins.role)}, {words}."
        for coins in report.coins
        for words in placebo_lines(coins.counts)
    ]


def _replayed(head: ReportHead) -> Section:
    rows: list[list[Cell]] = [
        [source.kind, source.name, source.reading or NONE, source.sha256 or NONE]
        for source in head.inputs
    ]
    inputs = Table(("input", "name", "read with", "SHA-256"), rows)
    return Section("What was replayed", [inputs, Fields(_settings_fields(head))], place="settings")


def _settings_fields(head: ReportHead) -> dict[str, str]:
    """Return what decides the result, by name."""
    named = {
        **{
            f"rule {name.replace('_', ' ')}": parameters
            for name, parameters in head.rules
            if parameters not in ("", "{}")
        },
        "gate": f"{head.gate}; share of graduates that may be luck {percent(head.fdr)}; "
        f"chance of a false pattern {percent(head.pattern_error)}",
        "judge": head.judge,
        "model knows until": head.known_until,
        "seed": str(head.seed),
        "outcomes": f"{head.outcomes:,} over all windows; {head.waiting:,} "
        f"{'decision has' if head.waiting == 1 else 'decisions have'} none yet",
        "settings": head.settings_hash,
        "state": f"{head.state}; {head.events:,} events hashed",
    }
    return {name: words for name, words in named.items() if words}
