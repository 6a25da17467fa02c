"""Several accounts of a broker in one file."""

from collections.abc import Callable, Iterable

from afterword.pipeline.domain.layouts.layout import Origin


def account_names(ids: Iterable[str], origin: Origin) -> Callable[[str], str]:
    """Return what names the account of a row by the broker's id of it.

    A file of one account keeps the name the user gave; of several each gets a name below it, so
    that their positions are not added up.
    """
    several = len({one for one in ids if one}) > 1
    return lambda one: origin.account_of(one if several else "")
