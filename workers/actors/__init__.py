"""Actors: each makes one call into the domain. `afterword.workers.routes` maps kinds to actors.

Reading order: `facts` (the shortest), `memory`, `prices`, `roles`, `patterns`,
`methodologies`, `replay`, `upkeep`.
"""
