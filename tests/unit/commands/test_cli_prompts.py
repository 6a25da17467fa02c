"""What an agent is shown can be looked at: now, as a session was given it, and as it was."""

import pytest

from afterword.pipeline.areas import AREAS
from afterword.pipeline.clock import iso
from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.sessions.sessions import begin_session
from afterword.pipeline.recall.page.compile import Pages
from afterword.pipeline.recall.page.sections import sections_of
from afterword.pipeline.recall.prompts.brief import BriefLimits, read_brief, start_brief
from afterword.pipeline.recall.prompts.snapshot import read_snapshot, start_snapshot


@pytest.fixture(autouse=True)
def remembered(command, store, clock):
    command("memory", "write", "preference", "reads weekly charts", "--typed")
    clock.advance(days=2)


def test_the_snapshot_and_the_brief_are_printed_as_they_are_shown(command, store, clock):
    assert command("snapshot").out == read_snapshot(store) + "\n"
    assert command("snapshot", "--json").json == {"text": read_snapshot(store)}
    assert command("brief").out == read_brief(store, clock, BriefLimits()).text + "\n"
    assert "reads weekly charts (2d ago)" in command("brief").out


def test_a_session_is_named_by_its_handle_or_its_uid(command, store, clock, writer):
    begun = begin_session(writer)
    shown = start_snapshot(store, begun.handle, clock)
    brief = start_brief(store, begun.handle, clock, BriefLimits())
    clock.advance(days=1)
    command("memory", "write", "fact", "later", "--typed")

    for name in (begun.session.uid, begun.handle):
        assert command("snapshot", "--session", name, "--json").json == {"text": shown}
        assert command("brief", "--session", name).out == f"{brief}\n"
    assert "later" in command("snapshot").out


@pytest.mark.parametrize("surface", ["snapshot", "brief"])
def test_looking_makes_nothing_for_a_session_and_one_that_is_not_known_is_named(
    command, store, surface, writer
):
    uid = begin_session(writer).session.uid
    missing = f"this session was shown no {surface} yet"

    assert command(surface, "--session", uid).out == f"{missing}\n"
    assert command(surface, "--session", uid, "--json").json == {"text": None, "note": missing}
    with reading(store) as conn:
        assert conn.exec_driver_sql("SELECT count(*) FROM session_snapshots").scalar_one() == 0
    nobody = command(surface, "--session", "nope")
    assert (nobody.code, nobody.out) == (1, "")
    assert nobody.err.startswith("afterword: this session is not known here")


def test_a_brief_tells_where_its_entries_come_from(command, clock):
    plain = command("brief", "--json").json
    told = command("brief", "--json", "--provenance").json

    assert (plain["entry_count"], plain["brief_count"]) == (1, 1)
    assert plain["entries"][0]["provenance"] is None
    assert told["entries"][0]["provenance"]["origin"] == "owner"


def test_a_page_is_printed_for_an_asset_of_a_known_class(command, store, clock):
    page = Pages(store, clock, sections_of(AREAS)).page("BTC")

    assert command("page", "btc/usdt").out == page
    assert command("page", "$BTC", "--json").json == {"asset": "BTC", "text": page}
    assert command("page", "BTC", "--no-hard-constraints").code == 0
    assert command("page", "NOSUCHCOIN").code == 2


def test_the_past_is_printed_as_it_was(command, clock):
    then = iso(clock())
    lines = [("snapshot",), ("brief",), ("page", "BTC")]
    before = [command(*line).out for line in lines]
    clock.advance(days=1)
    command("memory", "write", "fact", "BTC is scarce", "--typed")

    assert [command(*line, "--as-of", then).out for line in lines] == before
    assert command("snapshot", "--as-of", "2020-01-01T00:00:00Z").out == "nothing is remembered\n"
    assert command("brief", "--as-of", "yesterday").code == 2
    assert command("snapshot", "--as-of", then, "--session", "x").err.startswith("afterword: as_of")
