"""Run all checks: the machine, every file, and the checks that areas declare."""

from collections.abc import Iterable, Iterator

from sqlalchemy.exc import DBAPIError

from afterword.pipeline.areas import all_areas
from afterword.pipeline.clock import Clock, Monotonic
from afterword.pipeline.core.area import Area, DoctorCheck, DoctorScope, load
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
    """Yield the findings of all checks; a check that fails does not stop the others."""
    yield from examine_machine(settings.home)
    if (settings.home / "instance.sqlite").exists():
        wanted = OpenJobs({})
        for checked in check(settings.home, options_of(settings), violations):
            yield from examine_store(checked)
            if checked.schema != checked.newest:
                continue
            if checked.problems:
                yield from _repairable(checked, settings)
            else:
                yield from _content(checked, settings, clock, monotonic, ids)
                wanted += _wanted(checked, settings, clock)
        yield from examine_fleet(settings, wanted, clock(), monotonic)
    else:
        yield Finding("home", "note", f"nothing was written to {settings.home} yet")
    for area, one in checks_of(all_areas(), "installation"):
        yield from _run_check(one, settings, area.name)


def checks_of(areas: Iterable[Area], scope: DoctorScope) -> list[tuple[Area, DoctorCheck]]:
    """Return the checks that areas declare for a scope, in their order, with their areas."""
    found = [(area, one) for area in areas for one in area.checks if one.scope == scope]
    return sorted(found, key=lambda pair: pair[1].order)


def _content(
    checked: FileCheck, settings: Settings, clock: Clock, monotonic: Monotonic, ids: IdSource
) -> Iterator[Finding]:
    """Check the content of a sound file."""
    store = Store(checked.path, options_of(settings))
    file = SoundFile(store, settings, clock, monotonic, ids)
    try:
        for area, one in checks_of(all_areas(), checked.kind):
            subject = area.name if checked.kind == "instance" else f"{area.name} of {file.name}"
            yield from _run_check(one, file, subject)
    finally:
        store.close()


def _wanted(checked: FileCheck, settings: Settings, clock: Clock) -> OpenJobs:
    """Return the open jobs of a sound group that need a process."""
    if checked.kind == "instance":
        return OpenJobs({})
    store = Store(checked.path, options_of(settings))
    try:
        with reading(store) as conn:
            return waiting(conn, clock())
    except PipelineError:
        return OpenJobs({})  # another finding reports the error of the file
    finally:
        store.close()


def _repairable(checked: FileCheck, settings: Settings) -> list[Finding]:
    """Return the findings of a faulty file that `doctor --fix` can repair without a backup."""
    store = Store(checked.path, options_of(settings))
    try:
        with reading(store) as conn:
            return list(examine_vectors(f"memory of {checked.name}", vectors(conn)))
    except (PipelineError, DBAPIError):
        return []  # another finding reports the error of the file
    finally:
        store.close()


def _run_check(check: DoctorCheck, at: Settings | SoundFile, subject: str) -> list[Finding]:
    """Run one check; a check that fails is a finding too."""
    try:
        return list(load(check.check)(at))
    except InvalidInputError:
        raise  # a setting is invalid: every command refuses it
    except PipelineError as error:
        return [Finding(subject, "wrong", str(error))]
    except Exception as error:
        said = f"the check failed ({type(error).__name__}: {error})"
        return [Finding(subject, "wrong", said, "install Afterword again, or report this error")]
