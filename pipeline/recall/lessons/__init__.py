"""The lessons of a role that fit a decision at hand.

Reading order: `fragment` (the latest lessons, and their part of a prompt), `lessons` (the fitting
ones first), `ranking` (how they are compared), `area`, `rows` (the SQL).
"""
