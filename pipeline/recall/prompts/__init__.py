"""The texts a prompt has: snapshot, brief and portrait, frozen for a session, and a turn's own.

Reading order: `sanitize` (text made safe for a prompt), `limits` (how much a prompt contains),
`provenance` (where a memory comes from), `prompt_lessons` (what past decisions may tell any
prompt), `told_lessons` (what a prompt held, as it is kept), `prompt_habits` (what trades show),
`places` (which memories are shown first), `frozen` (one text per session), `snapshot_block` and
`snapshot`, `brief_block` and `brief`, `preference_lines`, `personalization_block` and
`personalization` (the portrait of the user), `turn_preview`, `turn_choice` and `turn_block` (the
tags that one turn needs), `metrics`, `area` and `tables`, `turn_tag_rows`, `prompt_lesson_rows`,
`candidate_rows` with `snapshot_rows`, `brief_rows` and `personalization_rows`, and `frozen_rows`
(the SQL).
"""
