"""Suggest methods for the decision at hand: graduated ones only, as a fenced block.

Reading order: `block` (the text), `suggest` (the verb: it keeps what was shown as a hint), `area`.
"""
