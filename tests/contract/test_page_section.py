"""Contract of the sections of a compiled page: same rows and moment, same lines."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

import pytest

from afterword.pipeline.areas import AREAS
from afterword.pipeline.clock import to_micros
from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.domain.cases.update import update_cases
from afterword.pipeline.domain.decisions.model import NewDecision
from afterword.pipeline.domain.decisions.record import record_decision
from afterword.pipeline.domain.edges import rows as edge_rows
from afterword.pipeline.domain.edges.extraction import extract_edges
from afterword.pipeline.domain.institution import rows as run_rows
from afterword.pipeline.domain.institution.model import InstitutionRun
from afterword.pipeline.domain.memory.model import NewMemory
from afterword.pipeline.domain.memory.write import write_memory
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.methodologies.add import add_methodology
from afterword.pipeline.domain.methodologies.lifecycle import StateChange, apply_changes
from afterword.pipeline.domain.methodologies.model import NewMethodology
from afterword.pipeline.domain.outcomes import rows as outcome_rows
from afterword.pipeline.domain.outcomes.model import RULE_VERSION, MeasuredOutcome
from afterword.pipeline.domain.patterns import form_rows
from afterword.pipeline.domain.preferences.change import approve_preference, propose_preference
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.ids import IdSource
from afterword.pipeline.recall.page.habits import HabitSection
from afterword.pipeline.recall.page.methods import MethodSection
from afterword.pipeline.recall.page.model import PageAsset, PageLine, PageSection
from afterword.pipeline.recall.page.sections import sections_of
from afterword.pipeline.testing.clock import ManualClock
from afterword.pipeline.testing.patterns import stored_pattern
from afterword.pipeline.testing.roles import learned, role_of, skill_of
from afterword.pipeline.testing.verdicts import keep_verdict, named_cell

BTC, ETH = (
    PageAsset("BTC", "major_crypto", "crypto", ()),
    PageAsset("ETH", "major_crypto", "crypto", ()),
)
REGISTRY = RoleRegistry([skill_of(role_of())])
CATEGORIES = ("preference", "observation", "alert", "trade_outcome")

Lines = Callable[..., list[PageLine]]


@pytest.fixture(params=sections_of(AREAS), ids=lambda one: f"{type(one).__name__} {one.title}")
def section(request: pytest.FixtureRequest) -> PageSection:
    found: PageSection = request.param
    return found


@pytest.fixture
def live(store: Store, clock: ManualClock, ids: IdSource, writer: Writer) -> Callable[[str], None]:
    """Let a day of an asset pass: a memory of each sort, a decision with its lesson, a
    pattern, a verdict on trades, a methodology that is graduated, a case, a hard constraint, a
    run."""

    told: list[str] = []

    def day(asset: str) -> None:
        clock.advance(days=1)
        for category in CATEGORIES:
            text = f"{asset} and its {category} of {clock():%d %B}"
            written = write_memory(writer, NewMemory(category, text))
            with writing(store) as conn:
                edge_rows.keep(conn, [(written.id, extract_edges(text, None))], to_micros(clock()))
        new = NewDecision("desk.calls", f"Buy {asset}", asset=asset, direction="long")
        decision = record_decision(store, REGISTRY, new, clock, ids)
        learned(store, decision.id, f"{asset} and its lesson of {clock():%d %B}", clock())
        found = stored_pattern(f"{asset} and its pattern", asset, role=f"desk.calls{decision.id}")
        with writing(store) as conn:
            form_rows.insert(conn, [found], to_micros(clock()))
        method = _graduate(writer, f"Buy {asset} at the {len(told)} day low", clock())
        cited = replace(new, decision="By a method", methods=(method,))
        _measure(store, record_decision(store, REGISTRY, cited, clock, ids).id, asset, clock())
        update_cases(store, clock())
        _constrain(writer, f"Keep {asset} small after {clock():%d %B}")
        with writing(store) as conn:
            run_rows.keep_run(conn, _run(asset, clock()), ())
        told.append(asset)
        keep_verdict(store, f"{asset}-account", named_cell("asset", asset), clock())

    return day


def _constrain(writer: Writer, words: str) -> None:
    owner = replace(writer, actor="owner")
    proposed = propose_preference(owner, "other", "hard_constraint", words)
    approve_preference(owner, proposed.uid)


def _run(asset: str, now: datetime) -> InstitutionRun:
    """Return a run whose decision is not measured."""
    name = f"{asset} {now}"
    words = ("A break", "It holds", "It is scarce")
    return InstitutionRun(
        *(0, name, asset, asset, "long", 0.6, 168, *words, name, None, None, {}, (), now, now)
    )


def _measure(store: Store, decision: int, asset: str, now: datetime) -> None:
    """Let a decision have an outcome over the horizon of its method."""
    at = to_micros(now)
    with writing(store) as conn:
        outcome = MeasuredOutcome(
            *("decision", decision, 168, RULE_VERSION, at, asset, "crypto", "long", "right"),
            *("right", "test", f"{asset}USDT", at, "100", at + 168 * 3_600_000_000, "105"),
            *(50_000_000, 30_000_000, 10_000_000, 1_000_000),
        )  # type: ignore[arg-type]
        outcome_rows.insert(conn, [outcome])


def _graduate(writer: Writer, text: str, now: datetime) -> str:
    new = NewMethodology(text, "major_crypto", "bullish", "short", primary_signal="technical")
    done = add_methodology(replace(writer, actor="owner"), new, as_new=True)
    with writing(writer.store) as conn:
        apply_changes(conn, [StateChange(done.id, "graduated", "strict")], "strict", now)
    return done.uid


@pytest.fixture
def lines(store: Store, section: PageSection, clock: ManualClock) -> Lines:
    def read(asset: PageAsset = BTC, as_of: int | None = None) -> list[PageLine]:
        with reading(store) as conn:
            return list(section.lines(conn, asset, as_of, clock()))

    return read


def test_its_heading_is_a_word_or_two_of_ours(section):
    assert section.title == section.title.strip()
    assert 0 < len(section.title) <= 30
    assert len(section.title.splitlines()) == 1
    assert section.has_hard_constraints in (True, False)


def test_of_an_asset_nobody_spoke_of_it_says_nothing(lines):
    assert lines() == []


def test_it_speaks_of_its_asset_alone_each_line_with_its_sort_and_day(live, lines, section):
    live("BTC")
    if not isinstance(section, MethodSection):  # a method is about a class of assets
        live("ETH")

    assets = [(BTC, ETH)] if isinstance(section, MethodSection) else [(BTC, ETH), (ETH, BTC)]
    for asset, other in assets:
        found = lines(asset)
        assert found
        for line in found:
            assert line.label
            assert asset.key in line.text and other.key not in line.text
            assert line.at is not None and line.at.utcoffset() is not None


def test_the_same_rows_and_moment_give_the_same_lines(live, lines):
    live("BTC")

    assert lines() == lines()


def test_the_newest_comes_first(live, lines, section):
    for _ in range(3):
        live("BTC")

    moments = [line.at for line in lines()]
    # Of the verdicts on an account the newest alone stands; of all else each day is told.
    assert len(set(moments)) == (1 if isinstance(section, HabitSection) else 3)
    assert moments == sorted(moments, reverse=True)


def test_as_of_a_moment_it_says_what_it_said_then(live, lines, clock):
    live("BTC")
    then, said = to_micros(clock()), lines()
    live("BTC")

    assert lines() != said
    assert lines(as_of=then) == said


def test_it_says_a_bounded_number_of_lines(live, lines):
    for _ in range(31):
        live("BTC")

    assert 0 < len(lines()) <= 30
