"""The pages of operators: a file a noun; each takes who looks, calls one verb, and returns views.

Reading order: `jobs` (backlogs and filters), `job` (one job), `run_jobs` (all that a filter means),
`dead`, `kind`, `budget`, `switches`, `sync`, `audit`, `replays`, `doctor` and its
`repairs`, `actions` (what was done
on pages). The fleet stands in `afterword.workers.worker.pages`, the schedule in
`afterword.schedules.pages`.
"""
