"""`afterword replay`: run the whole learning loop over the past, and read what came of it.

Reading order: `options`, `plan` (what is replayed, as typed), `run` (and resume), `listed` (list
and remove replays), `report`, `compare`, `ablate`, `sweep`, `probe`, `app` (the group).
"""
