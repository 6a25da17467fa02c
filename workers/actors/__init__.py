"""Actors: each makes one call into the domain. `afterword.workers.routes` maps kinds to actors.

Reading order: `facts` (the shortest), `memory`, `prices`, `sync`, `capital`, `profile`, `rebuilds`,
`roles`, `patterns`, `learning` (every step of the learning loop), `replay`, `upkeep`.
"""
