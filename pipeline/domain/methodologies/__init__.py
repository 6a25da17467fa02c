"""Methodologies: methods of analysis, what is known of each, and what happened to it.

Reading order: `model` (a methodology and its vocabularies), `citable_rows` (what a citation needs
to know of it), `scores` (the figures of both gates), `score_rows` (their SQL), `lifecycle_rows`
(the events), `lifecycle` (changes of state, each with its event), `area` (what the room declares).
"""
