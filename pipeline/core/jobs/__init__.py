"""The ledger of jobs: work to do later, stored beside the rows that cause it.

Reading order: `model` (a kind, a job, a lease), `add` (in the caller's transaction), `claim` (mark
due rows as sent), `lease` (run jobs, and end them with their effect), `fail` (retry, postpone,
dead-letter), `reopen` (release jobs whose gate has opened), `has_work` (the rules of the schedule),
`registrations`, `crashes` and `reconcile` (free the jobs of dead, frozen or hung workers),
`operate` and `inspect` (the operator's commands and views), `autostart` (start a worker where none
is alive), `fleet` (which processes run, and which jobs no process runs), `invariants` (what must
hold in every ledger), `area` and `tables` (what the room declares).

    later → ready → sent → running → done (no row left) | ready or later again | dead
"""
