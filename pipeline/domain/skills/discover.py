"""Find skills: the built-in ones, those of installed packages, and the files of a home."""

import stat
import sys
from collections.abc import Iterator, Mapping
from importlib.metadata import entry_points
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any, Final

from afterword.pipeline.domain.outcomes.evidence import PostHoc
from afterword.pipeline.domain.outcomes.probes import Probes
from afterword.pipeline.domain.skills.builtin import BUILTIN
from afterword.pipeline.domain.skills.model import Skill
from afterword.pipeline.domain.skills.registry import RoleRegistry
from afterword.pipeline.errors import InvalidInputError

GROUP: Final = "afterword.skills"
"""Entry points of installed packages: each names a module like a file of the folder."""

FOLDER: Final = "skills"
"""Below the home: every `*.py` in it is run. Each `Skill` at its top level is taken, and what the
mappings `PROBES`, `TOOLS` and `SNAPSHOTS` register, where it has some."""


def load_roles(home: Path) -> RoleRegistry:
    """Return the roles of all skills: built-in ones, then packages' by name, then files' by name.

    Raises:
        InvalidInputError: a package or file cannot be loaded, declares nothing, or is wrong.
    """
    skills: list[Skill] = list(BUILTIN)
    probes: dict[str, Any] = {}
    tools: dict[str, Any] = dict(PostHoc().tools)
    snapshots: dict[str, Any] = {}
    registers = {"PROBES": probes, "TOOLS": tools, "SNAPSHOTS": snapshots}
    for at, names in (*_packages(), *_files(home / FOLDER)):
        declared = [one for one in names.values() if isinstance(one, Skill)]
        if not declared and not registers.keys() & names.keys():
            accepted = f"a Skill at its top level, or {', '.join(registers)}"
            raise InvalidInputError(at, "declares nothing", accepted)
        skills += declared
        for name, kept in registers.items():
            _register(names.get(name, {}), kept, f"{at}: {name}")
    return RoleRegistry(skills, Probes(probes), PostHoc(tools, snapshots))


def _packages() -> Iterator[tuple[str, Mapping[str, Any]]]:
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        at = f"entry point {point.name} of {GROUP}"
        try:
            yield at, vars(point.load())
        except (Exception, SystemExit) as error:
            raise _unloadable(at, error) from error


def _files(folder: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for path in sorted(folder.glob("*.py")):
        at = f"{FOLDER}/{path.name}"
        _check_owned(folder, FOLDER)
        _check_owned(path, at)
        try:
            spec = spec_from_file_location(f"afterword_skills_{path.stem}", path)
            assert spec is not None
            assert spec.loader is not None
            module = module_from_spec(spec)
            sys.modules[spec.name] = module  # dataclasses look up their annotations there
            spec.loader.exec_module(module)
        except (Exception, SystemExit) as error:
            raise _unloadable(at, error) from error
        yield at, vars(module)


def _check_owned(path: Path, at: str) -> None:
    """Refuse a path that any user of the machine may write: its code would run as this user."""
    try:
        mode = path.stat().st_mode
    except OSError as error:  # a link that leads nowhere
        raise _unloadable(at, error) from error
    if mode & stat.S_IWOTH:
        raise InvalidInputError(at, "may be written by every user", f"chmod o-w {path}")


def _register(found: object, kept: dict[str, Any], at: str) -> None:
    if not isinstance(found, Mapping):
        raise InvalidInputError(at, f"is a {type(found).__name__}", "a mapping by name")
    for name, one in found.items():
        if name in kept:
            raise InvalidInputError(at, f"registers {name!a:.60} twice", "names of one each")
        kept[name] = one


def _unloadable(at: str, error: BaseException) -> InvalidInputError:
    problem = f"cannot be loaded ({type(error).__name__}: {error})"
    if isinstance(error, ModuleNotFoundError) and (error.name or "").split(".")[0] == "pipeline":
        return InvalidInputError(at, problem, "`from afterword import Skill, Role, ...`")
    return InvalidInputError(at, problem, "Python that runs by itself and declares a Skill")
