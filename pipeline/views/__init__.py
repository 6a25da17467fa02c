"""Floor of what an answer says: a value of the domain becomes a view, once for every medium.

A view is a tree of a few kinds of block, and `doors/render` writes it as text, as a page or as
markdown. Nothing here prints, and nothing here knows a terminal or HTML. JSON is the value itself.

Reading order: `cells`, `pictures` and `blocks` (what a view is made of), `numbers` and `words`
(values as short words), `flagged` (what a flag means), then a room a story: `roles`, `methods`,
`trades`, `replay`, `memory` and `operator`. Sentences that several views share are in `*words`.

What `workers` and `schedules` say of their own values is a view beside the value.
"""
