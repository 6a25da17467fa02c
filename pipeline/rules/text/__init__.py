"""Rules over words, without state: what a text is about and what it says was done.

Reading order: `tokens` (words, Chinese terms, breaks), `senses` with `lookalikes`, `chains` and
`addresses` (what a name can mean), `entities` (what a text is about), `verbs`, `clauses` and
`deeds` (what it says was done with each); `grams` (words of scripts that write no spaces), `fold`
and `line` (a text as one line of a prompt), `masking` (a text without its secrets).
"""
