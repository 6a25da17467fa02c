"""A small file system of a test's own, in a mount namespace."""

import shutil
import subprocess
from pathlib import Path

import pytest

from afterword.pipeline.testing.process import environment_of


def on_disk(
    folder: Path, options: str, *lines: list[str], **settings: object
) -> "subprocess.CompletedProcess[str]":
    """Run command lines one after the other while a small file system is mounted on a folder."""
    probe = ["unshare", "-m", "true"]
    if not shutil.which("unshare") or subprocess.run(probe, check=False).returncode:
        pytest.skip("this machine allows no mount namespace")
    folder.mkdir()
    script = f'mount -t tmpfs -o {options} tmpfs "$0" || exit 99\n'
    place, words = 1, []
    for line in lines:
        script += " ".join(f'"${{{place + index}}}"' for index in range(len(line))) + "\n"
        place += len(line)
        words += line
    return subprocess.run(
        ["unshare", "-m", "sh", "-c", script, str(folder), *words],
        env=environment_of(**settings) | {"TMPDIR": str(folder.parent)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
