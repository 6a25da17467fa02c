"""Where the shared folder with real prices is, and the mark of tests that need it."""

import os
from pathlib import Path

import pytest

SHARED = Path(os.environ.get("AFTERWORD_SHARED") or Path(__file__).parents[4] / "shared")
OHLCV = SHARED / "data" / "ohlcv"
real_data = pytest.mark.skipif(not OHLCV.is_dir(), reason="no shared folder with real prices")
