"""The dispatcher: sends due jobs, frees lost ones, fires the schedule.

Reading order: `dispatcher` (its loop), `groups` (which files must be read), `relay` (due jobs
become messages), `reconciler` (free the jobs of dead and frozen workers), `lease_watch` (free
leases beyond their deadline), `death_watch` (take back crashes that other deaths excuse).
"""
