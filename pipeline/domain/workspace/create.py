"""Make our own workspace; a file that is there is never changed."""

from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from afterword.pipeline.domain.workspace.defaults import BOOTSTRAP, OF_USER, SHARED
from afterword.pipeline.domain.workspace.layouts import top_of_user
from afterword.pipeline.domain.workspace.source import WorkspaceSource
from afterword.pipeline.errors import InvalidInputError, UnavailableError


@dataclass(frozen=True, slots=True)
class CreatedWorkspace:
    """What was made of a workspace.

    Args:
        made: names of the files that were made; `there` were there already.
    """

    folder: Path
    made: tuple[str, ...]
    there: tuple[str, ...]


def create_workspace(source: WorkspaceSource) -> CreatedWorkspace:
    """Make the folder in the home with the files that it lacks; a second call makes nothing.

    BOOTSTRAP.md is made with the folder only: once read it is deleted, and does not come back.

    Raises:
        InvalidInputError: the folder is not ours, or a link in it leads out of it.
        UnavailableError: a file cannot be written.
    """
    if not source.is_ours:
        problem = f"{source.folder} is not the folder of this program, and is never written to"
        accepted = "no --workspace and no AFTERWORD_WORKSPACE: the folder in the home"
        raise InvalidInputError("workspace", problem, accepted)
    top = top_of_user(source)
    if not (source.folder / top).resolve().is_relative_to(source.folder.resolve()):
        problem = f"{source.folder / top} leads out of the folder, and is never written to"
        raise InvalidInputError("workspace", problem, "a folder of its own for each group")
    files = dict(SHARED) | {top + name: text for name, text in OF_USER.items()}
    if not any((source.folder / name).exists() for name in files):
        files["BOOTSTRAP.md"] = BOOTSTRAP
    made: list[str] = []
    try:
        for folder in (source.folder, source.folder / f"{top}memory"):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for name, text in files.items():
            with suppress(FileExistsError), (source.folder / name).open("x") as file:
                file.write(text)
                made.append(name)
    except OSError as error:
        raise UnavailableError(
            f"the workspace cannot be made in {source.folder} ({error.strerror}); free the place, "
            "or choose another home"
        ) from None
    return CreatedWorkspace(
        source.folder, tuple(made), tuple(name for name in files if name not in made)
    )
