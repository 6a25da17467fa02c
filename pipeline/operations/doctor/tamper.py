"""Check one group for rows that another program than Afterword wrote."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

from afterword.pipeline.core.store import Store
from afterword.pipeline.core.store.chain.verify import check_chain
from afterword.pipeline.core.store.identity import identify
from afterword.pipeline.core.store.manifest import store_path
from afterword.pipeline.core.store.migrate import newest
from afterword.pipeline.errors import InvalidInputError, PipelineError
from afterword.pipeline.operations.doctor.model import Finding, SoundFile

_MOST_NAMED: Final = 5
"""Edits that are named one by one; `store check --tamper` names all; count."""


def check_edits(file: SoundFile) -> Iterator[Finding]:
    """Yield a finding for each edit of another program, or the moment since which there is none."""
    path = store_path(file.store.path.parent.parent, "instance", "instance")
    if not _is_usable(path):
        return  # another finding reports what is wrong with it
    try:
        with closing(Store(path, file.store.options)) as instance:
            chain = check_chain(instance, file.store, file.now())
    except InvalidInputError:
        return  # others may write the key; another finding says so
    subject = f"memory of {file.name}"
    if chain.since is None:
        yield Finding(subject, "note", "no chain has begun that would tell edits at rest")
    elif not chain.edits:
        said = f"{chain.rows:,} rows are as Afterword wrote them since {chain.since:%Y-%m-%d}"
        yield Finding(subject, "fine", said)
    remedy = f"`afterword store check --tamper --group {file.name}` names all"
    for edit in chain.edits[:_MOST_NAMED]:
        place = f"{edit.table} {edit.row or ''} ".lstrip()
        yield Finding(subject, "wrong", f"another program: {place}{edit.what}: {edit.says}", remedy)


def _is_usable(path: Path) -> bool:
    """Return whether the instance file is ours and of this schema, without changing it."""
    try:
        identity = identify(path)
    except PipelineError:
        return False
    return (identity.kind, identity.schema) == ("instance", newest("instance"))
