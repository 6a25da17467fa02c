"""Rebuilds: parts of the profile that the program writes again when there is news (R3).

Figures are computed; a model only words them. Reading order, the frame: `model` (state, cursor,
what a run did), `rows` (the SQL), `turn` (when one is due), `parts` (what they work with), `kinds`
(all of them), `rebuild` (the verb of the frame), `refresh` (all that are due), `status`,
`has_work`, `boot`, `metrics` and `area`. The trading summary: `sources` (its cursors), `figures`
(what is counted), `sentences` (the words by template), `given_words` (the check of a model's
words), `word` (the model), `summary_rows`, `summary`. The tags: `tag_evidence`, `tag_form`, `tags`.
Memories about the user: `memories`, which runs the room `statements`.
"""
