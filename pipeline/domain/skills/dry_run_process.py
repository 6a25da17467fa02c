"""Try out the file of a skill in a process of its own, which can be ended.

What a file registers may wait for an answer for ever, and a thread cannot be ended.
"""

import os
import sys
from collections.abc import Mapping
from datetime import datetime
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final

from afterword.pipeline.domain.skills.dry_run import SkillTrial, try_skill
from afterword.pipeline.errors import InvalidInputError, NotFoundError, UnavailableError

DEFAULT_LIMIT_S: Final = 60.0
"""How long a file may take to load, and then for each answer; seconds."""

_STDOUT: Final = 1


def try_skill_within(
    limit_s: float,
    home: Path,
    path: Path,
    now: datetime,
    inputs: Mapping[str, Any] | None = None,
) -> SkillTrial:
    """Return what `try_skill` returns; end the file if it takes too long.

    Args:
        limit_s: how long it may take to load, and then for each answer; seconds.
        home, path, now, inputs: as of `try_skill`.

    Raises:
        NotFoundError, InvalidInputError: as `try_skill`.
        UnavailableError: it took too long, or ended its process.
    """
    context = get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_send_trial, args=(sender, home, path, now, inputs))
    process.start()
    sender.close()
    try:
        return _received(receiver, limit_s, path)
    finally:
        process.kill()
        process.join()
        receiver.close()


def _received(receiver: Connection, limit_s: float, path: Path) -> SkillTrial:
    """Return the trial that a process sends, or raise its error."""
    doing = "loading it"
    while receiver.poll(limit_s):
        try:
            message = receiver.recv()
        except EOFError:
            raise UnavailableError(f"{path}: {doing} ended the whole process") from None
        match message:
            case str():
                doing = message
            case SkillTrial():
                return message
            case (type() as kind, *args):
                raise kind(*args)
    raise UnavailableError(
        f"{path}: {doing} took more than {limit_s:g} s and was ended; --limit-s allows more"
    )


def _send_trial(
    sender: Connection,
    home: Path,
    path: Path,
    now: datetime,
    inputs: Mapping[str, Any] | None,
) -> None:
    """Send what is asked, one text after another, and the trial or its error."""
    sys.stdout.flush()
    os.dup2(sys.stderr.fileno(), _STDOUT)  # what the file prints is not a part of the answer
    try:
        sender.send(try_skill(home, path, now, inputs, asking=sender.send))
    except InvalidInputError as error:
        sender.send((InvalidInputError, error.field, error.problem, error.accepted))
    except NotFoundError as error:
        sender.send((NotFoundError, str(error)))
