"""Write events as log lines: one line per event, one `action` per line, secrets masked."""

import json
import logging
import os
import re
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final, Literal, TextIO

from afterword.pipeline.clock import Clock, iso
from afterword.pipeline.core.telemetry import listen
from afterword.pipeline.core.telemetry.levels import ONCE, level_of, level_of_record
from afterword.pipeline.rules.masking import mask, trace

QUIET: Final = timedelta(seconds=10)
"""A repeated warning is written once in this time, with the number of its repetitions."""

LONGEST_FACT: Final = 300
"""Most characters of a fact that are written; an error may quote a long text."""

_LONGEST_READ: Final = 4_000
"""Characters of a fact that are searched for secrets; the rest is not written."""

# Stricter than the masking of memories, where `token: PEPE` names a coin: a log can do without it.
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
    """Write a line for each event of at least `level`, and for each warning of a library.

    The traceback of a thread that died is written too, masked as everything else.

    Args:
        stream: where the lines go, such as standard error.
        level: the lowest level that is written, such as `INFO`.

    Returns:
        A function that stops it and restores the logging of libraries.
    """
    log = EventLog(stream, format, logging.getLevelNamesMapping()[level], clock)
    stop_listening = listen(log)
    root, handler = logging.getLogger(), _FromLibraries(log)
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG if log.level == logging.DEBUG else logging.WARNING)
    hook, threading.excepthook = threading.excepthook, log.thread_died

    def stop() -> None:
        stop_listening()
        threading.excepthook = hook
        root.removeHandler(handler)
        root.setLevel(before)
        log.close()

    return stop


@dataclass(slots=True)
class _SentWarning:
    """A warning that was written, and how often it was repeated since, last at `last_at`."""

    since: datetime
    level: int
    action: str
    facts: Mapping[str, Any]
    last_at: datetime
    again: int = 0


class EventLog:
    """A telemetry listener that writes lines.

    It never raises: it is called inside write transactions, and a closed stream must not fail them.
    """

    def __init__(self, stream: TextIO, format: str, level: int, clock: Clock) -> None:
        self.level = level
        self._stream, self._clock = stream, clock
        self._form = _as_json if format == "json" else _as_text
        self._lock = threading.Lock()
        self._quiet: dict[str, _SentWarning] = {}

    def __call__(self, action: str, facts: dict[str, Any]) -> None:
        """Write the event, unless its level is too low or it repeats a warning."""
        level = level_of(action, facts)
        if level >= self.level:
            self.write(level, action, _presentable(action, facts))

    def write(self, level: int, action: str, facts: Mapping[str, Any]) -> None:
        """Write one line; a repeated warning is only counted."""
        with self._lock:
            now = self._clock()
            # `abs`: a clock that was set back ends the quiet time too.
            over = [key for key, one in self._quiet.items() if abs(now - one.since) >= QUIET]
            self._write_repeated(over, now)
            is_single = level < logging.WARNING or action in ONCE
            if is_single or self._is_new(_SentWarning(now, level, action, facts, now)):
                self._put(level, action, facts, now)

    def thread_died(self, args: threading.ExceptHookArgs) -> None:
        """Write the traceback of an error that ended a thread."""
        if args.exc_value is not None and not isinstance(args.exc_value, SystemExit):
            with self._lock:
                self._print(trace(args.exc_value).rstrip())

    def close(self) -> None:
        """Write how often each warning was repeated until now."""
        with self._lock:
            self._write_repeated(list(self._quiet), self._clock())

    def _is_new(self, warned: _SentWarning) -> bool:
        """Remember a warning; False if an earlier one is equal but for its numbers."""
        words = [warned.action, *(word for word in warned.facts.values() if isinstance(word, str))]
        known = self._quiet.setdefault(_NUMBER.sub("#", " ".join(words)), warned)
        if known is warned:
            return True
        known.facts, known.last_at, known.again = warned.facts, warned.since, known.again + 1
        return False

    def _write_repeated(self, keys: Iterable[str], now: datetime) -> None:
        """Write how often warnings were repeated, and begin another quiet time for them.

        The line has the time of the last repetition. It may be written minutes later, with the
        next line: with the present time it would look like a new warning.
        """
        for key in keys:
            one = self._quiet.pop(key)
            if one.again:
                facts = {**one.facts, "repeated": one.again}
                self._put(one.level, one.action, facts, one.last_at)
                if abs(now - one.last_at) < QUIET:
                    self._quiet[key] = replace(one, since=now, again=0)

    def _put(self, level: int, action: str, facts: Mapping[str, Any], now: datetime) -> None:
        self._print(self._form(iso(now), logging.getLevelName(level), action, facts))

    def _print(self, line: str) -> None:
        with suppress(OSError, ValueError):  # the stream is closed, or its reader is gone
            self._stream.write(line + "\n")
            self._stream.flush()


class _FromLibraries(logging.Handler):
    """Passes log records of libraries to the event log."""

    def __init__(self, log: EventLog) -> None:
        super().__init__()
        self._log = log

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record of a library as an event, if its level is shown."""
        level = level_of_record(record)
        if level < self._log.level:
            return
        try:
            message = record.getMessage()
        except (TypeError, ValueError):  # its arguments do not fit its format; the caller goes on
            message = str(record.msg)
        # Dramatiq has a logger for each queue; with one name, a common warning is one line.
        facts = {"logger": record.name.partition("(")[0], "message": _shown(message)}
        if record.exc_info and record.exc_info[1] is not None:
            facts["error"] = type(record.exc_info[1]).__name__
            if self._log.level == logging.DEBUG:
                facts["traceback"] = trace(record.exc_info[1])
        self._log.write(level, "library.logged", facts)


def _presentable(action: str, facts: Mapping[str, Any]) -> dict[str, Any]:
    shown = {name: _shown(value) for name, value in facts.items() if name != "level"}
    if action == "jobs.ended" and isinstance(error := shown.get("error"), str):
        # The message may quote stored text; `afterword jobs show` prints all of it.
        shown["error"] = error.partition(":")[0]
    return shown


def _shown(value: Any) -> Any:
    """Return a fact in a form that may be written: short, and with secrets masked."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return round(value, 6)
    text = mask(str(value)[:_LONGEST_READ])
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
    """Return a value in a form that cannot be confused with the next fact or line."""
    text = str(value)
    return text if _PLAIN.fullmatch(text) else json.dumps(text)
