"""Views of what an operator looks after.

Reading order: `job_words`, `jobs`, `budget`, `budget_simulation`, `llm`, `switches`, `tokens`,
`connections`, `browsers`, `config`, `doctor`, `store`, `tamper` and `forget`.
"""
