"""One worker process, as a supervisor starts it: `python -m workers.child HOME QUEUES THREADS`."""

import sys

from pipeline.cli.root import report
from pipeline.errors import PipelineError
from pipeline.settings import load
from workers.process import run_worker

if __name__ == "__main__":
    home, queues, threads = sys.argv[1:4]
    try:
        run_worker(load(home=home), queues.split(","), int(threads))
    except PipelineError as error:  # any other error is a defect: its traceback goes to the log
        sys.exit(report(error))
