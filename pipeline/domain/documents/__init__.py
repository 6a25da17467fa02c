"""Documents: a file that another program wrote, as its reader sees it.

Reading order: `document` (a file as rows, JSON or markup), `cells` (a row by the names of its
columns), `records` (objects of JSON), `markup` (tables of a page).
"""
