"""Entry point of a worker process, started by the supervisor: `python -m … HOME QUEUES THREADS`."""

import sys

from afterword.pipeline.doors.cli.root import report
from afterword.pipeline.errors import PipelineError
from afterword.pipeline.rules.masking import trace
from afterword.pipeline.settings import load
from afterword.workers.worker.process import run_worker

if __name__ == "__main__":
    home, queues, threads = sys.argv[1:4]
    try:
        run_worker(load(home=home), queues.split(","), int(threads))
    except PipelineError as error:
        sys.exit(report(error))
    except Exception as error:  # a defect: its traceback is printed
        sys.exit(trace(error))
