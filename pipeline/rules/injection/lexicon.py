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
from afterword.pipeline.expression import expression

LANGUAGES: Final = ("en", "zh", "es", "pt", "ru", "de", "fr", "ja", "ko", "ar", "hi", "tr", "vi")
WITHOUT_SPACES: Final = frozenset({"zh", "ja"})

_SHORTEST_STEM: Final = 2
_MOST_KEPT: Final = 20_000
"""Words whose concepts a process keeps."""

_PREFIXES: Final = {
    "ar": ("وال", "فال", "بال", "كال", "ولل", "لل", "ال", "و", "ف", "ب", "ل", "ك"),
    "fr": ("l", "d", "qu", "j", "n", "s", "m", "t", "c", "jusqu", "lorsqu", "puisqu", "quoiqu"),
}
"""What a language writes in one word with the next: and, with, to, the; `ladresse` for `l'adresse`."""

_VOWELS: Final = {"fr": "aeiouyh"}
"""What the rest of a word begins with, in a language that cuts its small words before vowels only."""

_SHORTEST_REST: Final = {"ar": 3, "fr": 4}
"""Characters of a word without its prefix: a shorter one is there by chance."""

_SHAPES: Final = {
    "question": expression(r"\?"),
    "number": expression(r"[a-z]?[0-9][0-9.%$k]*"),
    "code": expression(r"(?=.*[0-9])(?=.*[a-z])[a-z0-9]{6,}"),
    "domain": expression(r"[a-z0-9]+(?:\.[a-z][a-z0-9]+)+"),
}
"""Words that no lexicon has, but whose shape tells the concept: sums, addresses, hosts and files."""

Concepts = tuple[int, ...]
Named = tuple[int, int, Concepts]
"""Which word names concepts, counted from 0, and at which character it begins."""


@cache
def names() -> tuple[str, ...]:
    """Return the names of the concepts: the first is that of number 1."""
    return tuple(line.partition(":")[0] for line in _lines("en"))


def _lines(language: str) -> list[str]:
    """Return the lines of a lexicon."""
    folder = files("afterword.pipeline.rules.injection") / "lexicon"
    return (folder / f"{language}.txt").read_text("utf-8").splitlines()


def _surfaces(language: str) -> dict[str, Concepts]:
    """Return the surfaces of a language with the numbers of their concepts, from 1.

    Raises:
        InvalidInputError: no lexicon has the language.
    """
    if language not in LANGUAGES:
        raise InvalidInputError("language", language[:20], ", ".join(LANGUAGES))
    found: dict[str, Concepts] = {}
    for number, line in enumerate(_lines(language), 1):
        for surface in line.partition(": ")[2].split(", "):
            found[surface] = (*found.get(surface, ()), number)
    found.pop("", None)  # a concept that is told by its shape has no surface
    return found


class _Node:
    """What surfaces go on with, after some words or characters."""

    __slots__ = ("children", "concepts", "goes_on", "stems")

    def __init__(self) -> None:
        self.concepts: Concepts = ()
        # Most surfaces go on with nothing: there are a hundred thousand of them.
        self.children: dict[str, _Node] = _NO_CHILDREN
        self.stems: tuple[tuple[str, Concepts], ...] = ()
        self.goes_on = False

    def add(self, parts: Sequence[str], concepts: Concepts) -> None:
        """Keep a surface by its parts: words, of which the last may be a stem, or characters."""
        node = self
        for part in parts[:-1]:
            node = node.child(part)
        last = parts[-1]
        if last.endswith("*"):
            node.stems = (*node.stems, (last[:-1], concepts))
            node.goes_on = True
        else:
            node.child(last).concepts = concepts

    def child(self, part: str) -> "_Node":
        """Return the node after a part, which is made if there is none."""
        if self.children is _NO_CHILDREN:
            self.children = {}
            self.goes_on = True
        return self.children.setdefault(part, _Node())


_NO_CHILDREN: Final[dict[str, _Node]] = {}


