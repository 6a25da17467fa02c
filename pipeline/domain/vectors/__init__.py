"""Vectors of texts, for search by meaning.

Reading order: `embed` (the job, and the backfill of rows without a vector), `upkeep` (remove
vectors of an old model, and bad ones), `has_work` (a rule of the schedule), `area` (what the room
declares), `rows` (the SQL).
"""
