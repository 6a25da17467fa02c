"""What other programs remembered: one reader for each, behind one protocol.

Reading order: `model` (what a reader yields), `texts` (decoding, parts of a text), the readers
`openclaw`, `hermes`, `mem0`, `trading_agents`, `claude` and `chatgpt`, `readers` (which of them is
for a folder), `take_foreign` (writing what they yield).
"""
