"""What an agent is shown, as it is shown to it: each text holds nothing that steers a terminal."""

from afterword.pipeline.recall.prompts.frozen import Surface
from afterword.pipeline.views.blocks import Paragraph, Verbatim, View


def snapshot_text(text: str) -> View:
    """Return the block that a session would start with."""
    return _verbatim(text, "nothing is remembered")


def brief_text(text: str) -> View:
    """Return what an agent should know before its first step."""
    return _verbatim(text, "no typed entry and no lesson yet")


def page_text(text: str) -> View:
    """Return all that is known about an asset; a page is never empty."""
    return View([Verbatim(text.rstrip("\n"))])


def shown_text(text: str, surface: Surface) -> View:
    """Return what a session was shown."""
    return _verbatim(text, f"this session's {surface} is empty")


def not_shown(surface: Surface) -> View:
    """Return that a session was shown nothing."""
    return View([Paragraph(not_shown_words(surface))])


def not_shown_words(surface: Surface) -> str:
    """Return that a session was shown nothing, for JSON as well."""
    return f"this session was shown no {surface} yet"


def _verbatim(text: str, empty: str) -> View:
    return View([Verbatim(text) if text else Paragraph(empty)])
