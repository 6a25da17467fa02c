"""Run all checks, from the machine up to the checks of `workers`."""

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
    for point in sorted(entry_points(group="afterword.doctor"), key=lambda point: point.name):
        yield from _run_check(point, settings)


def _content(
    checked: FileCheck, settings: Settings, clock: Clock, monotonic: Monotonic, ids: IdSource
) -> list[Finding]:
    """Check the content of a sound file."""
    store = Store(checked.path, options_of(settings))
    subject = "budget" if checked.kind == "instance" else f"jobs of {checked.name}"
    try:
        if checked.kind == "instance":
            budget = Budget(store, caps_of(settings), clock, ids)
            budget.check_counted()
            sound = Finding(subject, "fine", "the windows are equal to the sum of the calls")
            stopped = budget.overview().stopped
            with reading(store) as conn:
                return [sound, *examine_governance(conn, stopped)]
        with reading(store) as conn:
            holding = holders(conn)
            # Read after the rows: else a worker that starts in between would count as dead.
            gone = holding - {worker.uid for worker in living(settings.home, monotonic)}
            found = list(examine_ledger(conn, subject, clock(), gone))
        return [*found, *examine_memory(store, f"memory of {checked.name}", clock(), settings)]
    except PipelineError as error:
        return [Finding(subject, "wrong", str(error))]
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


def _run_check(point: EntryPoint, settings: Settings) -> list[Finding]:
    """Run a check of the entry-point group; a check that fails is a finding too."""
    try:
        check_it: Check = point.load()
        return list(check_it(settings))
    except InvalidInputError:
        raise  # a setting is invalid: every command refuses it
    except Exception as error:
        said = f"the check failed ({type(error).__name__}: {error})"
        return [Finding(point.name, "wrong", said, "install Afterword again, or report this error")]
