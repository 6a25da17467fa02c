"""The rows everything else is about: what is remembered, by whom, and since when it is known.

Reading order: `model` (a memory and its vocabularies), `checks` and `json_object` (what is
refused), `write`, `supersede`, `delete`, `read`, `user_profile` (named facts), `audit_log` (the
trace of each write), `kinds` (the jobs a write causes), `edges`, `extract` and `embed` (what they
do), `rows`, `edge_rows` and `vector_rows` (the SQL).
"""
