"""The twelve questions of a role and class: their list, and the story of one of them."""

from collections.abc import Sequence
from typing import Final

from afterword.pipeline.domain.patterns.text import market_text
from afterword.pipeline.operations.roles.hypotheses import (
    AssetLine,
    HypothesisLine,
    HypothesisStory,
    SinceLine,
    StretchLine,
)
from afterword.pipeline.rules.text.numbers import amount
from afterword.pipeline.views.blocks import Block, Fields, Paragraph, Section, Table, View
from afterword.pipeline.views.cells import Cell, Ref
from afterword.pipeline.views.numbers import (
    NONE,
    count,
    interval,
    percent,
    signed_percent,
    times_words,
    usd,
)
from afterword.pipeline.views.roles.words import (
    evidence_words,
    needed_words,
    retired_words,
    right_words,
    scope_words,
    setup_label,
    setup_words,
    state_words,
    tested_words,
)
from afterword.pipeline.views.words import moment

_SETUPS: Final = (
    *("role", "class", "setup", "question", "state", "decisions", "stretches", "right", "base"),
    *("95 %", "result", "needs"),
)
_DECISIONS: Final = (
    *("stretch", "its vote", "uid", "part", "decided", "asset", "price", "band", "outcome"),
    *("price beyond market", "result"),
)
_ASSETS: Final = (
    *("asset", "decisions", "stretches", "right", "base", "bet on it alone", "any such call"),
)
_STRETCH: Final = (
    "each stretch that says right or wrong is one of the stretches above: its first decisions vote "
    "together, those that joined do not; one that overlaps votes for its own asset only"
)
_NONE_SELECTED: Final = (
    "no pattern can be told apart from luck; --all shows what was counted, and `afterword role "
    "summary` what would change that"
)
_NO_TEXT: Final = "it never had a text: it was never told apart from luck, and never a hint"
_SOON: Final = "its text is stored when the patterns of the role are weighed next"
_NOTHING: Final = (
    "no long or short has an outcome yet; `afterword role reflect` measures what is due"
)


def pattern_list(lines: Sequence[HypothesisLine], *, is_counted: bool) -> View:
    """Return questions below each other, and the texts of those that have one.

    Args:
        is_counted: whether any question has an outcome, also one that is not listed.
    """
    empty = _NONE_SELECTED if is_counted else _NOTHING
    blocks: list[Block] = [Table(_SETUPS, [_row(line) for line in lines], empty)]
    texts = [line for line in lines if line.text]
    if texts:
        sentences = (f"{line.role}, {line.asset_class}: {line.text}" for line in texts)
        blocks.append(Section("", list(map(Paragraph, sentences))))
    if lines:
        first = lines[0]
        names = first.role, first.asset_class, first.direction, first.trend
        show = f"the decisions of the first: `afterword role pattern show {' '.join(names)}`"
        words = "what the words mean: the end of `afterword role summary`"
        blocks.append(Section("", [Paragraph(show), Paragraph(words)]))
    return View(blocks)


def pattern_story(story: HypothesisStory, confirming: float, about: str) -> View:
    """Return one question: its numbers in words, the texts it had, and what it counts.

    Args:
        confirming: the e-value that confirms one question alone.
        about: an asset, if only its decisions are told.
    """
    blocks: list[Block] = [Fields(_facts(story.line, confirming))]
    if len(story.line.by_asset) > 1:
        blocks.append(Section("", [Table(_ASSETS, [_asset_row(a) for a in story.line.by_asset])]))
    return View([*blocks, Section("", [_past(story)]), Section("", _counted(story, about))])


def _past(story: HypothesisStory) -> Block:
    """Return the texts that a pattern had."""
    if not story.past:
        return Paragraph(_NO_TEXT if story.line.state == "single" else _SOON)
    rows = [
        [
            moment(text.known_at),
            "now" if text.superseded_at is None else moment(text.superseded_at),
            state_words(text.state),
            text.worded_by if text.refusal is None else f"template ({text.refusal})",
            text.text,
        ]
        for text in story.past
    ]
    return Table(("from", "until", "state", "worded by", "text"), rows)


def _counted(story: HypothesisStory, about: str) -> list[Block]:
    """Return the decisions that a pattern counts, and how many more there are."""
    blocks: list[Block] = [Table(_DECISIONS, _by_stretch(story), "no decisions")]
    if story.decisions:
        blocks.append(Paragraph(_STRETCH))
    counted = {asset.asset: asset.decisions for asset in story.line.by_asset}
    whole = counted.get(about, 0) if about else story.line.numbers.decisions
    more = whole - len(story.decisions)
    if more > 0:
        blocks.append(Paragraph(f"and {count(more, 'earlier decision')}; --limit shows more"))
    if story.decisions:
        blocks.append(Paragraph(f"one of them: `afterword role show {story.decisions[0].uid}`"))
    return blocks


