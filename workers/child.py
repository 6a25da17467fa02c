"""One worker process, as a supervisor starts it: `python -m workers.child HOME QUEUES THREADS`."""

import sys

from pipeline.settings import load
from workers.process import run_worker

if __name__ == "__main__":
    home, queues, threads = sys.argv[1:4]
    run_worker(load(home=home), queues.split(","), int(threads))
