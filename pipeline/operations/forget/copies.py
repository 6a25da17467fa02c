"""Find files that may hold a group's text and that forgetting does not change."""

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from afterword.pipeline.core.files.temporary import temporary_folders
from afterword.pipeline.core.store import Stores
from afterword.pipeline.core.store.manifest import MANIFEST_NAME, read_manifest
from afterword.pipeline.core.store.names import log_path, replay_path
from afterword.pipeline.errors import PipelineError


def copies_of(stores: Stores, group: str, live: Iterable[Path]) -> list[Path]:
    """Return the other files of the home, of backups beside it, and of running commands.

    In the home are backups, files that `store restore` replaced or left, skills, pages. The files
    of other groups are left out, here and in backups. What lies in other places cannot be found.

    Args:
        live: the files that forgetting changes; they are left out.
    """
    folders = [stores.home, *_backups(stores.home.parent, stores.instance_id)]
    found = {
        path
        for folder in folders
        for path in _files(folder)
        if path.parent.name != "groups" or path.name.partition(".")[0] == group
    }
    # A command that reads an export copies it; what a killed one left is deleted by now.
    found.update(path for folder in temporary_folders() for path in _files(folder))
    replays = replays_of(stores).values()
    return sorted(found.difference(live, replays, map(log_path, replays)))


def replays_of(stores: Stores) -> dict[str, Path]:
    """Return the files of all replays by their names.

    A replay does not say of which group it was made, or whose decisions it was given: only a search
    shows what it holds.
    """
    return {name: replay_path(stores.home, name) for name in stores.replays()}


def _backups(folder: Path, instance_id: str) -> Iterator[Path]:
    for manifest in folder.glob(f"*/{MANIFEST_NAME}"):
        try:
            if read_manifest(manifest.parent).instance_id == instance_id:
                yield manifest.parent
        except PipelineError:
            pass  # the manifest of another program
    # A backup that was killed has no manifest yet.
    yield from (part for part in folder.glob("*.part") if (part / "groups").is_dir())


def _files(folder: Path) -> Iterator[Path]:
    """Yield the regular files in a folder; reading a pipe would wait for its writer."""
    for place, _, names in os.walk(folder):
        for name in names:
            path = Path(place, name)
            with suppress(FileNotFoundError):  # a running process has removed it
                if stat.S_ISREG(path.lstat().st_mode):
                    yield path
