"""The layout files that ship, and those that the owner of a home has written."""

from functools import cache
from importlib import resources
from pathlib import Path
from typing import Final, NamedTuple

from afterword.pipeline.core.files.inside import read_inside
from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.documents.named import find_header
from afterword.pipeline.domain.exports.layout_file import read_layout
from afterword.pipeline.domain.exports.mapping import ColumnMapping
from afterword.pipeline.errors import InvalidInputError

OWN_FOLDER: Final = "layouts"
"""Below the home: the files of its owner."""

MAX_LAYOUT_BYTES: Final = 64 << 10
"""Of one file; the largest that ships has 2 kB."""

_SUFFIX: Final = ".toml"
_MOST: Final = 500
"""Files that one home may have."""


class LayoutFile(NamedTuple):
    """A layout file.

    Args:
        text: as it is written.
        is_own: whether the owner of the home has written it.
    """

    name: str
    text: str
    mapping: ColumnMapping
    is_own: bool

    @property
    def symbol(self) -> None:
        """The market of tables that name none: a layout names its column."""
        return None

    def fits(self, document: Document) -> bool:
        """Tell whether a file has the columns of the layout."""
        return document.form == "sheet" and find_header(document, self.mapping.program.header)[0]


@cache
def shipped_layouts() -> tuple[LayoutFile, ...]:
    """Return the layout files that ship, by name."""
    folder = resources.files(__package__) / OWN_FOLDER
    texts = {
        file.name.removesuffix(_SUFFIX): file.read_text("utf-8")
        for file in folder.iterdir()
        if file.name.endswith(_SUFFIX)
    }
    return tuple(_layout(name, text, is_own=False) for name, text in sorted(texts.items()))


def own_layouts(home: Path) -> tuple[LayoutFile, ...]:
    """Return the layout files of a home, by name.

    Raises:
        InvalidInputError: one cannot be read, with its line; or there are too many.
    """
    folder = home / OWN_FOLDER
    if not folder.is_dir():
        return ()
    names = sorted(path.name for path in folder.iterdir() if path.name.endswith(_SUFFIX))
    if len(names) > _MOST:
        raise InvalidInputError(str(folder), f"holds {len(names)} files", f"{_MOST} at most")
    return tuple(read_layout_file(folder / name) for name in names)


def read_layout_file(path: Path) -> LayoutFile:
    """Return one layout file of the owner.

    Raises:
        InvalidInputError: it cannot be read, with its line.
    """
    file = read_inside(path.parent, path.name, MAX_LAYOUT_BYTES)
    if file is None:
        raise InvalidInputError(path.name, "is not there", "a layout file of TOML")
    if file.unread:
        accepted = f"{MAX_LAYOUT_BYTES} bytes at most"
        raise InvalidInputError(path.name, f"has {file.size} bytes", accepted)
    try:
        text = file.head.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidInputError(path.name, "is not UTF-8", "a layout file of TOML") from None
    return _layout(path.name.removesuffix(_SUFFIX), text, is_own=True)


def _layout(name: str, text: str, *, is_own: bool) -> LayoutFile:
    return LayoutFile(name, text, read_layout(name, text), is_own)
