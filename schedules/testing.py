"""A dispatcher process with the test jobs: `python -m schedules.testing HOME [CRON]`."""

import os
import sys
from pathlib import Path

from pipeline.settings import load
from pipeline.testing.clock import stepped_clock
from pipeline.testing.crash import die_at
from schedules.entry import Entry
from schedules.process import run_dispatcher
from workers.testing import CLOCK_FILE, NOTHING, TEST_ROUTES

EVERY_MINUTE = Entry("test.tick", "* * * * *", job=NOTHING.name, misfire="catch_up", catch_up=100)

if __name__ == "__main__":
    if os.environ.get("AFTERWORD_CRASH_AT"):
        die_at(os.environ["AFTERWORD_CRASH_AT"])
    table = (EVERY_MINUTE,) if sys.argv[2:] else ()
    clock = stepped_clock(Path(sys.argv[1], CLOCK_FILE))
    run_dispatcher(load(home=sys.argv[1]), table, TEST_ROUTES, clock)
