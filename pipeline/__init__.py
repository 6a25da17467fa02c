"""The domain: plain Python over SQLite files, without dramatiq or redis.

Floors in the order of their imports, each one importing only those after it: `doors` (command line
and agent), `views` (what an answer says), `operations` (commands over several areas), `recall`
(reads over several areas), `domain` (the areas), `gateway` (models and services), `core` (files,
jobs, events), `rules` (pure functions), and last the leaves `settings`, `descriptors`, `posix`
(modules of the system), `ids`, `clock`, `local_model` (sentences as vectors), `exports`,
`expression` (a regular expression compiled at its first use), `errors`, `type_words` (what a value
of a wrong type should have been) and `garbage` (when Python searches for it).
Beside the floors are `areas` (the list of all areas) and `testing` (fakes for tests).
"""
