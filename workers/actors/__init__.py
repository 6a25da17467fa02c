"""Actors: each makes one call into the domain. `afterword.workers.routes` maps kinds to actors."""
