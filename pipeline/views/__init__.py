"""Floor of what an answer says: a value of the domain becomes a view, once for every medium.

A view is a tree of a few kinds of block, and `doors/render` writes it as text, as a page or as
markdown. Nothing here prints, and nothing here knows a terminal or HTML. JSON is the value itself.

Reading order: `blocks` (what a view is made of), `numbers` and `words` (values as short words),
then one noun after the other, its sentences before its view: `role_words`, `role_summary` and
`role_pattern` (the record of a role); `methods`, `method_story`, `cases`, `synthesis` and `audit`
(methods of analysis, and how healthy it is to learn them); `trades_words`, `trades_statistics`,
`costs_words` and `open_words` (what trades came to); `prices`; `replay_words` (what came of a
replay); `job_words` and `jobs`, `budget`, `budget_simulation`, `switches` and `llm` (what an
operator looks after).

What `workers` and `schedules` say of their own values is a view beside the value.
"""
