"""The pages say what the program does: what they name exists, and what exists is named."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

from afterword.pipeline.core.jobs.inspect import JOB_STATES
from afterword.pipeline.core.store import Store, reading
from afterword.workers.observability.ledger import RUN_OUTCOMES
from afterword.workers.routes import QUEUES

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
DECISIONS = sorted((DOCS / "decisions").glob("0*.md"))
FOLDER_PAGES = [ROOT / f"{folder}README.md" for folder in ("", "benchmarks/", "examples/")]
CURRENT = [*FOLDER_PAGES, *sorted({*PAGES} - {*DECISIONS})]
"""The pages about the present; a decision record keeps the words of its day."""
TRAPS = "tests/contract/test_dramatiq_traps.py"

READ_THROUGH = [ROOT / "README.md"] + [
    DOCS / f"{name}.md"
    for name in ("architecture", "operations", "trades", "methodologies", "lessons", "replay")
]
"""The pages that a person reads from start to end; all others are looked up."""

Rows = list[tuple[str, ...]]


def text_of(name: str) -> str:
    return (DOCS / name).read_text()


def part(page: str, heading: str) -> str:
    """Return what stands below a heading of the second level."""
    found = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", text_of(page), re.DOTALL | re.MULTILINE)
    assert found, f"{page} has no part {heading!r}"
    return found[1]


def table(text: str) -> Rows:
    """Return the rows of all tables in a text, without their heads."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    heads = {n for n, line in enumerate(lines) if set(line) <= set("|-")}
    body = [line for n, line in enumerate(lines) if not heads & {n, n + 1}]
    return [tuple(cell.strip() for cell in line.strip("|").split(" |")) for line in body]


def code(text: str) -> set[str]:
    """Return what a text writes as code."""
    return set(re.findall(r"`([^`\n]+)`", text))


def anchors(page: Path) -> set[str]:
    """Return the names of a page's headings, as a link writes them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def claims(text: str) -> set[tuple[str, str]]:
    """Return the tests a page names, as (file below the root, function)."""
    named = re.findall(r"`(?:tests/)?([\w/]+\.py)::(test_\w+)`", text)
    return {(f"tests/{file}", test) for file, test in named}


def defined_in(file: str) -> set[str]:
    """Return the names a test file defines that pytest collects."""
    path = ROOT / file
    if not path.is_file():
        return set()
    found = set()
    for node in ast.parse(path.read_text()).body:
        match node:
            case ast.FunctionDef(name=name):
                found.add(name)
            case ast.Assign(targets=[ast.Name(id=name)]):  # a state machine's TestCase
                found.add(name)
    return found


def test_what_is_read_from_start_to_end_has_less_than_20_000_words() -> None:
    assert sum(len(page.read_text().split()) for page in READ_THROUGH) < 20_000


def import_order(container: str) -> list[set[str]]:
    """Return the layers of an import contract, top first."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    (found,) = [one for one in contracts["contracts"] if one.get("containers") == [container]]
    return [set(layer.split(" | ")) for layer in found["layers"]]


def test_the_floors_and_the_order_of_their_rooms_are_those_of_the_import_contract() -> None:
    rows = [row for row in table(part("architecture.md", "Where things are")) if len(row) == 3]
    floors = [row[0].strip("`") for row in rows]

    layers = [one for one in import_order("afterword.pipeline") if one != {"areas"}]
    assert [{floor} for floor in floors] == layers[: len(floors)]
    for floor, (_name, _purpose, rooms) in zip(floors, rows, strict=True):
        if floor == "domain":  # its order changes with every room, so the contract alone has it
            assert rooms == "as the contract *inside domain* in `pyproject.toml` says"
            continue
        order = [code(level) for level in rooms.split(" → ")]
        assert order == import_order(f"afterword.pipeline.{floor}"), floor


def test_the_glossary_names_every_state_outcome_and_queue() -> None:
    assert {*JOB_STATES, *RUN_OUTCOMES, *QUEUES} - code(text_of("glossary.md")) == set()


def bare(word: str) -> str:
    """Return a word of the glossary without a note in brackets such as `(of a job)`."""
    return re.sub(r" \(.*?\)", "", word).lower()


def test_the_glossary_has_one_row_for_each_bare_word() -> None:
    rows = [row for row in table(text_of("glossary.md")) if len(row) == 3]
    words = [bare(word) for row in rows for word in row[0].split(", ")]

    assert words and [word for word in set(words) if words.count(word) > 1] == []


def test_every_row_of_the_glossary_is_a_word_one_sentence_and_a_place() -> None:
    for row in table(text_of("glossary.md")):
        assert all(row), row
        if len(row) == 3:
            _word, meaning, where = row
            assert re.fullmatch(r"[^.]*(?:\.\w[^.]*)*\.", re.sub(r"`[^`]*`", "", meaning)), row
            assert "`" in where or where.startswith("metric "), row


REPLACED = {
    "beat": "heartbeat",
    "bury": "dead letter",
    "buried": "dead letter",
    "deed": "relation",
    "deeds": "relation",
    "lane": "queue",
    "lanes": "queue",
    "left alone": "circuit open",
    "needle": "residue pattern",
    "needles": "residue pattern",
    "patience": "embed timeout",
    "pulse": "heartbeat",
    "shelf": "stores",
    "solo": "batch limit",
}
"""Words of earlier pages, and the glossary's word for each."""


