"""Learned preferences (R1): what the user does and says again and again, with what speaks against.

Reading order: `model`; `dimensions` (what can be learned, and how an observation speaks for or
against it); the rules `habits` (from trades), `plans` (from decisions) and `statements` (from
chat); `record` (how observations add up) and `decide` (what becomes of a preference); the SQL
`source_rows`, `observation_rows` and `rows`; `effects` (the memory or tag that an active one
writes), the verbs `mine` and `change`, `carried` (those of an import), `read`, `has_work`,
`lineage`, `metrics` and `area`.
"""
