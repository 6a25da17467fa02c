"""Several processes behind one listening socket, each started again when it was killed."""

import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Final

from afterword.pipeline.errors import UnavailableError

_ENDING: Final = (signal.SIGTERM, signal.SIGINT)


class Team:
    """Forks children, and lives as long as they do.

    The caller has neither threads nor open files of SQLite: a child would share their locks.

    Args:
        run: serves in a child, and returns once it was told to end. It is given a descriptor that
            is readable once the parent is gone, so that no child outlives it.
    """

    def __init__(self, run: Callable[[int], None]) -> None:
        self._run = run
        self._children: set[int] = set()
        self._is_ending = False
        self._child_end, self._parent_end = os.pipe()

    def work(self, processes: int) -> None:
        """Keep this many children at work until this process is told to end.

        Raises:
            UnavailableError: a child ended by itself; the others were ended, too.
        """
        for number in _ENDING:
            signal.signal(number, self._end)
        for _ in range(processes):
            self._start()
        failed = 0
        while self._children:
            child, status = os.wait()
            self._children.discard(child)
            if os.WIFSIGNALED(status):
                self._start()
            elif not self._is_ending:
                failed = failed or os.WEXITSTATUS(status)
                self._end(signal.SIGTERM, None)
        if failed:
            raise UnavailableError(f"a process of the server ended with status {failed}")

    def _start(self) -> None:
        signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)  # a new child must not miss the end
        try:
            if self._is_ending:
                return
            child = os.fork()
            if child == 0:
                self._be_child()
            self._children.add(child)
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)

    def _be_child(self) -> None:
        status = 1
        try:
            for number in _ENDING:
                signal.signal(number, signal.SIG_DFL)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDING)
            os.close(self._parent_end)
            self._run(self._child_end)
            status = 0
        except Exception as error:
            sys.stderr.write(f"afterword: {error}\n")
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)  # what the parent would do at its end is not the child's

    def _end(self, _number: int, _frame: FrameType | None) -> None:
        self._is_ending = True
        for child in self._children:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGTERM)
