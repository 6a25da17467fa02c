"""Find skills: the built-in ones, those of installed packages, and the files of a home."""

import sys
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, Final, NamedTuple

from afterword.pipeline.core.files.trusted import read_trusted
from afterword.pipeline.domain.outcomes.evidence import PostHoc
from afterword.pipeline.domain.outcomes.probes import Probes
from afterword.pipeline.domain.skills.builtin import BUILTIN
from afterword.pipeline.domain.skills.failure import failure_of
from afterword.pipeline.domain.skills.model import Skill
from afterword.pipeline.domain.skills.registered import REGISTERS, check_registered
from afterword.pipeline.domain.skills.registry import RoleRegistry
from afterword.pipeline.errors import InvalidInputError

GROUP: Final = "afterword.skills"
"""Entry points of installed packages: each names a module like a file of the folder."""

FOLDER: Final = "skills"
"""Below the home: every `*.py` in it is run. Each `Skill` at its top level is taken, and what the
mappings `PROBES`, `TOOLS` and `SNAPSHOTS` register, where it has some."""


class SkillModule(NamedTuple):
    """What a package or a file declares.

    Args:
        at: where it is, as errors name it.
        skills: in the order of its names.
        registered: what each of its mappings `PROBES`, `TOOLS` and `SNAPSHOTS` registers.
    """

    at: str
    skills: tuple[Skill, ...]
    registered: Mapping[str, Mapping[str, Any]]


def load_roles(home: Path) -> RoleRegistry:
    """Return the roles of all skills: built-in ones, then packages' by name, then files' by name.

    Raises:
        InvalidInputError: a package or file cannot be loaded, declares nothing, or is wrong.
    """
    return registry_of(find_modules(home))


def find_modules(home: Path, also: Path | None = None) -> Iterator[SkillModule]:
    """Yield what packages and the files of a home declare.

    Args:
        also: a file that is not in the home yet: read instead of the home's file of that name, or
            last.

    Raises:
        InvalidInputError: a package or file cannot be loaded, declares nothing, or is a file that
            another user may write.
    """
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        at = f"entry point {point.name} of {GROUP}"
        try:
            module = point.load()
        except (Exception, SystemExit) as error:
            raise _unloadable(at, error) from error
        yield _declared(at, vars(module))
    folder = home / FOLDER
    instead = {} if also is None else {also.name: also}
    for path in sorted(folder.glob("*.py")):
        file = instead.pop(path.name, path)
        yield _run(file, home)
    for file in instead.values():
        yield _run(file, home)


def place_of(path: Path, home: Path) -> str:
    """Return how errors name a file of skills."""
    return f"{FOLDER}/{path.name}" if _is_of_home(path, home) else str(path)


def registry_of(modules: Iterable[SkillModule]) -> RoleRegistry:
    """Return the registry of the built-in skills and of what modules declare.

    Raises:
        InvalidInputError: a skill is wrong, or two modules declare the same name.
    """
    skills = list(BUILTIN)
    places = ["built in"] * len(skills)
    probes: dict[str, Any] = {}
    tools: dict[str, Any] = dict(PostHoc().tools)
    snapshots: dict[str, Any] = {}
    registers = {"PROBES": probes, "TOOLS": tools, "SNAPSHOTS": snapshots}
    for module in modules:
        skills += module.skills
        places += [module.at] * len(module.skills)
        for register, registered in module.registered.items():
            for name, value in registered.items():
                if name in registers[register]:
                    at, problem = f"{module.at}: {register}", f"registers {name!a:.60} twice"
                    raise InvalidInputError(at, problem, "names of one each")
                registers[register][name] = value
    return RoleRegistry(skills, Probes(probes), PostHoc(tools, snapshots), places)


def _run(path: Path, home: Path) -> SkillModule:
    """Run a file of skills and return what it declares."""
    at = place_of(path, home)
    source = _source(path, home, at)
    name = f"afterword_skills_{path.stem}"
    module = ModuleType(name)
    module.__file__ = str(path)
    sys.modules[name] = module  # dataclasses look up their annotations there
    try:
        # Not by an import: it would open the path again, and trust the bytecode beside it.
        exec(compile(source, str(path), "exec", dont_inherit=True), vars(module))
    except (Exception, SystemExit) as error:
        raise _unloadable(at, error) from error
    return _declared(at, vars(module))


def _source(path: Path, home: Path, at: str) -> bytes:
    if path.suffix != ".py":
        raise InvalidInputError(at, "is not a file of Python", "a name that ends in .py")
    try:
        if _is_of_home(path, home):
            return read_trusted(home / FOLDER / path.name, top=home)
        return read_trusted(path)
    except OSError as error:
        raise _unloadable(at, error) from error


def _is_of_home(path: Path, home: Path) -> bool:
    return path.parent.resolve() == (home / FOLDER).resolve()


def _declared(at: str, names: Mapping[str, Any]) -> SkillModule:
    skills = tuple(skill for skill in names.values() if isinstance(skill, Skill))
    registered = {
        register: check_registered(register, names[register], at)
        for register in REGISTERS
        if register in names
    }
    if not skills and not registered:
        accepted = f"a Skill at its top level, or {', '.join(REGISTERS)}"
        raise InvalidInputError(at, "declares nothing", accepted)
    return SkillModule(at, skills, registered)


def _unloadable(at: str, error: BaseException) -> InvalidInputError:
    problem = f"cannot be loaded ({failure_of(error)})"
    if isinstance(error, ModuleNotFoundError) and (error.name or "").split(".")[0] == "pipeline":
        return InvalidInputError(at, problem, "`from afterword import Skill, Role, ...`")
    return InvalidInputError(at, problem, "Python that runs by itself and declares a Skill")
