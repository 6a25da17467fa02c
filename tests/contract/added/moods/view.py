"""What is said of moods, for every medium."""

from collections.abc import Mapping

from afterword.pipeline.views.blocks import Table, View


def mood_list(moods: Mapping[str, int]) -> View:
    """Return how often each mood was felt."""
    return View([Table(("mood", "times"), [list(row) for row in moods.items()], "no moods")])
