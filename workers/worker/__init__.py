"""One worker process, and the supervisor that starts it.

Reading order: `context` (its parts), `app` (how they are built and run), `heartbeat` (its leases,
and the thread that watches them), `process` (from start to exit), `child` and `supervisor` (many
processes), `fleet_status` and `fleet_view` (the processes of a home, and how they are told),
`commands`, `fleet_command` (the command line), `http_routes` (the network) and `pages`.
"""
