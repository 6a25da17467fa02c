"""What must happen later: the ledger of jobs, kept beside the rows that caused them.

Reading order: `model` (a kind, a job, a lease), `add` (in the caller's transaction), `claim` (due
rows to be sent), `lease` (run them, and end them with their effect), `fail` (retry, postpone,
bury), `owners` and `reconcile` (what dead, frozen or forgetful processes leave behind), `operate`
and `inspect` (what an operator does and sees).

    later → ready → sent → running → done (no row left) | ready or later again | dead
"""
