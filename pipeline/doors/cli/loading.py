"""Load what a command needs, without a search for garbage in it."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from afterword.pipeline.garbage import no_collections


@contextmanager
def loading() -> Iterator[None]:
    """Import modules for a command; what they make is never searched for garbage.

    In a process that is not the command's alone, such as a test, it is searched later.
    """
    with no_collections():
        yield
    if gc.get_freeze_count():  # `main` has begun so
        gc.freeze()
        gc.enable()
