"""When Python searches for garbage, and in what: each search of a large program takes time."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_collections() -> Iterator[None]:
    """Run without a search for garbage, where what is made stays: looking takes time.

    A process that has switched the search off itself finds it off afterwards.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@contextmanager
def only_new_collected() -> Iterator[None]:
    """Let searches for garbage look only at what is made from now on.

    A process that has set older objects aside itself, as the command line does, keeps it so.
    """
    is_ours = not gc.get_freeze_count()
    if is_ours:
        gc.freeze()
    try:
        yield
    finally:
        if is_ours:
            gc.unfreeze()
