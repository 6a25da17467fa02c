"""The workspace: markdown files of the owner and of the agent that every prompt begins with.

Reading order: `source` (which folder, and how much of it), `model` (its files, as they were read),
`layouts` (which files a folder has, and whom each is from), `text` (what of a file may stand in a
prompt), `read` (a whole folder, without writing to it), `fitting` (how much of each fits),
`identity` (what IDENTITY.md says), `defaults` and `create` (a new folder), `metrics`, `area`,
`tables` and `rows`.
"""
