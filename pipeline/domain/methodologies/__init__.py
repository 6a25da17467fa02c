"""Methodologies: methods of analysis, what is known of each, and what happened to it.

Reading order: `model` (a methodology and its vocabularies), `citable_rows` (what a citation needs
to know of it), `area` (what the room declares).
"""
