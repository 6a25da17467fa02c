"""Run slices of replays; each one is a transaction of its replay's own file."""

from afterword.pipeline.operations.replay.judge import judging
from afterword.pipeline.operations.replay.slices import LONGEST_SLICE_S, within
from afterword.pipeline.operations.replay.slices import run_slice as run_one
from afterword.workers.worker.context import Work


def run_slice(work: Work) -> None:
    """Run a slice, and add the job of the next one; a stopped worker ends it early."""
    context, runtime = work.context, work.context.runtime
    settings, instance = context.settings, context.stores.instance
    (lease,) = work.leases
    has_time = within(LONGEST_SLICE_S, runtime.monotonic, is_stopping=runtime.stopping.is_set)
    with judging(lease.payload["judge"], settings, instance, runtime.clock, runtime.ids) as judge:
        run_one(work.store, work.leases, settings.home, judge, has_time)
