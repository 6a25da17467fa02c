"""Find what a user durably says of themself in a chat message: `find_statements`.

Reading order: `model` (a statement, why one is refused), `junk` (messages and lines that no person
typed), `prose` (what is left: sentences, quotations covered), `language` (how the rules of a
language are written), then the languages: `english`, `german`, `spanish`, `portuguese`, `french`,
`chinese`; and `find`, which reads a message with all of them.

The rules prefer silence: a statement that is missed is said again, one that is invented stands in
every prompt.
"""
