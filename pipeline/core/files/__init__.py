"""Files beside the stores: those of other programs, of their owner, and temporary ones.

Reading order: `packed` (plain, gzip, or a zip of one file, as one stream of bytes), `trusted` (who
may write a file that we run or trust), `inside` (a file below a folder, and nothing outside of it),
`temporary` (folders that no kill leaves for long), `atomic` (write a file as a whole).
"""
