"""What a language says for each concept, as `lexicon/de.txt` lists it.

A line is `name: surface, surface, …`, folded as the scan folds a text; the number of a line is that of
its concept, and all languages have the same lines. A surface is a word or several; `*` at its end
stands for any ending. Chinese and Japanese have no spaces: their surfaces are found anywhere.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import Final

from afterword.pipeline.errors import InvalidInputError

LANGUAGES: Final = ("en", "zh", "es", "pt", "ru", "de", "fr", "ja", "ko", "ar", "hi", "tr", "vi")
WITHOUT_SPACES: Final = frozenset({"zh", "ja"})

_SHORTEST_STEM: Final = 2
_MOST_KEPT: Final = 20_000
"""Words whose concepts a process keeps."""

_PREFIXES: Final = ("وال", "فال", "بال", "كال", "ولل", "لل", "ال", "و", "ف", "ب", "ل", "ك")
"""What Arabic writes in one word with the next: and, with, to, the."""

Concepts = tuple[int, ...]


def _surfaces(language: str) -> dict[str, Concepts]:
    """Return the surfaces of a language with the numbers of their concepts, from 1.

    Raises:
        InvalidInputError: no lexicon has the language.
    """
    if language not in LANGUAGES:
        raise InvalidInputError("language", language[:20], ", ".join(LANGUAGES))
    folder = files("afterword.pipeline.rules.injection") / "lexicon"
    found: dict[str, Concepts] = {}
    lines = (folder / f"{language}.txt").read_text("utf-8").splitlines()
    for number, line in enumerate(lines, 1):
        for surface in line.partition(":")[2].split(","):
            if written := surface.strip():
                found[written] = (*found.get(written, ()), number)
    return found


class Lexicon:
    """Finds the concepts of a language with spaces, the longest surface first."""

    def __init__(self, of: dict[str, Concepts]) -> None:
        self._words: dict[str, Concepts] = {}
        self._stems: dict[str, Concepts] = {}
        self._phrases: dict[str, list[tuple[list[str], Concepts]]] = {}
        for surface, concepts in of.items():
            words = surface.split()
            if len(words) > 1:
                self._phrases.setdefault(words[0], []).append((words, concepts))
            elif surface.endswith("*"):
                self._stems[surface[:-1]] = concepts
            else:
                self._words[surface] = concepts
        for phrases in self._phrases.values():
            phrases.sort(key=lambda phrase: -len(phrase[0]))
        self._longest = max(map(len, self._stems), default=0)
        self._known: dict[str, Concepts] = {}

    def at(self, words: Sequence[str], place: int) -> tuple[int, Concepts]:
        """Return how many words the longest surface at a place takes, and its concepts."""
        word = words[place]
        for phrase, concepts in self._phrases.get(word, ()):
            if _is_at(phrase, words, place):
                return len(phrase), concepts
        known = self._known.get(word)
        if known is None:
            if len(self._known) >= _MOST_KEPT:
                self._known.clear()
            known = self._known[word] = self._of_word(word)
        return 1, known

    def _of_word(self, word: str) -> Concepts:
        for form in _forms(word):
            if concepts := self._words.get(form):
                return concepts
            for end in range(min(len(form), self._longest), _SHORTEST_STEM - 1, -1):
                if concepts := self._stems.get(form[:end]):
                    return concepts
        return ()


class UnspacedLexicon:
    """Finds the concepts of a language without spaces, the longest surface first."""

    def __init__(self, of: dict[str, Concepts]) -> None:
        self._surfaces = of
        lengths: dict[str, set[int]] = {}
        for surface in of:
            lengths.setdefault(surface[0], set()).add(len(surface))
        self._lengths = {first: sorted(some, reverse=True) for first, some in lengths.items()}

    def find(self, word: str) -> Iterator[tuple[int, Concepts]]:
        """Yield where a surface begins in a word, and its concepts."""
        at = 0
        while at < len(word):
            for length in self._lengths.get(word[at], ()):
                if concepts := self._surfaces.get(word[at : at + length]):
                    yield at, concepts
                    at += length
                    break
            else:
                at += 1


@cache
def spaced(language: str) -> Lexicon:
    """Return the lexicon of a language with spaces."""
    return Lexicon(_surfaces(language))


@cache
def unspaced(language: str) -> UnspacedLexicon:
    """Return the lexicon of a language without spaces."""
    return UnspacedLexicon(_surfaces(language))


def _is_at(phrase: Sequence[str], words: Sequence[str], place: int) -> bool:
    end = place + len(phrase)
    if end > len(words):
        return False
    last = phrase[-1]
    if last.endswith("*"):
        return words[place : end - 1] == phrase[:-1] and words[end - 1].startswith(last[:-1])
    return words[place:end] == phrase


def _forms(word: str) -> Iterator[str]:
    """Yield a word, and without what Arabic writes before it."""
    yield word
    if "\u0600" <= word[:1] <= "\u06ff":
        for prefix in _PREFIXES:
            if word.startswith(prefix) and len(word) - len(prefix) > _SHORTEST_STEM:
                yield word[len(prefix) :]
