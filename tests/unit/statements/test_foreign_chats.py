"""Files and conversations of other programs, sent as a user's message, become no memories."""

import os
from pathlib import Path

import pytest

from afterword.pipeline.rules.statements.find import find_statements

SHARED = Path(os.environ.get("AFTERWORD_SHARED") or Path(__file__).parents[4] / "shared")
PUBLIC = SHARED / "data" / "public"
FILES = sorted([*PUBLIC.glob("openclaw_zh/**/*.md"), *PUBLIC.glob("hermes/*.md")])


@pytest.mark.skipif(not FILES, reason="the files of other programs are not on this machine")
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_a_file_of_a_workspace_promotes_nothing_whole_or_by_the_line(file):
    text = file.read_text(encoding="utf-8")
    pieces = [text, *text.split("\n\n"), *text.split("§"), *text.splitlines()]

    assert [found for piece in pieces for found in find_statements(piece).statements] == []
