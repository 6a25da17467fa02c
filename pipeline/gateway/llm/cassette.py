"""Recorded answers: the same question, asked the same time again, is answered the same.

A line is one JSON object with sorted keys, in ASCII: what was sent (`request`), for which task and
occasion, the how-many-eth time (`occurrence`), and what was answered (`value`, `model`).
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
from afterword.pipeline.gateway.llm.model import Filled, Llm, LlmAnswer, Question
from afterword.pipeline.gateway.llm.request import request_of

NOTHING: Final = Usage(0, 0, 0)
"""What an answer takes that nobody was asked for."""

Line = dict[str, Any]


class RecordingLlm:
    """Asks another, and writes down what it answered; safe to share between threads.

    Args:
        llm: who is asked.
        path: the cassette; made if it is missing, else continued.
    """

    def __init__(self, llm: Llm, path: Path) -> None:
        self.provider, self.model = llm.provider, llm.model
        self._llm, self._path = llm, path
        self._lock = threading.Lock()
        self._asked = Counter(_key(line) for line in read_cassette(path)) if path.exists() else {}

    def ask(self, question: Question[Filled]) -> LlmAnswer[Filled]:
        """Return the other's answer; what it raises is not recorded."""
        answer = self._llm.ask(question)
        line = _told(question, self.model)
        line["value"] = answer.value.model_dump(mode="json")
        line["model"] = answer.model
        with self._lock:
            key = _key(line)
            self._asked[key] = line["occurrence"] = self._asked.get(key, 0) + 1
            append_line(self._path, _written(line))
        return answer

    def close(self) -> None:
        """Close whoever is asked."""
        self._llm.close()


class CassetteLlm:
    """Answers from a cassette, and asks nobody; safe to share between threads.

    Args:
        path: the cassette.
        model: whose answers they are.

    Raises:
        NotFoundError: there is no such file.
        CorruptStoreError: a line is not one that was recorded.
    """

    provider = "cassette"

    def __init__(self, path: Path, model: str) -> None:
        self.model = model
        self._path = path
        self._lines = read_cassette(path)
        self._answers = {(_key(line), line["occurrence"]): line for line in self._lines}
        self._asked: Counter[str] = Counter()
        self._lock = threading.Lock()

    def close(self) -> None:
        """Hold nothing: the answers were read at the start."""

    def ask(self, question: Question[Filled]) -> LlmAnswer[Filled]:
        """Return what was recorded.

        Raises:
            InvalidInputError: nothing was, or it fits the form no longer; names what differs.
        """
        told = _told(question, self.model)
        key = _key(told)
        with self._lock:
            self._asked[key] += 1
            occurrence = self._asked[key]
        line = self._answers.get((key, occurrence))
        if line is None:
            raise InvalidInputError(
                "AFTERWORD_LLM_CASSETTE",
                f"{self._path.name} holds no answer {occurrence} to {question.task}: "
                f"{_difference(told, self._lines)}",
                "a cassette recorded from the same questions",
            )
        try:
            value = question.form.model_validate_json(json.dumps(line["value"]))
        except ValidationError as error:
            raise InvalidInputError(
                "AFTERWORD_LLM_CASSETTE",
                f"an answer to {question.task} fits its form no longer ({error.error_count()} "
                "fields)",
                "a cassette recorded from the same forms",
            ) from None
        return LlmAnswer(value, NOTHING, line["model"], request_id="")


def read_cassette(path: Path) -> list[Line]:
    """Return the lines of a cassette.

    Raises:
        NotFoundError: there is no such file.
        CorruptStoreError: a line is not one that was recorded.
    """
    try:
        text = path.read_text("ascii")
    except FileNotFoundError:
        raise NotFoundError(f"no cassette at {path}; record one with a model first") from None
    except (OSError, UnicodeDecodeError) as error:
        raise CorruptStoreError(f"{path} is no cassette ({error})") from None
    return [_read(path, number, line) for number, line in enumerate(text.splitlines(), 1)]


_FIELDS: Final = frozenset({"model", "occasion", "occurrence", "request", "task", "value"})


def _read(path: Path, number: int, text: str) -> Line:
    try:
        line = json.loads(text)
    except ValueError:
        line = None
    if not isinstance(line, dict) or line.keys() != _FIELDS:
        raise CorruptStoreError(f"{path} line {number} is no recorded answer")
    return line


def _told(question: Question[Any], model: str) -> Line:
    """Return what tells one asking from another."""
    # Once through JSON, so that what is asked compares with what was read.
    request = json.loads(json.dumps(request_of(question, model)))
    return {"task": question.task, "occasion": question.occasion, "request": request}


def _key(line: Mapping[str, Any]) -> str:
    return _written({name: line[name] for name in ("task", "occasion", "request")})


def _written(line: object) -> str:
    return json.dumps(line, sort_keys=True, ensure_ascii=True, separators=(",", ":"))


def _difference(told: Line, lines: Iterable[Line]) -> str:
    """Say in what the nearest recorded question differs, and where; none of its words."""
    near = [line for line in lines if line["task"] == told["task"]]
    if not near:
        return "no question of this task was recorded"
    differences = [_differing(told, line) for line in near]
    fewest = min(differences, key=len)
    if not fewest:
        return "it was recorded, but less often"
    return f"the nearest one differs in {', '.join(fewest)}"


def _differing(told: Line, line: Line) -> list[str]:
    found = [] if told["occasion"] == line["occasion"] else ["occasion"]
    ours, theirs = told["request"], line["request"]
    for name in sorted(ours.keys() | theirs.keys()):
        one, other = _written(ours.get(name)), _written(theirs.get(name))
        if one != other:
            same = takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
            found.append(f"{name} (from character {sum(1 for _ in same):,})")
    return found
