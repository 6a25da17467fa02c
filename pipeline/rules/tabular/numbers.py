"""Numbers as other programs write them: signs, currencies, thousands separators, brackets."""

import re
from collections.abc import Iterable
from decimal import Decimal
from typing import Final, Literal

from afterword.pipeline.expression import expression

DecimalMark = Literal[".", ","]
MARKS: Final[tuple[DecimalMark, ...]] = (".", ",")

_PLAIN: Final = expression(r"[+-]?(?:[0-9]{1,25}(?:\.[0-9]{0,25})?|\.[0-9]{1,25})", re.ASCII)
_EXPONENT: Final = expression(r"[+-]?[0-9]{1,25}(?:\.[0-9]{0,25})?[eE][+-]?[0-9]{1,2}", re.ASCII)
_GROUPED: Final = {
    ".": expression(
        r"[+-]?[1-9][0-9]{0,2}(?:(?:,[0-9]{3})+|(?:['\u2019 \u00a0\u202f][0-9]{3})+)(?:\.[0-9]*)?"
    ),
    ",": expression(
        r"[+-]?[1-9][0-9]{0,2}(?:(?:\.[0-9]{3})+|(?:['\u2019 \u00a0\u202f][0-9]{3})+)(?:,[0-9]*)?"
    ),
}
_BLANKS: Final = "'\u2019 \u00a0\u202f"
_CURRENCIES: Final = "$\u20ac\u00a3\u00a5"
_NO_CURRENCY: Final = str.maketrans("", "", _CURRENCIES)
# A digit and `e` before digits are an exponent, however large: `1e999` is not 1 of some `e999`.
_WITH_UNIT: Final = expression(
    r"(.*[0-9.)])(?!(?<=[0-9.])[eE][0-9]+\Z)\s*([A-Za-z][A-Za-z0-9]{0,11})"
)
_EMPTY: Final = frozenset({"", "-", "--", "N/A", "n/a"})


def read_number(text: str, mark: DecimalMark = ".") -> Decimal | None:
    """Return the number in a cell, exactly; None if it is none.

    Reads `1,234.56`, `-$1,234.56`, `($400.00)`, `$(400.00)`, `+2`, `.50`, `1e-06`, `1 234.5`.
    No number is grouped behind a leading 0: `0,125` is one with a decimal comma only.

    Args:
        mark: decimal mark; with `,` the number `1.234,56` is read.
    """
    if mark == "." and _PLAIN.fullmatch(text):
        return Decimal(text)
    bare = text.strip().replace("\u2212", "-")
    bare = bare.translate(_NO_CURRENCY)
    if bare[:1] == "(" and bare[-1:] == ")":
        bare = f"-{bare[1:-1]}"
    bare = bare.strip()
    if mark == "." and (_PLAIN.fullmatch(bare) or _EXPONENT.fullmatch(bare)):
        return Decimal(bare)
    if mark == ",":
        dotted = bare.replace(",", ".", 1)
        if "." not in bare and (_PLAIN.fullmatch(dotted) or _EXPONENT.fullmatch(dotted)):
            return Decimal(dotted)
    if _GROUPED[mark].fullmatch(bare):
        for separator in _BLANKS + ("," if mark == "." else "."):
            bare = bare.replace(separator, "")
        return Decimal(bare.replace(",", "."))
    return None


def mark_of(
    rows: Iterable[Iterable[str]], usual: DecimalMark = ".", most: int | None = None
) -> DecimalMark | None:
    """Return the decimal mark of numbers in one file; None if it is not certain.

    The rule: numbers that can be read one way only decide (`1,5`, `0,125`, `1.234,56`). Where none
    does, the usual mark is meant if no number has the other one; `1,234` alone decides nothing.
    A text that fits neither mark is no evidence: it is refused when it is read as a number.

    Args:
        rows: texts of each row, numbers without their units; other texts are passed over.
        usual: mark that the program writes.
        most: rows that are looked at once one of them decided (count); None looks at all.
    """
    votes: set[DecimalMark] = set()
    has_other = False
    other = "," if usual == "." else "."
    for count, row in enumerate(rows):
        if votes and most is not None and count >= most:
            break
        for text in row:
            if "," not in text and "." not in text:
                continue
            point, comma = read_number(text, "."), read_number(text, ",")
            if (point is None) != (comma is None):
                votes.add("," if point is None else ".")
            elif point is not None:
                has_other = has_other or other in text
    if len(votes) == 1:
        return votes.pop()
    return None if votes or has_other else usual


def split_unit(text: str) -> tuple[str, str]:
    """Return a cell's number and the word behind it, such as a currency: `0.1 BNB`, `0.1BNB`."""
    match = None if _EXPONENT.fullmatch(text) else _WITH_UNIT.fullmatch(text)  # `1e5` has no unit
    return (match[1], match[2]) if match else (text, "")


def is_plain_number(text: str) -> bool:
    """Tell digits with a point at most: what `Decimal` reads as it stands."""
    return _PLAIN.fullmatch(text) is not None


def is_below_zero(text: str) -> bool:
    """Tell a cell that begins like a number below zero, `-1` or `(1)`, with either minus sign."""
    return text[:1] in ("-", "(", "\u2212")


def is_blank(text: str) -> bool:
    """Tell an empty cell: nothing, dashes, `N/A`."""
    return text in _EMPTY
