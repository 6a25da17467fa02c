"""Replay recorded model replies. A reply is keyed by the request and its occurrence number.

A line is one JSON object with sorted keys, in ASCII: the `request`, its `task` and `occasion`, how
often it was sent before and with this one (`occurrence`), and the answer (`value`, `model`). Where
the model declined, `value` is null, and `declined` is why, or empty.
"""

import json
import threading
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import takewhile
from pathlib import Path
from typing import Any, Final

from pydantic import ValidationError

from afterword.pipeline.core.store.append import append_line
from afterword.pipeline.errors import CorruptStoreError, InvalidInputError, NotFoundError
from afterword.pipeline.gateway.budget import Usage
from afterword.pipeline.gateway.llm.model import DeclinedError, Filled, Llm, LlmAnswer, Question
from afterword.pipeline.gateway.llm.request import request_of

NO_USAGE: Final = Usage(0, 0, 0)
"""The usage of a replayed answer."""

CassetteLine = dict[str, Any]


class RecordingLlm:
    """Asks another model and records its answers; safe to share between threads.

    Args:
        llm: the model that is asked.
        path: the cassette; created if missing, else extended.
    """

    def __init__(self, llm: Llm, path: Path) -> None:
        self.provider, self.model = llm.provider, llm.model
        self._llm, self._path = llm, path
        self._lock = threading.Lock()
        self._counts = Counter(_key(line) for line in read_cassette(path)) if path.exists() else {}

    def ask(self, question: Question[Filled]) -> LlmAnswer[Filled]:
        """Return the model's answer.

        That it declines is recorded too, since it is not asked again. Other errors are not.
        """
        try:
            answer = self._llm.ask(question)
        except DeclinedError as error:
            self._keep(question, value=None, model=self.model, declined=error.category or "")
            raise
        self._keep(question, value=answer.value.model_dump(mode="json"), model=answer.model)
        return answer

    def close(self) -> None:
        """Close the model."""
        self._llm.close()

    def _keep(self, question: Question[Any], **answer: object) -> None:
        line = _asked(question, self.model) | answer
        with self._lock:
            key = _key(line)
            self._counts[key] = line["occurrence"] = self._counts.get(key, 0) + 1
            append_line(self._path, _written(line))


class CassetteLlm:
    """Answers from a cassette and asks no service; safe to share between threads.

    Args:
        path: the cassette.
        model: name of the model that was recorded.

    Raises:
        NotFoundError: there is no such file.
        CorruptStoreError: a line is not a recorded answer.
    """

    provider = "cassette"

    def __init__(self, path: Path, model: str) -> None:
        self.model = model
        self._path = path
        self._lines = read_cassette(path)
        self._answers = {(_key(line), line["occurrence"]): line for line in self._lines}
        self._counts: Counter[str] = Counter()
        self._lock = threading.Lock()

    def close(self) -> None:
        """Do nothing: the answers were read at the start."""

    def ask(self, question: Question[Filled]) -> LlmAnswer[Filled]:
        """Return the recorded answer.

        Raises:
            DeclinedError: the model declined then.
            InvalidInputError: none is recorded, or it no longer fits the form; names what differs.
        """
        sent = _asked(question, self.model)
        answer, occurrence = self._next(question, sent)
        if answer is None:
            raise InvalidInputError(
                "AFTERWORD_LLM_CASSETTE",
                f"{self._path.name} has no answer {occurrence} to {question.task}: "
                f"{_difference(sent, self._lines)}",
                "a cassette recorded from the same questions",
            )
        return answer

    def find(self, question: Question[Filled]) -> LlmAnswer[Filled] | None:
        """Return the recorded answer, or None; like `ask`, it counts as one asking.

        Raises:
            DeclinedError: the model declined then.
            InvalidInputError: the recorded answer no longer fits the form.
        """
        return self._next(question, _asked(question, self.model))[0]

    def _next(
        self, question: Question[Filled], sent: CassetteLine
    ) -> tuple[LlmAnswer[Filled] | None, int]:
        """Return the next answer to a question if there is one, and how often it was asked."""
        key = _key(sent)
        with self._lock:
            self._counts[key] += 1
            occurrence = self._counts[key]
        line = self._answers.get((key, occurrence))
        return (None if line is None else _answer(question, line)), occurrence


