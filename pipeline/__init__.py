"""The domain: plain Python over SQLite files, without dramatiq or redis.

Floors, each importing only those after it: `doors` (command line, agent), `operations`, `recall`,
`domain` (the areas), `gateway` (models and services), `core` (files, jobs, events), `rules`, and
last the leaves `settings`, `descriptors`, `ids`, `clock` and `errors`.
"""
