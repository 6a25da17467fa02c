"""The pages of operators: a file a noun; each takes who looks, calls one verb, and returns views.

Reading order: `jobs` (backlogs and filters), `job` (one job), `actions`.
"""
