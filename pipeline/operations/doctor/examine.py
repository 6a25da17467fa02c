"""The whole examination: the machine, every file, and what areas declare to be looked at."""

from collections.abc import Iterable, Iterator

from sqlalchemy.exc import DBAPIError

from afterword.pipeline.areas import all_areas
from afterword.pipeline.clock import Clock, Monotonic
from afterword.pipeline.core.area import Area, DoctorCheck, Scope, load
from afterword.pipeline.core.jobs.fleet import OpenJobs, waiting
from afterword.pipeline.core.jobs.invariants import violations
from afterword.pipeline.core.store import Store, options_of, reading
from afterword.pipeline.core.store.check import FileCheck, check
from afterword.pipeline.errors import InvalidInputError, PipelineError
from afterword.pipeline.ids import IdSource
from afterword.pipeline.operations.doctor.fleet import examine_fleet
from afterword.pipeline.operations.doctor.machine import examine_machine
from afterword.pipeline.operations.doctor.memory import examine_vectors
from afterword.pipeline.operations.doctor.memory_rows import vectors
from afterword.pipeline.operations.doctor.model import Finding, SoundFile
from afterword.pipeline.operations.doctor.stores import examine_store
from afterword.pipeline.settings import Settings


def examine(
    settings: Settings, clock: Clock, monotonic: Monotonic, ids: IdSource
) -> Iterator[Finding]:
    """Look at everything, one finding after the other; a check that fails hides no other."""
    yield from examine_machine(settings.home)
    if (settings.home / "instance.sqlite").exists():
        wanted = OpenJobs({})
        for checked in check(settings.home, options_of(settings), violations):
            yield from examine_store(checked)
            if checked.schema != checked.newest:
                continue
            if checked.problems:
                yield from _mendable(checked, settings)
            else:
                yield from _content(checked, settings, clock, monotonic, ids)
                wanted += _wanted(checked, settings, clock)
        yield from examine_fleet(settings, wanted, clock(), monotonic)
    else:
        yield Finding("home", "note", f"nothing was written to {settings.home} yet")
    for area, one in checks_of(all_areas(), "installation"):
        yield from _looked_at(one, settings, area.name)


def checks_of(areas: Iterable[Area], scope: Scope) -> list[tuple[Area, DoctorCheck]]:
    """Return the checks that areas declare for a scope, in their order, with their areas."""
    found = [(area, one) for area in areas for one in area.checks if one.scope == scope]
    return sorted(found, key=lambda pair: pair[1].order)


def _content(
    checked: FileCheck, settings: Settings, clock: Clock, monotonic: Monotonic, ids: IdSource
) -> Iterator[Finding]:
    """Look at what a sound file says."""
    store = Store(checked.path, options_of(settings))
    file = SoundFile(store, settings, clock, monotonic, ids)
    try:
        for area, one in checks_of(all_areas(), checked.kind):
            subject = area.name if checked.kind == "instance" else f"{area.name} of {file.name}"
            yield from _looked_at(one, file, subject)
    finally:
        store.close()


def _wanted(checked: FileCheck, settings: Settings, clock: Clock) -> OpenJobs:
    """Return which jobs of a sound group wait for a process."""
    if checked.kind == "instance":
        return OpenJobs({})
    store = Store(checked.path, options_of(settings))
    try:
        with reading(store) as conn:
            return waiting(conn, clock())
    except PipelineError:
        return OpenJobs({})  # what is wrong with the file is said already
    finally:
        store.close()


def _mendable(checked: FileCheck, settings: Settings) -> list[Finding]:
    """Say which part of what is wrong with a file's rows needs no backup to be mended."""
    store = Store(checked.path, options_of(settings))
    try:
        with reading(store) as conn:
            return list(examine_vectors(f"memory of {checked.name}", vectors(conn)))
    except (PipelineError, DBAPIError):
        return []  # what is wrong with the file is said already
    finally:
        store.close()


def _looked_at(check: DoctorCheck, at: Settings | SoundFile, subject: str) -> list[Finding]:
    """Run one check; what it cannot do is a finding too."""
    try:
        return list(load(check.check)(at))
    except InvalidInputError:
        raise  # a setting that no command accepts
    except PipelineError as error:
        return [Finding(subject, "wrong", str(error))]
    except Exception as error:
        said = f"could not be looked at ({type(error).__name__}: {error})"
        return [Finding(subject, "wrong", said, "reinstall Afterword, or report this")]
