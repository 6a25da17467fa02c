"""Search memories by words and meaning, and explain the result.

Reading order: `model` and `options` (scope, options, hits), `checks`, `search`, `pages` and `why`
(the verbs), `ranking` (the steps of both), `query` with `dates`, `forms`, `variants` and `language`
(terms of a query), `fts` (full-text matching), `near_words`, `neighbours` and `scoring` (contextual
BM25), `query_embedding` with `deadline`, `vectors` and `vector_codes` (nearness in meaning),
`fusion` (one order), `explain`, `ids`, `area`, `rows`, `vector_rows` and `vector_extension` (the
SQL).
"""
