"""The pages for traders and operators: views in a browser, inside one frame.

Reading order: `model` (what a page shows, and what its forms send), `caller` (who looks),
`declared` (the pages that areas declare), `frame` (templates around views), `answers` (what a
browser may load), `addresses` (what it sends), `entry` (how it is let in), `site` (what every
answer needs), `live` (what may have changed), `see` (a page), `act` (a form), `app` (which path is
which), `operator` and `trader` (the pages of each), `area` (what the room declares).

The folders beside them hold what a browser gets: the templates of the frame, a style sheet and a
script.
"""
