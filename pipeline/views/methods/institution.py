"""Runs of an institution: what was captured, how they came out, and what the next one is told."""

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from afterword.pipeline.domain.institution.model import (
    CapturedRun,
    InstitutionRun,
    ReflectTally,
    RoleOutput,
    RunCitation,
    RunStory,
    WindowAnswer,
)
from afterword.pipeline.gateway.switches import Mode
from afterword.pipeline.views.blocks import Block, Fields, Paragraph, Section, Table, Verbatim, View
from afterword.pipeline.views.cells import Cell, Ref
from afterword.pipeline.views.numbers import count
from afterword.pipeline.views.words import moment, one_line, shorten

if TYPE_CHECKING:  # loaded by who is told of runs
    from afterword.pipeline.recall.institution.retrospect import Retrospect

_RUNS: Final = ("number", "run", "decided", "asset", "direction", "horizon", "answers")
_LADDER: Final = ("window", "question", "answer", "numbers")
_OUTPUTS: Final = ("role", "form", "says", "methods")
_CITED: Final = ("methodology", "vote", "outcome")
_NOTES: Final = ("kind", "at", "text")
_STATES: Final = {"waits": "waits", "unmeasured": "no price yet"}
_STANDINGS: Final[Mapping[str, str]] = {
    "counts": "counts",
    "open": "not weighed yet: the next synthesis does",
    "unknown": "none: no such methodology",
    "direction": "none: the run decided another way",
    "class": "none: another class of assets",
    "late": "none: captured too late",
    "before": "none: older than the methodology",
    "withdrawn": "none: withdrawn before its entry",
}


def captures_off() -> View:
    """Return that nothing is captured."""
    said = "Captures are off, nothing was written. AFTERWORD_INSTITUTION_LEARNING_ENABLED=true"
    return View([Paragraph(f"{said} turns them on.")])


def runs_captured(done: Sequence[CapturedRun]) -> View:
    """Return what became of runs of a file."""
    fresh = sum(run.is_new for run in done)
    words = f"{count(fresh, 'run')} captured"
    if before := len(done) - fresh:
        words += f", {before:,} captured before"
    blocks: list[Block] = [Paragraph(f"{words}.")]
    unknown = list(dict.fromkeys(uid for run in done for uid in run.unknown))
    if unknown:
        named = ", ".join(map(one_line, unknown[:5]))
        counted = count(len(unknown), "cited methodology is", "cited methodologies are")
        blocks.append(Paragraph(f"{counted} unknown and get no vote: {named}."))
    if flagged := sum(bool(run.flagged) for run in done):
        verb = "reads like an order" if flagged == 1 else "read like orders"
        said = f"{count(flagged, 'run')} {verb} to the agent: prompts leave such texts out."
        blocks.append(Paragraph(said, tone="warning"))
    return View(blocks)


def run_list(runs: Sequence[InstitutionRun]) -> View:
    """Return runs below each other, each with its answers so far."""
    rows = [_row(run) for run in runs]
    return View([Table(_RUNS, rows, "no run is captured", spare=("number", "horizon"))])


def run_view(story: RunStory) -> View:
    """Return a run from what its roles said to how it came out."""
    run = story.run
    fields = {
        "run": one_line(run.uid),
        "decided": f"{moment(run.decided_at)}, {run.direction} {one_line(run.asset)}",
        "confidence": f"{run.confidence:.2f}",
        "horizon": _days(run.horizon_hours),
        "trigger": one_line(run.trigger),
        "base case": one_line(run.base_case),
        "thesis": one_line(run.thesis),
        "decision": run.decision,
    }
    if run.retrospect is not None:
        fields["told before"] = run.retrospect
    ladder = Table(_LADDER, [_window(window) for window in run.windows])
    outputs = Table(_OUTPUTS, [_output(output) for output in story.outputs])
    cited = Table(_CITED, [_citation(one) for one in story.citations])
    notes = Table(
        _NOTES,
        [[note.kind, moment(note.known_at), shorten(note.text, 160)] for note in story.notes],
    )
    return View(
        [Fields(fields), *(Section("", [table]) for table in (ladder, outputs, cited, notes))]
    )


def run_noted(run: str, *, is_new: bool) -> View:
    """Return that a person's words on a run are kept."""
    said = "Your words on it are kept" if is_new else "The same was said of it before"
    return View([Paragraph(f"{one_line(run)}: {said}; they feed nothing.")])


def runs_reflected(tally: ReflectTally, mode: Mode) -> View:
    """Return what a look at the ladders answered."""
    if not mode.is_enabled:
        said = "The ladder is off: `afterword switch set reflect_institution on` turns it on."
        return View([Paragraph(said)])
    answers = [f"{number:,} {answer}" for answer, number in sorted(tally.answered.items())]
    where = "" if mode.has_effect else ", in the shadow: nobody is shown them"
    total = sum(tally.answered.values())
    said = f"{count(total, 'window')} answered: {', '.join(answers)}{where}."
    return View([Paragraph(said if answers else "No window is measured that is not answered.")])


def retrospect_view(told: "Retrospect") -> View:
    """Return what the next run on an asset is told."""
    if not told.block:
        return View([Paragraph(f"no run on {one_line(told.asset)} is captured.")])
    blocks: list[Block] = [Verbatim(told.block)]
    if told.digest is not None:
        blocks.append(Paragraph(f"retrospect {told.digest}", tone="quiet"))
    return View(blocks)


def tool_view(answer: Mapping[str, Any]) -> View:
    """Return the tool of a form as JSON."""
    return View([Verbatim(json.dumps(answer, indent=2))])


def _row(run: InstitutionRun) -> list[Cell]:
    answers = [
        f"{_days(window.window_hours)} {window.answer}"
        for window in run.windows
        if window.answer is not None
    ]
    return [
        *(
            run.id,
            Ref(one_line(run.uid), "run", run.uid),
            moment(run.decided_at),
            one_line(run.asset),
            run.direction,
        ),
        *(_days(run.horizon_hours), ", ".join(answers) or "none yet"),
    ]


def _window(window: WindowAnswer) -> list[Cell]:
    if window.answer is None:
        state = _STATES[window.state]
        return [_days(window.window_hours), window.question, state, f"due {moment(window.due_at)}"]
    return [_days(window.window_hours), window.question, window.answer, one_line(window.why)]


def _output(output: RoleOutput) -> list[Cell]:
    stance = output.body.get("direction") or output.body.get("side") or output.body.get("verdict")
    words = next(
        output.body[name]
        for name in ("summary", "claim", "reasons", "rationale", "thesis")
        if name in output.body
    )
    says = shorten(f"{stance}, {output.body['confidence']:.2f}: {words}", 160)
    return [one_line(output.role), output.form, says, ", ".join(map(one_line, output.cited))]


def _citation(citation: RunCitation) -> list[Cell]:
    repeat = "none: a decision recorded before is the same use"
    vote = repeat if citation.is_repeat else _STANDINGS[citation.standing]
    return [one_line(citation.methodology), vote, citation.outcome_state]


def _days(hours: int) -> str:
    return f"{hours / 24:g} d"