@pytest.mark.parametrize("page", CURRENT, ids=lambda page: str(page.relative_to(ROOT)))
def test_no_page_uses_a_word_that_the_glossary_replaced(page: Path) -> None:
    prose = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(), flags=re.DOTALL).lower()

    assert [word for word in REPLACED if re.search(rf"\b{word}\b", prose)] == []


LEARNED = ("role_", "outcome", "judge_", "decision_", "methodolog", "replay_", "price")
"""Beginnings of tables that hold what is learned, and from what."""

SECTIONS = ["Context", "Decision", "Rejected alternatives", "Consequences"]
MOVED = {10: "requirements.md", 13: "dependencies.md"}
"""Records that became pages; their numbers are not used again."""

LINK = r"\[\d{4}\]\((\d{4}-[\w-]+\.md)\)"
HEADER = re.compile(
    rf"^Date: (\d{{4}}-\d\d-\d\d)\. Status: (accepted|superseded by {LINK})\."
    rf"((?: (?:Supersedes|Amends|Amended by) {LINK}\.)*)$",
    re.MULTILINE,
)
INVERSE = {
    "Supersedes": "superseded by",
    "superseded by": "Supersedes",
    "Amends": "Amended by",
    "Amended by": "Amends",
}


def header(path: Path) -> re.Match[str]:
    """Return the line of a decision record with its date, status and relations."""
    found = HEADER.search(path.read_text())
    assert found, path.name
    return found


def relations(path: Path) -> list[tuple[str, str]]:
    """Return each relation of a decision record, with the file name of the other one."""
    return re.findall(rf"({'|'.join(INVERSE)}) {LINK}", header(path)[0])


def test_decisions_are_numbered_without_gaps_and_built_alike() -> None:
    numbers = [int(path.name[:4]) for path in DECISIONS]
    assert sorted([*numbers, *MOVED]) == list(range(1, max(numbers) + 1))
    for path in DECISIONS:
        heads = re.findall(r"^##? (.+)$", path.read_text(), re.MULTILINE)
        assert heads[0].startswith(f"{path.name[:4]}. "), path.name
        assert heads[1:] == SECTIONS, path.name
        assert header(path)


def test_every_decision_names_a_rejected_alternative_with_its_reason() -> None:
    for path in DECISIONS:
        _, _, after = path.read_text().partition("\n## Rejected alternatives\n")
        part, _, _ = after.partition("\n## ")
        named = re.findall(r"^- (?:\*[^*]+\*|\*\*[^*]+\*\*).*\w", part, re.MULTILINE)
        assert named, path.name


def test_of_two_related_records_each_names_the_other() -> None:
    named = {path.name: relations(path) for path in DECISIONS}

    for name, others in named.items():
        for relation, other in others:
            assert (INVERSE[relation], name) in named[other], f"{other}: {INVERSE[relation]} {name}"


def test_the_index_of_decisions_has_each_one_with_its_title_date_and_status() -> None:
    expected = []
    for path in DECISIONS:
        number, title = re.findall(r"^# (\d{4})\. (.+)$", path.read_text(), re.MULTILINE)[0]
        status = [header(path)[2]]
        status += [
            f"amended by [{other[:4]}]({other})"
            for relation, other in relations(path)
            if relation == "Amended by"
        ]
        expected.append((f"[{number}]({path.name})", title, header(path)[1], ", ".join(status)))
    index = text_of("decisions/README.md")

    assert table(index) == expected
    assert all(f"{number:04} " in index and page in index for number, page in MOVED.items())


@pytest.mark.parametrize("page", [ROOT / "README.md", *PAGES], ids=lambda page: page.name)
def test_every_relative_link_leads_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", page.read_text()):
        if "://" in target:
            continue
        path, _, anchor = target.partition("#")
        there = (page.parent / path).resolve() if path else page
        assert there.exists(), f"{page.name}: {target}"
        assert not anchor or anchor in anchors(there), f"{page.name}: {target}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_test_a_page_names_exists(page: Path) -> None:
    missing = {claim for claim in claims(page.read_text()) if claim[1] not in defined_in(claim[0])}

    assert missing == set()


TOP = "afterword|benchmarks|deploy|docs|examples|pipeline|reference|schedules|tests|workers"


@pytest.mark.parametrize("page", [ROOT / "README.md", *PAGES], ids=lambda page: page.name)
def test_every_path_a_page_names_exists(page: Path) -> None:
    named = [path for path in code(page.read_text()) if re.fullmatch(rf"(?:{TOP})/[\w/.-]*", path)]

    assert [path for path in named if not (ROOT / path).exists()] == []


def test_every_fault_names_a_test_or_says_that_none_shows_it() -> None:
    for fault, happens, shown in table(text_of("faults.md")):
        assert happens, fault
        assert claims(shown) or "*Not shown*" in shown, fault


def test_every_trap_of_dramatiq_is_shown_and_every_test_of_one_is_listed() -> None:
    rows = table(text_of("dramatiq.md"))
    listed = {name for row in rows for name in code(row[2]) if name.startswith("test_")}

    assert listed == {name for name in defined_in(TRAPS) if name.startswith("test_")}


def test_the_requirements_name_what_is_stored_of_decisions_outcomes_and_methods(
    store: Store,
) -> None:
    page = (ROOT / "docs" / "requirements.md").read_text()
    with reading(store) as conn:
        tables = conn.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'table'")
        names = [name for name in tables.scalars() if name.startswith(LEARNED)]
        columns = conn.exec_driver_sql("SELECT name FROM pragma_table_info('role_memory')")
        names += columns.scalars()
    assert len(names) > 60
    assert [name for name in names if f"`{name}`" not in page] == []
