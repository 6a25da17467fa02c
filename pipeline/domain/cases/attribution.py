"""Share the result of a decision among the methodologies that it cites, to the micro-dollar."""

from collections.abc import Sequence
from typing import NamedTuple


class Attribution(NamedTuple):
    """The parts of a result; they add up to it exactly.

    Args:
        shares: micro-USD by methodology, those that count only.
        rest: the part that no methodology has; micro-USD.
    """

    shares: dict[int, int]
    rest: int


def attribute(realised: int, cited: int, counting: Sequence[int]) -> Attribution:
    """Share a result equally among the ids cited.

    The parts of ids that do not count, or that nobody knows, and what a division leaves over, are
    the rest.

    Args:
        realised: the result of the decision's trades after fees; micro-USD.
        cited: ids that the decision cites; count, at least 1.
        counting: of these, the methodologies that it applied.

    Raises:
        ValueError: more count than are cited, or none is cited.
    """
    if not len(counting) <= cited or cited < 1:
        raise ValueError(f"counting must be 0 to {cited} citations, got {len(counting)}")
    part = abs(realised) // cited * (1 if realised >= 0 else -1)
    shares = dict.fromkeys(counting, part)
    return Attribution(shares, realised - sum(shares.values()))
