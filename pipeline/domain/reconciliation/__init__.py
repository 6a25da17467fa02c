"""Whether what is known of an account explains how its value changed, and where it does not.

value at the end - value at the start
    = realised + change in unrealised + funding - fees + spot trades + transfers + rest

The values are the venue's, everything else is from stored rows, and the rest is told: how much, of
which span of time, and what the data show that may be the reason.

Reading order: `model`, `flows` (what rows did to the dollars of an account), `explain` (the sums,
and the spans that do not add up), `reasons` (what the data show of a span), `missing_funding`,
`rows`, `gather`, `reconcile` (the verb).
"""
