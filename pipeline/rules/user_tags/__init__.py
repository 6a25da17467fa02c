"""Behavioural tags of a user (R3): their values, and what trades can say of them.

Reading order: `schema` (the ten dimensions and their values), `traded_markets` (the market of a
symbol), `observed` (what the trades of a month say of a dimension), `compared` (beside what the
owner declared), `first_version` (tags of the first version, renamed),
`turn_tags` with `turn_words` (which tags the answer to a message needs).
"""
