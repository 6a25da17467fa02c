"""Where real data lies, if it does: beside the repository, unless `AFTERWORD_SHARED` names it."""

import os
from pathlib import Path
from typing import Final

SHARED: Final = Path(
    os.environ.get("AFTERWORD_SHARED", Path(__file__).resolve().parents[2] / "shared")
)
