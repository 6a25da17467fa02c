"""Find the lessons of a role that fit the decision an agent is about to make.

Reading order: `fragment` (the latest lessons, and their part of a prompt), `lessons` (the fitting
ones first), `ranking` (how they are compared), `area`, `rows` (the SQL).
"""
