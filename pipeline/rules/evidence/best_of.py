"""How good the best of several tries looks by luck alone."""

from math import log, sqrt


def best_by_luck(tries: int, votes: int) -> float | None:
    """Return how far the best of several tries without skill is above its base rate, at most.

    It is a bound of the mean, whatever the tries have in common: those that share decisions stay
    below it.

    Args:
        tries: how many were compared; count, at least 1.
        votes: those that the try with the fewest was judged by; count, at least 0.

    Returns:
        A share, such as 0.08 for 8 percentage points; None without votes.

    Raises:
        ValueError: no try, or a negative number of votes.

    Source: S. Boucheron, G. Lugosi, P. Massart, "Concentration Inequalities" (2013): by Hoeffding's
    lemma a mean of n votes is sub-Gaussian with variance factor 1 / 4n; theorem 2.5 bounds the
    mean of the largest of N by the root of 2 v ln N.
    """
    if tries < 1 or votes < 0:
        raise ValueError(f"one try and no negative votes are needed, got {tries} and {votes}")
    return sqrt(log(tries) / (2 * votes)) if votes else None
