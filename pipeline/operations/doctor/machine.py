"""Check Python, SQLite, the packages, and the folder of the files."""

import platform
import re
import shutil
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Final

from afterword.pipeline import local_model
from afterword.pipeline.core.store.driver import check_driver, remedy
from afterword.pipeline.core.store.filesystem import check_local
from afterword.pipeline.errors import PipelineError
from afterword.pipeline.operations.doctor.access import examine_access
from afterword.pipeline.operations.doctor.model import Finding

_LEAST_FREE_BYTES: Final = 500_000_000
"""Free disk space below which a backup or a write-ahead log may not fit; bytes."""

_NAME: Final = re.compile(r"[A-Za-z0-9_.-]+")


def examine_machine(home: Path) -> Iterator[Finding]:
    """Check everything except the content of the files."""
    yield Finding("python", "fine", f"{platform.python_version()} on {platform.platform()}")
    yield _sqlite()
    yield _packages()
    yield _scan()
    if home.exists():
        yield _place(home)
        yield from examine_access(home)
        yield _space(home)


def _sqlite() -> Finding:
    try:
        return Finding("sqlite", "fine", f"{check_driver()}, safe under several writers")
    except PipelineError as error:
        return Finding("sqlite", "wrong", str(error), remedy())


def _packages() -> Finding:
    found, missing = [], []
    for line in requires("afterword") or ():
        if "extra ==" in line or "sys_platform" in line:
            continue
        name = _NAME.match(line)
        assert name is not None  # a requirement begins with a name
        try:
            found.append(f"{name[0]} {version(name[0])}")
        except PackageNotFoundError:
            missing.append(name[0])
    if missing:
        said = f"{', '.join(missing)} not installed"
        return Finding(
            "packages", "wrong", said, "install Afterword again: `pip install .` in its folder"
        )
    return Finding("packages", "fine", ", ".join([f"afterword {version('afterword')}", *found]))


def _scan() -> Finding:
    """Say how much the injection scan sees: it finds less without the local model."""
    if local_model.works():
        said = "reads concepts in thirteen languages, and what a text means"
        return Finding("injection scan", "fine", said)
    said = "reads concepts alone and finds fewer orders: the local model does not work here"
    return Finding("injection scan", "note", said, "`pip install 'afterword[local]'`, if you can")


def _place(home: Path) -> Finding:
    try:
        check_local(home)
    except PipelineError as error:
        return Finding("home", "wrong", str(error), "move it to a local disk")
    return Finding("home", "fine", f"{home}, on a local disk")


def _space(home: Path) -> Finding:
    free = shutil.disk_usage(home).free
    said = f"{free / 1e9:.1f} GB free"
    if free < _LEAST_FREE_BYTES:
        return Finding("disk", "wrong", said, "free some space; on a full disk every write fails")
    return Finding("disk", "fine", said)
