"""One worker process: its broker, its threads, its heartbeat, its end."""
