"""The profile: who the user is, as declared and as observed (R3).

A group is a user, so nothing here names one. Reading order: `model`; `tags` with `tag_rows`;
`financial_profile` with `profile_rows` (its row); `answers`, `onboarding` and `onboarding_rows`;
`declare` (set and clear a tag); `observed` with `observed_rows` (what trades say) and `markets`
(R3's `MarketsObjectiveUpdater`); `migrate` (tags of the first version), `carried` (rows of an
import), `portrait` (all of it), `lineage` with `lineage_rows` (what a tag comes from), `metrics`,
`has_work` and `area`.
"""
