"""The pages for traders and operators: views in a browser, inside one frame.

Reading order: `model` (what a page shows, and what its forms send), `caller` (who looks),
`declared` (the pages that areas declare), `frame` (templates around views), `live` (what may have
changed), `answers` (what a browser may load), `app` (the site), `operator` (the pages of
operators), `area` (what the room declares). `templates` and `static` hold what a browser gets.
"""