class ResumingLlm:
    """Answers what a cassette has, and asks for the rest and records it.

    So a long experiment that was interrupted pays for no question twice.

    Args:
        llm: the model that is asked.
        path: the cassette; created if missing, else extended.
    """

    def __init__(self, llm: Llm, path: Path) -> None:
        self.provider, self.model = llm.provider, llm.model
        self._recorded = CassetteLlm(path, llm.model) if path.exists() else None
        self._recording = RecordingLlm(llm, path)

    def ask(self, question: Question[Filled]) -> LlmAnswer[Filled]:
        """Return the recorded answer, else the model's."""
        recorded = None if self._recorded is None else self._recorded.find(question)
        return self._recording.ask(question) if recorded is None else recorded

    def close(self) -> None:
        """Close the model."""
        self._recording.close()


def read_cassette(path: Path) -> list[CassetteLine]:
    """Return the lines of a cassette.

    Raises:
        NotFoundError: there is no such file.
        CorruptStoreError: a line is not a recorded answer.
    """
    try:
        text = path.read_text("ascii")
    except FileNotFoundError:
        raise NotFoundError(f"no cassette at {path}; record one with a model first") from None
    except (OSError, UnicodeDecodeError) as error:
        raise CorruptStoreError(f"{path} is not a cassette ({error})") from None
    return [_read(path, number, line) for number, line in enumerate(text.splitlines(), 1)]


_FIELDS: Final = frozenset({"model", "occasion", "occurrence", "request", "task", "value"})
_DECLINED: Final = "declined"


def _read(path: Path, number: int, text: str) -> CassetteLine:
    try:
        line = json.loads(text)
    except ValueError:
        line = None
    if not isinstance(line, dict) or line.keys() - {_DECLINED} != _FIELDS:
        raise CorruptStoreError(f"{path} line {number} is not a recorded answer")
    return line


def _answer(question: Question[Filled], line: CassetteLine) -> LlmAnswer[Filled]:
    if _DECLINED in line:
        raise DeclinedError(line["model"], line[_DECLINED] or None)
    try:
        value = question.form.model_validate_json(json.dumps(line["value"]))
    except ValidationError as error:
        raise InvalidInputError(
            "AFTERWORD_LLM_CASSETTE",
            f"an answer to {question.task} no longer fits its form ({error.error_count()} fields)",
            "a cassette recorded from the same forms",
        ) from None
    return LlmAnswer(value, NO_USAGE, line["model"], request_id="")


def _asked(question: Question[Any], model: str) -> CassetteLine:
    """Return the part of a line that identifies a question."""
    # Once through JSON, so that it compares equal to what was read.
    request = json.loads(json.dumps(request_of(question, model)))
    return {"task": question.task, "occasion": question.occasion, "request": request}


def _key(line: Mapping[str, Any]) -> str:
    return _written({name: line[name] for name in ("task", "occasion", "request")})


def _written(line: object) -> str:
    return json.dumps(line, sort_keys=True, ensure_ascii=True, separators=(",", ":"))


def _difference(question: CassetteLine, lines: Iterable[CassetteLine]) -> str:
    """Describe how the nearest recorded question differs, without quoting it."""
    near = [line for line in lines if line["task"] == question["task"]]
    if not near:
        return "no question of this task was recorded"
    differences = [_differing(question, line) for line in near]
    fewest = min(differences, key=len)
    if not fewest:
        return "it was recorded, but less often"
    return f"the nearest one differs in {', '.join(fewest)}"


def _differing(question: CassetteLine, line: CassetteLine) -> list[str]:
    differences = [] if question["occasion"] == line["occasion"] else ["occasion"]
    ours, theirs = question["request"], line["request"]
    for name in sorted(ours.keys() | theirs.keys()):
        one, other = _written(ours.get(name)), _written(theirs.get(name))
        if one != other:
            same = takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
            differences.append(f"{name} (from character {sum(1 for _ in same):,})")
    return differences
