"""Remove names, paths and exact counts from a report, so that it can be shared."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from afterword.pipeline.operations.doctor.model import Finding

_HIDDEN: Final = "…"

# A whole number, or a number with a unit; parts of versions, names and dates do not
# match, nor does what a person types.
_ALONE: Final = r"(?<![\w.,:/-])(?<!chmod )"
_COUNT: Final = re.compile(
    rf"{_ALONE}\d+(?:,\d{{3}})*(?![\w:/-]|\.\d)|{_ALONE}\d+\.\d+(?= (?:B|kB|MB|GB)\b)"
)


def anonymous_report(findings: Sequence[Finding], home: Path) -> list[Finding]:
    """Return a report without names, paths and exact counts.

    Args:
        home: the installation's folder, whose groups are numbered.
    """
    groups = sorted(path.stem for path in (home / "groups").glob("*.sqlite"))
    return [anonymous(finding, home, groups) for finding in findings]


def anonymous(finding: Finding, home: Path, groups: Sequence[str]) -> Finding:
    """Return a finding without names, paths and exact counts.

    Args:
        home: the installation's folder.
        groups: names of its groups; each becomes `group 1`, `group 2` and so on.
    """
    return replace(
        finding,
        subject=_hidden(finding.subject, finding, home, groups),
        says=_hidden(finding.says, finding, home, groups),
        remedy=_hidden(finding.remedy, finding, home, groups),
        private=(),
    )


def bucket(count: int) -> str:
    """Return the power of ten that a count lies in: `0`, `1-9`, `10-99`, `100-999`."""
    if count <= 0:
        return "0"
    digits = len(str(count))
    return f"{10 ** (digits - 1)}-{10**digits - 1}"


def _hidden(text: str, finding: Finding, home: Path, groups: Sequence[str]) -> str:
    for name in sorted(finding.private, key=len, reverse=True):
        text = text.replace(name, _HIDDEN)
    text = text.replace(str(home), "HOME").replace(str(Path.home()), "~")
    text = _COUNT.sub(lambda found: bucket(int(float(found[0].replace(",", "")))), text)
    for number, name in enumerate(groups, 1):
        # A group is named after one of these words, or as its file.
        text = re.sub(rf"\b(group|of) {re.escape(name)}(?![\w-])", rf"\1 #{number}", text)
        text = re.sub(rf"(?<![\w-]){re.escape(name)}\.sqlite", f"#{number}.sqlite", text)
    return text