class Lexicon:
    """Finds the concepts of a language with spaces, the longest surface first."""

    def __init__(self, of: dict[str, Concepts], language: str = "") -> None:
        self._language = language
        self._words: dict[str, Concepts] = {}
        self._stems: dict[str, Concepts] = {}
        self._phrases = _by_first(of, " ")
        for surface, concepts in of.items():
            if " " not in surface:
                if surface.endswith("*"):
                    self._stems[surface[:-1]] = concepts
                else:
                    self._words[surface] = concepts
        self._longest = max(map(len, self._stems), default=0)
        self._known: dict[str, _Node] = {}

    def find(self, words: Sequence[str], also: "Lexicon | None" = None) -> Iterator[Named]:
        """Yield the concepts of some words.

        Args:
            also: for words in ASCII that this lexicon lacks.
        """
        # Written out: this runs for every word that is weighed.
        known = self._known
        start = left = 0
        for place, word in enumerate(words):
            if left:  # of a surface of several words
                left -= 1
            else:
                node = known.get(word) or self._look_up(word)
                if also and not (node.concepts or node.goes_on) and word.isascii():
                    node = also._known.get(word) or also._look_up(word)
                concepts = node.concepts
                if node.goes_on:
                    taken, concepts = _longest(node, words, place)
                    left = taken - 1
                if concepts:
                    yield place, start, concepts
            start += len(word) + 1

    def _look_up(self, word: str) -> _Node:
        """Return what a word names, and what surfaces that begin with it go on with."""
        if len(self._known) >= _MOST_KEPT:
            self._known.clear()
        node = self._known[word] = _Node()
        for form in self._forms(word):
            for rest, concepts in self._phrases.get(form, ()):
                node.add(rest.split(" "), concepts)
            node.concepts = self._words.get(form) or self._of_stem(form)
            if node.concepts:
                return node
        node.concepts = _of_shape(word)
        return node

    def _of_stem(self, word: str) -> Concepts:
        for end in range(min(len(word), self._longest), _SHORTEST_STEM - 1, -1):
            if concepts := self._stems.get(word[:end]):
                return concepts
        return ()

    def _forms(self, word: str) -> Iterator[str]:
        """Yield a word, and without what its language writes before it."""
        yield word
        vowels = _VOWELS.get(self._language, "")
        for prefix in _PREFIXES.get(self._language, ()):
            rest = word[len(prefix) :]
            if (
                word.startswith(prefix)
                and len(rest) >= _SHORTEST_REST[self._language]
                and (not vowels or rest[0] in vowels)
            ):
                yield rest


class UnspacedLexicon:
    """Finds the concepts of a language without spaces, the longest surface first."""

    def __init__(self, of: dict[str, Concepts]) -> None:
        self._surfaces = _by_first(of, "")
        self._known: dict[str, _Node] = {}

    def find(self, word: str) -> Iterator[tuple[int, Concepts]]:
        """Yield where a surface begins in a word, and its concepts."""
        left = 0
        for at, character in enumerate(word):
            if left:
                left -= 1
            elif node := self._known.get(character) or self._look_up(character):
                taken, concepts = _longest(node, word, at)
                left = taken - 1
                if concepts:
                    yield at, concepts

    def _look_up(self, character: str) -> _Node | None:
        """Return what surfaces that begin with a character go on with; None if none does."""
        if character not in self._surfaces:
            return None
        node = self._known[character] = _Node()
        for rest, concepts in self._surfaces[character]:
            if rest:
                node.add(rest, concepts)
            else:
                node.concepts = concepts
        return node


def _by_first(of: dict[str, Concepts], between: str) -> dict[str, list[tuple[str, Concepts]]]:
    """Return the rest of each surface by its first word or character: few of them are ever asked for.

    Args:
        between: what stands between two words; surfaces of one word are left out. "" for characters.
    """
    found: dict[str, list[tuple[str, Concepts]]] = {}
    for surface, concepts in of.items():
        if not between:
            found.setdefault(surface[0], []).append((surface[1:], concepts))
        elif between in surface:
            first, _, rest = surface.partition(between)
            found.setdefault(first, []).append((rest, concepts))
    return found


@cache
def spaced(language: str) -> Lexicon:
    """Return the lexicon of a language with spaces."""
    return Lexicon(_surfaces(language), language)


@cache
def unspaced(language: str) -> UnspacedLexicon:
    """Return the lexicon of a language without spaces."""
    return UnspacedLexicon(_surfaces(language))


def _of_shape(word: str) -> Concepts:
    for name, shape in _SHAPES.items():
        if shape.fullmatch(word):
            return (names().index(name) + 1,)
    return ()


def _longest(node: _Node, parts: Sequence[str], place: int) -> tuple[int, Concepts]:
    """Return how many words, or characters, the longest surface at a place takes, and its concepts.

    Args:
        node: that of the part at the place.
    """
    taken, concepts = 1, node.concepts
    end = place + 1
    while node.goes_on and end < len(parts):
        part = parts[end]
        end += 1
        for stem, of in node.stems:
            if part.startswith(stem):
                taken, concepts = end - place, of
        if part not in node.children:
            break
        node = node.children[part]
        if node.concepts:
            taken, concepts = end - place, node.concepts
    return taken, concepts
