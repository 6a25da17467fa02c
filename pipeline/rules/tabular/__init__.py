"""Tabular files of other programs, read as text: encodings, delimiters, numbers and moments.

Reading order: `decode` (bytes to text), `sheet` (text to rows of cells), `numbers`, `moments`
(of a known form), `stamps` (moments of any common form), `timing` (the form of a whole column),
`unsaid` (what only the owner of a file can say) and `stated` (what the owner said, checked).
"""
