"""Several accounts of a broker in one file."""

from collections.abc import Callable, Iterable

from afterword.pipeline.domain.layouts.layout import Origin


def account_names(ids: Iterable[str], origin: Origin) -> Callable[[str], str]:
    """Return what names the account of a row by the broker's id of it.

    A file of one account keeps the name the user gave; of several each gets a name below it, so
    that their positions are not added up.
    """
    several = len({name for name in ids if name}) > 1
    return lambda name: origin.account_of(name if several else "")