def _row(line: HypothesisLine) -> list[Cell]:
    numbers = line.numbers
    needed = "" if line.stretches_needed is None else f"about {line.stretches_needed:,} more"
    key = {
        "role": line.role,
        "asset_class": line.asset_class,
        "direction": line.direction,
        "trend": line.trend,
        "side": line.side,
    }
    setup = Ref(setup_label(line.direction, line.trend), "pattern", filters=key)
    return [
        *(line.role, line.asset_class, setup, tested_words(line.side)),
        *(state_words(line.state), numbers.decisions, numbers.stretches),
        *(amount(numbers.hits), amount(numbers.expected)),
        interval(numbers.low, numbers.high) if numbers.stretches else NONE,
        *(usd(numbers.cost_micro_usd), needed),
    ]


def _by_stretch(story: HypothesisStory) -> list[list[Cell]]:
    """Return the decisions, with number and vote of a stretch beside the first shown of it."""
    stretches = {one.number: one for one in story.stretches}
    rows: list[list[Cell]] = []
    for decision in story.decisions:
        of = stretches.pop(decision.stretch, None)
        rows.append(
            [
                *(("", "") if of is None else (of.number, _vote(of))),
                *(
                    Ref(decision.uid, "decision", decision.uid),
                    "first" if decision.is_first else "joined",
                ),
                *(moment(decision.decided_at), decision.asset, signed_percent(decision.move, 2)),
                *(
                    f"±{percent(decision.band, 2)}",
                    decision.outcome,
                    signed_percent(decision.residual, 2),
                ),
                usd(decision.result_micro_usd)
                if decision.result is None
                else signed_percent(decision.result, 2),
            ]
        )
    return rows


def _vote(stretch: StretchLine) -> str:
    if stretch.vote is None:
        return "none" if stretch.is_counted else "none, overlaps"
    vote = {0.0: "wrong", 1.0: "right"}.get(stretch.vote, f"{amount(stretch.vote)} right")
    return vote if stretch.is_counted else f"{vote}, overlaps"


def _asset_row(asset: AssetLine) -> list[Cell]:
    return [
        *(
            asset.asset,
            asset.decisions,
            asset.stretches,
            amount(asset.hits),
            amount(asset.expected),
        ),
        times_words(asset.evidence),
        NONE
        if asset.market is None
        else f"{percent(asset.market.rate)} of {count(asset.market.windows, 'window')}",
    ]


def _facts(line: HypothesisLine, confirming: float) -> dict[str, str]:
    """Return the numbers of a question in words.

    Args:
        confirming: the e-value that confirms one question alone.
    """
    numbers = line.numbers
    facts = {
        "pattern": f"{setup_words(line.direction, line.trend)}, {line.asset_class}, by {line.role}",
        "question": f"are they {tested_words(line.side)} than calls without skill?",
        "state": state_words(line.state),
        "text": line.text,
        "told of": "" if line.state == "single" else scope_words(line.is_class, line.assets),
        "whole class": right_words(numbers),
        "decisions": f"{count(numbers.decisions, 'decision')}; "
        f"{count(numbers.spent, 'stretch', 'stretches')} inside the noise band cast no vote",
        "beyond market": ""
        if numbers.mean_residual is None
        else f"{signed_percent(numbers.mean_residual)} a stretch in their direction, on average",
        "market itself": ""
        if line.market is None
        else market_text(line.direction, line.trend, line.market),
        "result": usd(numbers.cost_micro_usd),
        # The text of a stored pattern tells it for the assets it is told of.
        "expect next": f"{percent(line.expected_rate)}, nearer to the base: short records "
        "exaggerate"
        if line.state == "single" and numbers.stretches
        else "",
        "evidence": evidence_words(line.evidence, confirming),
        "since confirmed": "" if line.since is None else _since(line.since),
        "would change it": needed_words(line.stretches_needed)
        if line.state != "confirmed"
        else f"it {retired_words(line.reverse)}",
    }
    return {name: value for name, value in facts.items() if value not in ("", NONE)}


def _since(since: SinceLine) -> str:
    if not since.stretches:
        return "no stretch yet"
    stretches = count(since.stretches, "stretch", "stretches")
    return f"right {amount(since.hits)} of {stretches}, base {amount(since.expected)}"
