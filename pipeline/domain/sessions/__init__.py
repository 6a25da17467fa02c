"""Conversations of an agent: who was busy with what, and how much a session may still write.

Reading order: `model` (a session, its limits, a turn), `sessions` (begin, end and find one),
`limits` (the bound of what is written in one), `turns` (what was asked and how it went), `read`
(what an owner sees), `rows` (the SQL).
"""
