"""Many ids at once: SQLite hands them over as one text, ten times faster than as rows."""

import numpy as np
from numpy.typing import NDArray

Ids = NDArray[np.int64]


def read_ids(joined: str | None) -> Ids:
    """Return the ids of a `group_concat`, in its order; none for no rows."""
    return np.fromstring(joined or "", np.int64, sep=",")
