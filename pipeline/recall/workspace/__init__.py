"""What a session's prompt has of its workspace: the prefix, and the block that follows it.

Reading order: `withhold` (passages that read like orders), `block` (the texts as a prompt has
them), `start` (what a session begins with, kept for the whole session), `bootstrap` (the file that
one session sees for one turn), `preview` (what one would begin with now, or began with), `missing`
(what the store knows and the files do not say).
"""
