"""All that is known about an asset, compiled into one page.

Reading order: `model` (the parts of a page), `asset` (which one is meant), `sections`, `habits`,
`patterns`, `methods`, `preferences`, `cases`, `institution` and `roles` (the lines), `block` (the
page as text), `compile` (make and cache it), `area`, `rows` (the SQL).
"""
