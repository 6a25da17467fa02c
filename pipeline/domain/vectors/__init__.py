"""Vectors of texts, for search by meaning.

Reading order: `embed` (the job, and the backfill of rows without a vector), `upkeep` (remove
vectors of an old model, and bad ones), `area` (what the room declares), `rows` (the SQL).
"""
