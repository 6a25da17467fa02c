"""Methodologies: methods of analysis, what is known of each, and what happened to it.

Reading order: `model` (a methodology and its vocabularies), `area` (what the room declares).
"""
