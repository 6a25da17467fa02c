"""Text that is safe in a prompt, and the characters and words that other rules compare.

Reading order: `words` (tables of words), `fold` (characters that look alike),
`invisible` (characters that show nothing), `spelling` (escapes
such as HTML entities), `line` (a text as one line of a prompt), `numbers`
(counts, shares and money as words), `grams` (search terms of scripts
without spaces), `same_words` (whether two texts have the same words), `base58`.
"""
