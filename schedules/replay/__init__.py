"""Run a replay through the workers: a dispatcher for its file alone, without a schedule.

Reading order: `run` (the loop; the command calls it), `reconciler` (frees
the slices of dead workers).
"""
