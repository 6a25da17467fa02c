"""Where a home cannot be: one line says why, and what to name instead."""

from pathlib import Path

import pytest

HAS_PROC = pytest.mark.skipif(not Path("/proc/self").exists(), reason="needs the /proc of Linux")


@HAS_PROC
def test_a_home_that_stores_no_files_is_not_called_a_full_disk(command):
    said = command("--home", "/proc/afterword", "memory", "write", "the desk closes at 22:00").err

    assert "the file system of /proc stores no files; name a folder on a disk" in said
    assert "full" not in said
