"""The settings, each with its value and its source."""

from collections.abc import Sequence

from afterword.pipeline.settings import SettingLine
from afterword.pipeline.views.blocks import Table, View


def setting_list(lines: Sequence[SettingLine]) -> View:
    """Return every setting."""
    rows = [[line.variable, line.value, line.source, line.description] for line in lines]
    return View([Table(("variable", "value", "from", "what it is"), rows)])
