"""A dispatcher process with the kinds of job for tests.

Start it with `python -m afterword.schedules.testing HOME [CRON]`.
"""

import os
import sys
from pathlib import Path

from afterword.pipeline.settings import load
from afterword.pipeline.testing.clock import stepped_clock
from afterword.pipeline.testing.crash import die_at
from afterword.schedules.entry import CronEntry
from afterword.schedules.process import run_dispatcher
from afterword.workers.testing import CLOCK_FILE, NOTHING_KIND, TEST_ROUTES

EVERY_MINUTE = CronEntry(
    "test.tick", "* * * * *", job=NOTHING_KIND.name, misfire="catch_up", catch_up=100
)

if __name__ == "__main__":
    if os.environ.get("AFTERWORD_CRASH_AT"):
        die_at(os.environ["AFTERWORD_CRASH_AT"])
    table = (EVERY_MINUTE,) if sys.argv[2:] else ()
    clock = stepped_clock(Path(sys.argv[1], CLOCK_FILE))
    run_dispatcher(load(home=sys.argv[1]), table, TEST_ROUTES, clock)
