"""Find the assets, chains and addresses of a text, and what the text says was done with each.

Reading order: `tokens` (words, Chinese terms, breaks), `disambiguation` with `lookalikes`, `chains`
and `addresses` (what a name means), `entities` (what a text is about), `verbs`, `clauses` and
`relations` (what was done with each entity).
"""
