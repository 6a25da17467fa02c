"""Read surfaces over several areas: what is found, and what a prompt begins with.

Search, reading order: `model` (what is asked and found), `checks`, `query` with `dates`, `forms`,
`variants` and `language` (what a text asks for), `fts` (who holds it), `places` (who stands beside
whom), `context` (how well they fit), `asking` and `vectors` with `vector_codes` (who is near in
meaning), `fusion` (one order), `ranking` (all of that together), `search`, `explain` and `why` (the
verbs), `contains` (where no word fits), `rows`, `vector_rows` and `vector_extension` (the SQL).

Lessons, reading order: `lesson_rows` (the SQL), `lesson_ranking` (which fit a question, weighed as
in a search), `lessons` (the verbs).

What a prompt begins with, reading order: `shown` (a text as a prompt may show it), `frozen` (the
same bytes for a session), `snapshot_block` and `snapshot`, `brief_block`, `deadline` and `brief`,
`page_model`, `page_asset`, `page_sections`, `page_block` and `page`; `frozen_rows`, `brief_rows`
and `page_rows` (the SQL).
"""
