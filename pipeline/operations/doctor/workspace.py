"""Check the workspace of a group: what the prompt of a session that begins now would lack."""

from collections.abc import Iterator

from afterword.pipeline.domain.workspace.source import source_of
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.operations.doctor.model import Finding, SoundFile
from afterword.pipeline.recall.workspace.preview import preview_workspace

_LOOK = "`afterword workspace check` says which, and what to do"


def check_workspace(file: SoundFile) -> Iterator[Finding]:
    """Look for files that are cut or cannot be read; there is no finding without a workspace."""
    settings = file.settings.model_copy(update={"group": file.name})
    source, subject = source_of(settings), f"workspace of {file.name}"
    try:
        preview = preview_workspace(source, file.now(), file.store)
    except InvalidInputError as refusal:
        yield Finding(subject, "wrong", str(refusal), private=(str(source.folder),))
        return
    if preview.read.faults:
        said = f"{_files(len(preview.read.faults), 'is', 'are')} not read"
        yield Finding(subject, "wrong", said, _LOOK)
    if cut := sum(prompt.is_cut for prompt in preview.files):
        said = f"{_files(cut, 'is', 'are')} too long for prompts, which have a part"
        yield Finding(subject, "note", said, _LOOK)
    if withheld := sum(len(prompt.withheld) for prompt in preview.files):
        said = f"{withheld} passages that read like orders to the agent are withheld"
        yield Finding(subject, "note", said, _LOOK)
    if preview.read.texts and not (preview.read.faults or cut or withheld):
        said = f"{_files(len(preview.files), 'is', 'are')} in prompts, nothing cut"
        yield Finding(subject, "fine", said)


def _files(count: int, singular: str, plural: str) -> str:
    return f"1 file {singular}" if count == 1 else f"{count} files {plural}"
