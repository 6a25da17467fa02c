"""The learned arm by numpy: what `learned.find_plainly` does, in a hundredth of its time."""

from functools import cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from afterword.pipeline.rules.injection import learned
from afterword.pipeline.rules.injection.learned_model import THRESHOLD_RATIO

Ints = npt.NDArray[np.int64]

_MIX: Final = np.uint64(learned.MIX)
_JOIN: Final = np.uint64(learned.JOIN)
_SHIFT: Final = np.uint64(64 - learned.BITS)
_UNIT: Final = np.dtype("<u2")
_TWO: Final = np.dtype("<u4")
_FOUR: Final = np.dtype("<u8")
_EACH_UNIT: Final = (2,)
_DOT: Final = ord(".")
_SPACE: Final = ord(" ")


def find_fast(line: str) -> str:
    """Return what `learned.find` does."""
    units = units_of(line)
    size = len(units) // 2 - 1
    if size < learned.FEWEST - 1:
        return ""
    pieces = _weights().take(places_of(units))
    if size <= learned.LONG and size + 1 == len(line):
        return _of_few(line, units, pieces)
    return _of_many(units, size, pieces)


def units_of(line: str) -> bytes:
    """Return a line in UTF-16, two bytes a unit."""
    return line.encode("utf-16-le", "surrogatepass")


def places_of(units: bytes) -> Ints:
    """Return the places of all pieces among the weights: those of two units, of four, of six.

    Args:
        units: at least `learned.FEWEST`.
    """
    number = len(units) // 2
    # Each place of the text read as one number of two units, or of four: nothing is copied.
    two = np.ndarray((number - 1,), _TWO, units, 0, _EACH_UNIT) * _MIX
    four = np.ndarray((number - 3,), _FOUR, units, 0, _EACH_UNIT) * _MIX
    six = four[:-2] * _JOIN
    six += two[4:]
    places = np.concatenate((two, four, six))
    places >>= _SHIFT
    return places.view(np.int64)


def _of_few(line: str, units: bytes, pieces: npt.NDArray[Any]) -> str:
    """Return the sentence of a short line that reads most like an order."""
    size = len(units) // 2 - 1
    starts = [0]
    at = line.find(" . ", 1)
    while 0 <= at < size - learned.FEWEST - 1:
        starts.append(at + 2)
        at = line.find(" . ", at + 2)
    if len(starts) == 1:
        total = int(pieces.sum(dtype=np.int64))
        is_order = total > 0 and learned.excess(total, size, 1) > 0
        return _words(units, 0, size) if is_order else ""
    places = [*starts, *[size + at for at in starts], *[2 * size - 2 + at for at in starts]]
    sums = np.add.reduceat(pieces, places, dtype=np.int64).tolist()
    count = len(starts)
    best, margin = 0, 0
    for which, (start, end) in enumerate(zip(starts, [*starts[1:], size], strict=True)):
        total = sums[which] + sums[count + which] + sums[2 * count + which]
        if total > 0 and (above := learned.excess(total, end - start, count)) > margin:
            best, margin = which, above
    if not margin:
        return ""
    return _words(units, starts[best], [*starts[1:], size][best])


def _of_many(units: bytes, size: int, pieces: npt.NDArray[Any]) -> str:
    """Return the sentence that reads most like an order, of several or of a long one."""
    each = pieces[:size].astype(np.int64)
    each[: size - 2] += pieces[size : 2 * size - 2]
    each[: size - 4] += pieces[2 * size - 2 :]
    starts = _starts(np.frombuffer(units, _UNIT))
    ends = np.append(starts[1:], size)
    above, below = THRESHOLD_RATIO
    breadth = learned.BREADTH + min(len(starts) - 1, learned.BREADTH)
    if size > learned.LONG:
        starts, ends = _with_windows(starts, ends)
    sums = np.concatenate((np.zeros(1, np.int64), each.cumsum()))
    totals = sums[ends] - sums[starts]
    excess = totals * totals * (below * learned.BREADTH)
    excess -= (ends - starts + learned.SHORT_WINDOW) * (above * breadth)
    excess[totals <= 0] = 0
    best = int(excess.argmax())
    if excess[best] <= 0:
        return ""
    return _words(units, int(starts[best]), int(ends[best]))


def _words(units: bytes, start: int, end: int) -> str:
    return units[2 * start : 2 * end + 2].decode("utf-16-le", "replace").strip(" .")


def _starts(codes: npt.NDArray[np.uint16]) -> Ints:
    dots = np.flatnonzero(codes[2 : -learned.FEWEST - 1] == _DOT) + 2
    alone = (codes[dots - 1] == _SPACE) & (codes[dots + 1] == _SPACE)
    return np.concatenate((np.zeros(1, np.int64), dots[alone] + 1))


def _with_windows(starts: Ints, ends: Ints) -> tuple[Ints, Ints]:
    """Return the sentences, and the windows of the long ones."""
    windows = [
        np.arange(start, end - learned.WINDOW + 1, learned.STEP)
        for start, end in zip(starts, ends, strict=True)
        if end - start > learned.LONG
    ]
    if not windows:
        return starts, ends
    more = np.concatenate(windows)
    return np.concatenate((starts, more)), np.concatenate((ends, more + learned.WINDOW))


@cache
def _weights() -> npt.NDArray[np.int16]:
    return np.frombuffer(learned.weight_bytes(), np.int8).astype(np.int16)
