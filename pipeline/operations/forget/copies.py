"""Find copies of a group's file, and replays of its text; forgetting does not change them."""

from pathlib import Path

from afterword.pipeline.core.store import Stores
from afterword.pipeline.core.store.manifest import NAME, read_manifest, store_path
from afterword.pipeline.core.store.names import replay_path
from afterword.pipeline.errors import PipelineError


def copies_of(home: Path, group: str, instance_id: str) -> list[Path]:
    """Return the known copies: files that `store restore` replaced, and backups near the home.

    Backups in other places cannot be found.
    """
    kept = (home / "groups").glob(f"{group}.sqlite.replaced-*")
    found = [path for path in kept if not path.name.endswith(("-wal", "-shm"))]
    for folder in (home, home.parent):
        for manifest in folder.glob(f"*/{NAME}"):
            found += _in_backup(manifest.parent, group, instance_id)
    return sorted(found)


def replays_of(stores: Stores) -> dict[str, Path]:
    """Return the files of all replays by their names.

    A replay does not say of which group it was made, or whose decisions it was given: only a search
    shows what it holds.
    """
    return {name: replay_path(stores.home, name) for name in stores.replays()}


def _in_backup(folder: Path, group: str, instance_id: str) -> list[Path]:
    try:
        backup = read_manifest(folder)
    except PipelineError:
        return []  # the manifest of another program
    if backup.instance_id != instance_id:
        return []
    held = any(one.kind == "group" and one.name == group for one in backup.files)
    return [store_path(folder, "group", group)] if held else []
