"""Carries job ids from the ledger to the domain and nothing else.

Reading order: `routes` (which work goes where), `broker` (dramatiq on Redis, made safe), `relay`
(due rows become messages), `middleware` (what happens around a run), `lease` (this process shows
that it lives), `reconciler` (what others left behind), `context` and `app` (how it is put
together), `supervisor` and `commands` (processes).
"""
