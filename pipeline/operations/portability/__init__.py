"""Leave with everything, come back with everything: export a group, import a folder.

Reading order: `model` (values and limits), `signature` (MACs), `front_matter` (pages), `tables`
(what areas declare), `not_carried` (the other tables), `serials` (the number of an export),
`folder` (whole, or not there), `page_rows` and `pages` (markdown), `export` (the verb). Then
`bundle` (a folder that is read, and how far each file is trusted), `row_checks` and `restore` (rows
of data), `take_pages` (methodologies and preferences), `audit` (a line for each file), `take_in`
(an export of Afterword), `import_folder` (of any program; the dry run), `area` (what the room
declares).
"""
