"""Rules over words, without state: what a text is about and what it says was done.

Reading order: `tokens` (words, Chinese terms, breaks), `senses` with `lookalikes`, `chains` and
`addresses` (what a name can mean), `entities` (what a text is about), `verbs`, `clauses` and
`deeds` (what it says was done with each).
"""
