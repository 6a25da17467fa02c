"""The renderers of documents: text for a terminal or a pipe, one HTML file, and markdown.

A page needs no network and no script, and is the same bytes for the same document.

Reading order: `screen` (what a text is written on), `lines` (sentences on lines that fit),
`columns` (rows below each other), `text` (a view as text); `markup` (escaped elements), `style`
(the one style sheet), `table`, `charts` and `plots` (pictures drawn from our own numbers, of a
fixed size and as wide as the page), `curves` (values over time), `marks` (values side by side),
`sum_chart` and `excursions` (pictures of trades), `page` (the parts of a file), `html` (a view as a
file or as a fragment); `markdown` (a view for a model or a note); `trades_picture` (the result of
trades as one picture); `values` (a value as JSON, which needs no view).
"""
