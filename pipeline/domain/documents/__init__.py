"""Documents: a file that another program wrote, as its reader sees it; of trades or of prices.

Reading order: `document` (a file as rows, JSON or markup), `table` (a sheet by the keys of its
columns), `named` (columns as their owner names them), `cells` (a row by the names of its columns,
with their decimal mark found), `records` (objects of JSON), `record_table` (such objects as a
sheet), `workbook` (of Excel), `markup` (tables of a page).
"""
