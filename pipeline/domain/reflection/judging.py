"""Judge the wrong decisions of a pass: all together where it is free, else side by side.

A judge that asks gets one decision per thread, so a failed answer costs no other decision. A
verdict is written before its lesson is asked for: a crash between the two pays for neither twice.
"""

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from afterword.pipeline.domain.decisions.tally import Tally, tally_all
from afterword.pipeline.domain.reflection.model import Pass, Reflector
from afterword.pipeline.domain.reflection.steps import (
    build_case,
    classify,
    draft,
    finish,
    keep_verdict,
)
from afterword.pipeline.errors import InvalidInputError, UnavailableError

STEPS: Final = (build_case, classify, keep_verdict, draft, finish)

LONGEST_PASS: Final = timedelta(minutes=8)
"""How long one pass begins new questions: two answers of six minutes more end within the job's
deadline."""

_LONGEST_WAIT_S: Final = 1.0
"""How long an interrupt can go unnoticed while threads ask a model."""


def judge(of: Reflector, run: Pass) -> Pass:
    """Take the decisions that went wrong through the steps of judging.

    Returns:
        The pass with its tally; full if there was no time for all of them.

    Raises:
        PostponedError: nothing may be asked for now; what was settled before stays.
        LeaseLostError: the job runs elsewhere by now.
    """
    if not run.to_judge:
        return run
    if of.judge.at_once:
        return _side_by_side(of, run)
    done = _through_steps(of, replace(run, tally=Tally()))
    of.on_settled(run.role.id, done.tally)
    return replace(done, tally=run.tally + done.tally)


def _through_steps(of: Reflector, run: Pass) -> Pass:
    for step in STEPS:
        run = step(of, run)
    return run


def _side_by_side(of: Reflector, run: Pass) -> Pass:
    parts = [replace(run, to_judge=(measured,), tally=Tally()) for measured in run.to_judge]
    begun, stop, until = threading.Event(), threading.Event(), of.clock() + LONGEST_PASS
    if not of.side_by_side:
        return _added(run, [_judge_one(of, part, stop, until) for part in parts])
    # A thread that works before the pool knows it would not be waited for after an interrupt.
    with ThreadPoolExecutor(min(of.judge.at_once, len(parts)), initializer=begun.wait) as pool:
        try:
            futures = [pool.submit(_judge_one, of, part, stop, until) for part in parts]
            begun.set()
            # A signal just before a wait is acted on when the wait ends: so none may be long.
            while wait(futures, timeout=_LONGEST_WAIT_S).not_done:
                pass
        except BaseException:
            stop.set()  # an interrupt must not pay for the rest
            begun.set()
            raise
    return _added(run, [future.result() for future in futures])


def _added(run: Pass, results: Sequence[Tally | None]) -> Pass:
    """Return the pass with what became of its parts."""
    tallies = [tally for tally in results if tally is not None]
    is_full = run.is_full or len(tallies) < len(results)
    return replace(run, tally=run.tally + tally_all(tallies), is_full=is_full)


def _judge_one(of: Reflector, part: Pass, stop: threading.Event, until: datetime) -> Tally | None:
    """Judge the only decision of a part; None where there was no time for it."""
    if stop.is_set() or of.clock() > until:
        return None
    try:
        try:
            tally = _through_steps(of, part).tally
        except (UnavailableError, InvalidInputError) as error:
            (measured,) = part.to_judge
            tally = of.effects.fail(of.settling, measured.decision, error, of.judge.name)
    except BaseException:
        stop.set()  # nothing may be asked, or nothing be written: the others would fail as well
        raise
    of.on_settled(part.role.id, tally)
    return tally
