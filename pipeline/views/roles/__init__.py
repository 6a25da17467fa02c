"""Views of roles, their decisions, and what the record of a role says.

Reading order: `listed` (roles and decisions as tables), `outcome_words`, `decision` and
`reflection` (what became of decisions), `words`, `summary` and `pattern` (the record of a role),
`skill_trial` (what a skill file does).
"""
