"""A group that lived a little."""

from pathlib import Path

import pytest

from afterword.pipeline.core.store import Stores
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.testing.command import Command
from tests.unit.portability.lived import Lived


@pytest.fixture
def lived(command: Command, stores: Stores, owner: Writer, tmp_path: Path) -> Lived:
    lived = Lived(command, stores, owner, tmp_path)
    lived.live()
    return lived
