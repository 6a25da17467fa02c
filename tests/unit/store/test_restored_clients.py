"""A restored group answers the clients of this installation, never those of another one."""

from pathlib import Path

import pytest

from afterword.pipeline.clock import Clock
from afterword.pipeline.core.store import Store, StoreOptions, Stores
from afterword.pipeline.domain.clients.model import ClientWrite
from afterword.pipeline.domain.clients.once import write_once
from afterword.pipeline.domain.clients.sessions import daily_session
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.ids import IdSource
from afterword.pipeline.testing.command import Command

WRITE = ClientWrite(token_id=1, key="order-7", request="0" * 64, most=None)


@pytest.fixture
def session(writer: Writer) -> str:
    """The session of the day of the first token of a home."""
    return daily_session(writer, 1, None)


@pytest.fixture
def copy(stores: Stores, store: Store, session: str, command: Command, tmp_path: Path) -> Path:
    """A backup of that home, whose first token wrote once."""
    write_once(store, command.clock, WRITE, lambda: "the answer of before")
    stores.close()
    target = tmp_path / "copy"
    assert command("store", "backup", str(target)).code == 0
    return target


def restored(home: Path, copy: Path, clock: Clock, ids: IdSource) -> Store:
    line = ("--group", "main", "store", "restore", str(copy), "--replace")
    done = Command(home, clock, ids)(*line)
    assert done.code == 0, done.err
    return Stores(home, StoreOptions(), clock, ids).group("main")


def test_an_answer_to_a_client_of_another_home_is_given_to_nobody(
    copy: Path, clock: Clock, ids: IdSource, tmp_path: Path
) -> None:
    here = restored(tmp_path / "here", copy, clock, ids)

    assert write_once(here, clock, WRITE, lambda: "done now") == "done now"


def test_a_session_of_a_client_of_another_home_is_nobodys(
    session: str, copy: Path, clock: Clock, ids: IdSource, tmp_path: Path
) -> None:
    here = restored(tmp_path / "here", copy, clock, ids)

    assert daily_session(Writer(here, clock, ids), 1, None) != session


def test_a_backup_of_this_home_keeps_the_answers_to_its_clients(
    stores: Stores, copy: Path, clock: Clock, ids: IdSource
) -> None:
    here = restored(stores.home, copy, clock, ids)

    assert write_once(here, clock, WRITE, lambda: "done twice") == "the answer of before"
