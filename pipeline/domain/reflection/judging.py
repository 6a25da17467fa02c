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

from afterword.pipeline.domain.decisions.model import Tally, tally_all
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

LONGEST_WAIT_S: Final = 1.0
"""How long an interrupt can go unnoticed while threads ask a model."""


def judge(of: Reflector, one: Pass) -> Pass:
    """Take the decisions that went wrong through the steps of judging.

    Returns:
        The pass with its tally; full if there was no time for all of them.

    Raises:
        PostponedError: nothing may be asked for now; what was settled before stays.
        LeaseLostError: the job runs elsewhere by now.
    """
    if not one.to_judge:
        return one
    if of.judge.at_once:
        return _side_by_side(of, one)
    done = _through_steps(of, replace(one, tally=Tally()))
    of.on_settled(one.role.id, done.tally)
    return replace(done, tally=one.tally + done.tally)


def _through_steps(of: Reflector, one: Pass) -> Pass:
    for step in STEPS:
        one = step(of, one)
    return one


def _side_by_side(of: Reflector, one: Pass) -> Pass:
    parts = [replace(one, to_judge=(measured,), tally=Tally()) for measured in one.to_judge]
    begun, stop, until = threading.Event(), threading.Event(), of.clock() + LONGEST_PASS
    if not of.side_by_side:
        return _added(one, [_judge_one(of, part, stop, until) for part in parts])
    # A thread that works before the pool knows it would not be waited for after an interrupt.
    with ThreadPoolExecutor(min(of.judge.at_once, len(parts)), initializer=begun.wait) as pool:
        try:
            futures = [pool.submit(_judge_one, of, part, stop, until) for part in parts]
            begun.set()
            # A signal just before a wait is acted on when the wait ends: so none may be long.
            while wait(futures, timeout=LONGEST_WAIT_S).not_done:
                pass
        except BaseException:
            stop.set()  # an interrupt must not pay for the rest
            begun.set()
            raise
    return _added(one, [future.result() for future in futures])


def _added(one: Pass, found: Sequence[Tally | None]) -> Pass:
    """Return the pass with what became of its parts."""
    tallies = [tally for tally in found if tally is not None]
    is_full = one.is_full or len(tallies) < len(found)
    return replace(one, tally=one.tally + tally_all(tallies), is_full=is_full)


def _judge_one(of: Reflector, one: Pass, stop: threading.Event, until: datetime) -> Tally | None:
    """Judge the only decision of a part; None where there was no time for it."""
    if stop.is_set() or of.clock() > until:
        return None
    try:
        try:
            tally = _through_steps(of, one).tally
        except (UnavailableError, InvalidInputError) as error:
            (measured,) = one.to_judge
            tally = of.effects.fail(of.settling, measured.decision, error, of.judge.name)
    except BaseException:
        stop.set()  # nothing may be asked, or nothing be written: the others would fail as well
        raise
    of.on_settled(one.role.id, tally)
    return tally
