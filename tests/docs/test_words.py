"""One name per thing: public classes are unique nouns, and no name of the old house is left."""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = ("pipeline", "workers", "schedules")
FROZEN = ("docs/decisions", "pipeline/core/store/migrations", "CHANGELOG.md")
"""Records of what was: their words stay."""

DATA = (
    "pipeline/recall/search/forms.py",  # irregular words of English
    "pipeline/rules/injection/learned_model.py",  # words of many languages
    "tests/corpora",
    "tests/docs/test_docs.py",  # the words that pages replaced
    "tests/docs/test_words.py",
    "tests/contract/test_import_names.py",  # a skill with an old import
)
"""Files in which an old word or name is data."""

PARTICIPLES = {
    *("Asked", "Begun", "Done", "Found", "Given", "Gone", "Held", "Kept", "Known", "Left", "Lost"),
    *("Made", "Met", "Missing", "Said", "Seen", "Sent", "Shown", "Standing", "Taken", "Told"),
    *("Waiting", "Written"),
}
NOUNS = {"Need"}
"""Words that end like a participle and are none."""

OLD_ROOMS = (
    "agent|budget|cli|doctor|embedding|facts|forget|history|jobs|llm|market|memory|prices|roles|"
    "service|sessions|skills|sources|store|switches|telemetry|text"
)
OLD_PATHS = re.compile(
    rf"(?<!afterword\.)\bpipeline[./](?:{OLD_ROOMS})\b|\bworkers[./]metrics\b|"
    r"\bworkers/(?:broker|relay|reconciler|lease|app|signs)\.py|\bschedules/dispatcher\.py"
)
OLD_WORDS = re.compile(r"\b(shelf|tell\(|needles|HeldBars|patience|buried|bury|doorbell)\b")


def classes() -> Iterator[tuple[str, Path]]:
    for folder in PROGRAM:
        for file in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.parse(file.read_text()).body:
                if isinstance(node, ast.ClassDef):
                    yield node.name, file.relative_to(ROOT)


def pages() -> Iterator[Path]:
    """Yield every text file of the project that is not a record of what was."""
    suffixes = {".py", ".md", ".toml", ".yml", ".yaml", ".json", ".service", ".conf", ".example"}
    folders = (
        *PROGRAM,
        "afterword",
        "benchmarks",
        "deploy",
        "docs",
        "examples",
        "reference",
        "tests",
    )
    for file in sorted([*ROOT.glob("*"), *(f for top in folders for f in (ROOT / top).rglob("*"))]):
        place = file.relative_to(ROOT).as_posix()
        is_apart = place.startswith((*FROZEN, *DATA))
        is_text = file.suffix in suffixes or file.name in {"Makefile", "Dockerfile"}
        if file.is_file() and is_text and not is_apart:
            yield file


def test_no_public_class_name_occurs_twice():
    names = Counter(name for name, _ in classes() if not name.startswith("_"))
    assert {name for name, times in names.items() if times > 1} == set()


def test_no_class_is_a_bare_participle():
    bare = re.compile(r"_?[A-Z][a-z]+ed")
    found = {
        f"{file}: {name}"
        for name, file in classes()
        if (bare.fullmatch(name) or name.lstrip("_") in PARTICIPLES) and name not in NOUNS
    }
    assert found == set()


@pytest.mark.parametrize("old", [OLD_PATHS, OLD_WORDS], ids=["paths", "words"])
def test_nothing_of_the_old_house_is_left(old: re.Pattern[str]):
    found = [
        f"{file.relative_to(ROOT)}:{number}: {line.strip()}"
        for file in pages()
        for number, line in enumerate(file.read_text().splitlines(), 1)
        if old.search(line)
    ]
    assert found == []
