"""A layout as data: a file of TOML says which column of a table holds what."""

import re
from collections.abc import Callable
from typing import Final, TypeVar

from afterword.pipeline.domain.exports.layout_text import LayoutText
from afterword.pipeline.domain.exports.mapping import (
    COLUMN_KEYS,
    FIXED_KEYS,
    MARKET_KINDS,
    WORD_KEYS,
    ColumnMapping,
    MappedProgram,
    checked_value,
    without_sign,
)
from afterword.pipeline.domain.exports.text_form import TextForm
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.masking import shown
from afterword.pipeline.rules.tabular.stated import (
    stated_mark,
    stated_time_format,
    stated_unit,
    stated_zone,
)

_Stated = TypeVar("_Stated")

LAYOUT_NAME: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,47}")
_VENUE: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,31}")
_PLACE: Final = re.compile(r"#[0-9]{1,4}")
_SECTIONS: Final = {
    "": (
        *("title", "venue", "header", "columns", "texts", "all", "words", "skip", "currencies"),
        *("kinds", "times", "numbers"),
    ),
    "columns": COLUMN_KEYS,
    "all": tuple(key for key in FIXED_KEYS if key not in WORD_KEYS),
    "words": tuple(key for key in WORD_KEYS if key != "skip"),
    "times": ("zone", "unit", "format"),
    "numbers": ("decimal",),
    "kinds": MARKET_KINDS,
}


def read_layout(name: str, text: str) -> ColumnMapping:
    """Return the mapping that a layout file says.

    Args:
        name: of the layout, that of its file without `.toml`.

    Raises:
        InvalidInputError: something in it cannot be read, with its line.
    """
    if not LAYOUT_NAME.fullmatch(name):
        accepted = "small letters, digits and -: my-broker.toml"
        raise InvalidInputError("layout", f"is named {shown(name, 60)}", accepted)
    file = LayoutText.parse(f"{name}.toml", text)
    for section, known in _SECTIONS.items():
        file.check_names(section, known)
    _stated(file, "times", "zone", stated_zone)
    columns, signs = _columns(file)
    texts = _texts(file)
    columns |= {key: column for column, form in texts.items() for key in form.keys if key}
    skipped, reasons = _skipped(file)
    words = {key: "|".join(file.words("words", key)) for key in file.section("words")}
    mapping = ColumnMapping(
        columns,
        {**_fixed(file), **words, **skipped},
        signs,
        file.word("times", "zone"),
        _stated(file, "times", "unit", stated_unit),
        _stated(file, "numbers", "decimal", stated_mark),
        _stated(file, "times", "format", stated_time_format),
        MappedProgram(
            *(name, _venue(file), _title(file), _header(file, columns), reasons),
            {name: file.word("currencies", name) or "" for name in file.section("currencies")},
            {
                word.lower(): kind
                for kind in file.section("kinds")
                for word in file.words("kinds", kind)
            },
        ),
        texts,
    )
    try:
        mapping.check_keys()
    except InvalidInputError as error:
        raise file.refusal("columns", "", error.problem, error.accepted) from None
    return mapping


def _columns(file: LayoutText) -> tuple[dict[str, str], dict[str, str]]:
    """Return the column of each key; several are joined, as `--columns` has them."""
    columns: dict[str, str] = {}
    signs: dict[str, str] = {}
    for key in file.section("columns"):
        column, sign = without_sign(key, "+".join(file.words("columns", key)))
        columns[key] = column
        signs |= {key: sign} if sign else {}
    return columns, signs


def _texts(file: LayoutText) -> dict[str, TextForm]:
    """Return the forms of cells that hold several things, by column."""
    texts: dict[str, TextForm] = {}
    for column in file.section("texts"):
        others = list(texts.values())
        if column not in file.words("", "header"):
            raise file.refusal("texts", column, "is unknown", "a column of `header`")
        try:
            texts[column] = TextForm.parse(file.word("texts", column) or "")
        except InvalidInputError as error:
            raise file.refusal("texts", column, error.problem, error.accepted) from None
        known = {*file.section("columns"), *(key for form in others for key in form.keys)}
        for key in filter(None, texts[column].keys):
            if key not in COLUMN_KEYS or key in known:
                accepted = f"{', '.join(COLUMN_KEYS)}, each in one place"
                raise file.refusal("texts", column, f"has the part {shown(key, 40)}", accepted)
    return texts


def _fixed(file: LayoutText) -> dict[str, str]:
    fixed: dict[str, str] = {}
    for key in file.section("all"):
        try:
            fixed[key] = checked_value(key, file.word("all", key) or "")
        except InvalidInputError as error:
            raise file.refusal("all", key, "cannot be so", error.accepted) from None
    return fixed


def _skipped(file: LayoutText) -> tuple[dict[str, str], dict[str, str]]:
    """Return the words of rows that are no trades, and the reason of each word."""
    reasons = {
        word.lower(): reason
        for reason in file.section("skip")
        for word in file.words("skip", reason)
    }
    return ({"skip": "|".join(reasons)} if reasons else {}), reasons


def _stated(
    file: LayoutText, section: str, key: str, read: Callable[[str | None], _Stated]
) -> _Stated:
    try:
        return read(file.word(section, key))
    except InvalidInputError as error:
        raise file.refusal(section, key, error.problem, error.accepted) from None


def _venue(file: LayoutText) -> str:
    venue = file.word("", "venue") or ""
    if not _VENUE.fullmatch(venue):
        raise file.refusal("", "venue", f"is {shown(venue, 40)}", 'a short name: "my-broker"')
    return venue


def _title(file: LayoutText) -> str:
    title = file.word("", "title")
    if title is None:
        raise file.refusal("", "title", "is missing", "what the program calls the export")
    return title


def _header(file: LayoutText, columns: dict[str, str]) -> tuple[str, ...]:
    """Return the columns by which the table is recognised: all that are read are among them."""
    header = file.words("", "header")
    if len(header) < 3:
        raise file.refusal("", "header", "is too short", "three columns or more of the header")
    for key, column in columns.items():
        parts = [column] if column in header else column.split("+")
        strange = [part for part in parts if part not in header and not _PLACE.fullmatch(part)]
        if strange:
            accepted = "a column of `header`, or its place such as #3"
            raise file.refusal("columns", key, f"names {shown(strange[0], 60)}", accepted)
    return header
