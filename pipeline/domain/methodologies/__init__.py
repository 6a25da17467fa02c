"""Methodologies: methods of analysis, what is known of each, and what happened to it.

Reading order: `model` (a methodology and its vocabularies), `indicators` and `signals` (the closed
lists, and reading them from a text), `checks` (what may be stored), `conditions` and `similarity`
(whether two texts contradict or repeat each other), `same` with `compare_rows` and `term_index`
(the ladder of R5), `injection`, `add` and `delete` with `rows`, `read` with `read_rows`, `lineage`
(what one comes from), `citable_rows` (what a citation needs to know of it), `scores` (the figures
of both gates), `score_rows` (their SQL), `lifecycle_rows` (the events), `lifecycle` (changes of
state, each with its event), `carried` (to and from an export), `area` (what the room declares).
"""
