"""Files that other programs made, opened for reading.

Reading order: `packed` (plain, gzip, or a zip of one file, as one stream of bytes), `temporary`
(the folder of temporary files).
"""
