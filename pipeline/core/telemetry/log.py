"""Writes what is told as log lines: one line an event, one `action` a line, no secret in any."""

import json
import logging
import os
import re
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final, Literal, TextIO

from afterword.pipeline.clock import Clock, iso
from afterword.pipeline.core.telemetry import listen
from afterword.pipeline.core.telemetry.levels import ONCE, level_of, level_of_record
from afterword.pipeline.rules.masking import mask

QUIET: Final = timedelta(seconds=10)
"""The same warning is written once in so long, with the number of its repetitions."""

LONGEST_FACT: Final = 300
"""Characters of a fact that are written; an error may quote more than a reader wants."""

LONGEST_READ: Final = 4_000
"""Characters of a fact that are looked at for secrets; what is cut here is not written either."""

# Stricter than what a memory keeps, where `token: PEPE` is a coin: a log loses nothing by it.
_SECRETS: Final = (
    (re.compile(r"(?<=://)[^/\s@]+(?=@)"), "***"),
    (re.compile(r"(?i)\b(bearer|basic)\s+[^\s'\",;]+"), r"\1 ***"),
    (
        re.compile(r"(?i)(key|token|secret|passw(?:or)?d)(['\"]?\s*[=:]\s*['\"]?)[^\s'\",;&]+"),
        r"\1\2***",
    ),
    (re.compile(r"\bsk-[\w-]{8,}"), "***"),
)
_NUMBER: Final = re.compile(r"\d+")
_PLAIN: Final = re.compile(r"[!#-<>-~]+")  # visible ASCII but the quote and the equals sign


def log_events(
    stream: TextIO, format: Literal["text", "json"], level: str, clock: Clock
) -> Callable[[], None]:
    """Write a line for each event that matters, and for each warning of a library.

    Args:
        stream: such as the process's standard error.
        level: least important level that is written, such as `INFO`.

    Returns:
        A function that ends it, and gives libraries their own logging back.
    """
    log = EventLog(stream, format, logging.getLevelNamesMapping()[level], clock)
    stop_listening = listen(log)
    root, handler = logging.getLogger(), _FromLibraries(log)
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG if log.level == logging.DEBUG else logging.WARNING)

    def stop() -> None:
        stop_listening()
        root.removeHandler(handler)
        root.setLevel(before)
        log.close()

    return stop


@dataclass(slots=True)
class _Warned:
    """A warning that was written, and how often it came again since, last at `last_at`."""

    since: datetime
    level: int
    action: str
    facts: Mapping[str, Any]
    last_at: datetime
    again: int = 0


class EventLog:
    """A telemetry listener that writes lines.

    It is called inside write transactions and never raises: a closed stream must stop no work.
    """

    def __init__(self, stream: TextIO, format: str, level: int, clock: Clock) -> None:
        self.level = level
        self._stream, self._clock = stream, clock
        self._form = _as_json if format == "json" else _as_text
        self._lock = threading.Lock()
        self._quiet: dict[str, _Warned] = {}

    def __call__(self, action: str, facts: dict[str, Any]) -> None:
        """Write the event, if it is important enough and no repetition."""
        level = level_of(action, facts)
        if level >= self.level:
            self.write(level, action, _presentable(action, facts))

    def write(self, level: int, action: str, facts: Mapping[str, Any]) -> None:
        """Write one line; a warning that repeats itself is counted instead."""
        with self._lock:
            now = self._clock()
            # A clock that was set back ends the silence too.
            over = [key for key, one in self._quiet.items() if abs(now - one.since) >= QUIET]
            self._tell_repeated(over, now)
            is_single = level < logging.WARNING or action in ONCE
            if is_single or self._is_new(_Warned(now, level, action, facts, now)):
                self._put(level, action, facts, now)

    def close(self) -> None:
        """Write how often each warning came again until now."""
        with self._lock:
            self._tell_repeated(list(self._quiet), self._clock())

    def _is_new(self, warned: _Warned) -> bool:
        """Remember a warning; False if it differs from an earlier one in its numbers at most."""
        words = [warned.action, *(word for word in warned.facts.values() if isinstance(word, str))]
        known = self._quiet.setdefault(_NUMBER.sub("#", " ".join(words)), warned)
        if known is warned:
            return True
        known.facts, known.last_at, known.again = warned.facts, warned.since, known.again + 1
        return False

    def _tell_repeated(self, keys: Iterable[str], now: datetime) -> None:
        """Write how often warnings came again, and keep quiet about those for another while.

        The line has the moment of the last repetition, since it may be written minutes later, with
        the next line that comes: with the present it would look as if the trouble were back.
        """
        for key in keys:
            one = self._quiet.pop(key)
            if one.again:
                facts = {**one.facts, "repeated": one.again}
                self._put(one.level, one.action, facts, one.last_at)
                if abs(now - one.last_at) < QUIET:
                    self._quiet[key] = _Warned(now, one.level, one.action, one.facts, one.last_at)

    def _put(self, level: int, action: str, facts: Mapping[str, Any], now: datetime) -> None:
        line = self._form(iso(now), logging.getLevelName(level), action, facts)
        with suppress(OSError, ValueError):  # the stream is closed, or its reader is gone
            self._stream.write(line + "\n")
            self._stream.flush()


class _FromLibraries(logging.Handler):
    """Hands over what libraries log."""

    def __init__(self, log: EventLog) -> None:
        super().__init__()
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        level = level_of_record(record)
        if level < self._log.level:
            return
        try:
            message = record.getMessage()
        except (TypeError, ValueError):  # its arguments do not fit; that is not our caller's fault
            message = str(record.msg)
        # Dramatiq names a logger for each queue; with one name, their one trouble is one line.
        facts = {"logger": record.name.partition("(")[0], "message": _shown(message)}
        if record.exc_info and record.exc_info[0] is not None:
            facts["error"] = record.exc_info[0].__name__
            if self._log.level == logging.DEBUG:
                facts["traceback"] = logging.Formatter().formatException(record.exc_info)
        self._log.write(level, "library.logged", facts)


def _presentable(action: str, facts: Mapping[str, Any]) -> dict[str, Any]:
    shown = {name: _shown(value) for name, value in facts.items() if name != "level"}
    if action == "jobs.ended" and isinstance(error := shown.get("error"), str):
        # Its message may quote what was remembered; `afterword jobs show` has all of it.
        shown["error"] = error.partition(":")[0]
    return shown


def _shown(value: Any) -> Any:
    """Return a fact as it may be written: short, and without secrets."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return round(value, 6)
    text = mask(str(value)[:LONGEST_READ])
    for secret, hidden in _SECRETS:
        text = secret.sub(hidden, text)
    return text if len(text) <= LONGEST_FACT else text[:LONGEST_FACT] + "..."


def _as_json(moment: str, level: str, action: str, facts: Mapping[str, Any]) -> str:
    line = {"ts": moment, "level": level, "action": action, "pid": os.getpid()}
    # Names of the line itself come first and win.
    return json.dumps({**line, **{name: facts[name] for name in facts if name not in line}})


def _as_text(moment: str, level: str, action: str, facts: Mapping[str, Any]) -> str:
    words = [f"{name}={_word(value)}" for name, value in facts.items() if value is not None]
    return " ".join([f"{moment} {level:<7} [{os.getpid()}] {action}", *words])


def _word(value: Any) -> str:
    """Return a value that cannot be taken for the next fact or the next line."""
    text = str(value)
    return text if _PLAIN.fullmatch(text) else json.dumps(text)
