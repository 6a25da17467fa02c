"""The whole examination, from the machine up to what rooms above know."""

from collections.abc import Iterator
from importlib.metadata import EntryPoint, entry_points

from sqlalchemy.exc import DBAPIError

from afterword.pipeline.clock import Clock, Monotonic
from afterword.pipeline.core.jobs.fleet import OpenJobs, waiting
from afterword.pipeline.core.jobs.invariants import violations
from afterword.pipeline.core.jobs.reconcile import holders
from afterword.pipeline.core.jobs.registrations import living
from afterword.pipeline.core.store import Store, options_of, reading
from afterword.pipeline.core.store.check import FileCheck, check
from afterword.pipeline.domain.memory.purge import retention_of
from afterword.pipeline.errors import InvalidInputError, PipelineError
from afterword.pipeline.gateway.budget import Budget, caps_of
from afterword.pipeline.ids import IdSource
from afterword.pipeline.operations.doctor.fleet import examine_fleet
from afterword.pipeline.operations.doctor.governance import examine_governance
from afterword.pipeline.operations.doctor.ledger import examine_ledger
from afterword.pipeline.operations.doctor.machine import examine_machine
from afterword.pipeline.operations.doctor.memory import examine_memory, examine_vectors
from afterword.pipeline.operations.doctor.memory_rows import vectors
from afterword.pipeline.operations.doctor.model import Check, Finding
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
    for point in sorted(entry_points(group="afterword.doctor"), key=lambda point: point.name):
        yield from _above(point, settings)


def _content(
    checked: FileCheck, settings: Settings, clock: Clock, monotonic: Monotonic, ids: IdSource
) -> list[Finding]:
    """Look at what a sound file says."""
    store = Store(checked.path, options_of(settings))
    retention = retention_of(settings)
    subject = "budget" if checked.kind == "instance" else f"jobs of {checked.name}"
    try:
        if checked.kind == "instance":
            budget = Budget(store, caps_of(settings), clock, ids)
            budget.check_counted()
            sound = Finding(subject, "fine", "its windows are the sum of its calls")
            stopped = budget.overview().stopped
            with reading(store) as conn:
                return [sound, *examine_governance(conn, stopped)]
        with reading(store) as conn:
            owners = holders(conn)
            # Asked after the rows: a worker that starts in between is not taken for a dead one.
            gone = owners - {owner.uid for owner in living(settings.home, monotonic)}
            found = list(examine_ledger(conn, subject, clock(), gone))
        return [*found, *examine_memory(store, f"memory of {checked.name}", clock(), retention)]
    except PipelineError as error:
        return [Finding(subject, "wrong", str(error))]
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


def _above(point: EntryPoint, settings: Settings) -> list[Finding]:
    """Ask a room above; what it cannot do is a finding too."""
    try:
        look: Check = point.load()
        return list(look(settings))
    except InvalidInputError:
        raise  # a setting that no command accepts
    except Exception as error:
        said = f"could not be looked at ({type(error).__name__}: {error})"
        return [Finding(point.name, "wrong", said, "reinstall Afterword, or report this")]
