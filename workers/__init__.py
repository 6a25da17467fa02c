"""Workers run jobs by id: messages carry ids, actors call the domain.

Reading order: `routes` (which actor runs a kind, on which queue), `actors` (the calls into the
domain), `broker` (dramatiq on Redis, made safe), `middleware` (gates, leases and metrics around a
run), `worker` (the process: its parts, its heartbeat, its supervisor), `observability` (metrics and
health), `area` (what the package declares), `testing` (jobs for tests).
"""
