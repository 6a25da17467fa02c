"""The declaration of the workers: their commands, settings, checks and metrics."""

from typing import Final

from afterword.pipeline.core.area import (
    RUN_S,
    Area,
    AreaCommand,
    AreaPage,
    AreaRoute,
    DoctorCheck,
    MetricEvent,
    MetricSpec,
    counter,
    gauge,
    seconds,
)

_WAIT_S: Final = (
    0.01,
    0.05,
    0.1,
    0.25,
    0.5,
    1.0,
    2.5,
    5.0,
    10.0,
    30.0,
    60.0,
    300.0,
    1800.0,
    7200.0,
)

_COUNTED: Final = (
    seconds(
        "job_wait",
        "Time that jobs waited from due to started, in seconds.",
        _WAIT_S,
        "kind",
        events=(MetricEvent("jobs.leased", "waited_s"),),
    ),
    seconds("run", "Time that one run of a job or of a batch took, in seconds.", RUN_S, "kind"),
    counter(
        "process_jobs_ended",
        "Jobs that this process ended. The outcome `lost` means that another worker got the job "
        "meanwhile.",
        "kind",
        "outcome",
        events=(MetricEvent("jobs.ended", "jobs"),),
    ),
    counter(
        "jobs_redelivered",
        "Jobs that were leased or done already when their message arrived.",
        "kind",
        events=(MetricEvent("jobs.redelivered", "jobs"),),
    ),
    counter(
        "stale_commits",
        "Jobs whose commit was refused because another worker had their lease.",
        "kind",
        events=(MetricEvent("jobs.stale", "jobs"),),
    ),
    counter(
        "messages_skipped",
        "Messages that were not run, because a gate postponed their jobs or no job was left.",
        "kind",
        events=(MetricEvent("message.skipped"),),
    ),
    counter(
        "jobs_held",
        "Jobs that a gate postponed before they started, by reason: `over_budget` (budget spent) "
        "or `left_alone` (the circuit of their service is open).",
        "kind",
        "reason",
        events=(MetricEvent("jobs.held", "jobs"),),
    ),
    counter(
        "messages_refused",
        "Messages for a group that has no usable file in this home.",
        "kind",
        events=(MetricEvent("jobs.refused"),),
    ),
    counter(
        "messages_dropped",
        "Messages of unknown form that were removed.",
        "queue",
        events=(MetricEvent("broker.dropped"),),
    ),
    counter(
        "jobs_sent",
        "Jobs that this process sent to a queue.",
        "kind",
        events=(MetricEvent("relay.sent", "jobs"),),
    ),
    counter(
        "jobs_resent",
        "Jobs that were made ready again. The cause is `unclaimed` (no worker took the message in "
        "time) or `redis_empty` (Redis lost its messages).",
        "cause",
        events=(
            MetricEvent("relay.epoch", "jobs", labels=("redis_empty",)),
            MetricEvent("reconcile.resent", "jobs", labels=("unclaimed",)),
        ),
    ),
    counter(
        "owners_freed",
        "Dead or frozen workers whose jobs were freed for other workers.",
        "state",
        events=(MetricEvent("reconcile.freed"),),
    ),
    counter(
        "redis_disruptions",
        "Requests that Redis did not answer. The label `where` is relay, fetch, ack or lock.",
        "where",
        events=(MetricEvent("redis.failed"),),
    ),
    counter(
        "groups_skipped",
        "Times that a loop skipped a group because its file could not be used.",
        "loop",
        events=(
            MetricEvent("relay.skipped", labels=("relay",)),
            MetricEvent("reconcile.skipped", labels=("reconcile",)),
            MetricEvent("cron.skipped", labels=("cron",)),
        ),
    ),
    counter(
        "loop_failures",
        "Rounds of a loop that failed; the next round tries again.",
        "loop",
        events=(
            MetricEvent("heartbeat.failed", labels=("heartbeat",)),
            MetricEvent("dispatcher.failed", labels=("dispatcher",)),
        ),
    ),
)
"""Metrics that a process counts from events."""

_PROCESS: Final = (
    gauge("slots", "Messages that this process can run at once."),
    gauge("slots_busy", "Messages that this process is running now."),
    gauge(
        "process_jobs_long",
        "Jobs that this process has been running for more than two minutes.",
    ),
    gauge("loop_age_seconds", "Time since the last round of a loop, in seconds.", "loop"),
    gauge(
        "unready",
        "1 if the process is not ready for this reason, else 0.",
        "reason",
    ),
    MetricSpec(
        "afterword_build_info",
        "info",
        "Versions of this process, as labels; the value is always 1.",
        ("version", "python", "sqlite"),
    ),
)
"""Metrics of this process."""

_FLEET: Final = (
    gauge(
        "kind_queues",
        "The queue of each kind of job, as a label; the value is always 1.",
        "kind",
        "queue",
    ),
    gauge("workers", "Workers of usual jobs by state: alive, frozen or dead.", "state"),
    gauge(
        "isolation_workers",
        "Workers that run suspected jobs only, by state: alive, frozen or dead.",
        "state",
    ),
    gauge("dispatchers", "Dispatchers by state: alive, frozen or dead.", "state"),
    gauge(
        "peer_heartbeat_age_seconds",
        "Time since the last heartbeat of a worker or dispatcher of this home, in seconds.",
        "peer",
        "peer_pid",
        "peer_port",
    ),
    gauge("worker_threads", "Threads of live workers that serve a queue.", "queue"),
)
"""Metrics of workers and dispatchers."""

_SYSTEM: Final = (
    gauge("process_virtual_memory_bytes", "Virtual memory size in bytes."),
    gauge("process_resident_memory_bytes", "Resident memory size in bytes."),
    gauge("process_start_time_seconds", "Start time of the process since unix epoch in seconds."),
    counter("process_cpu_seconds", "Total user and system CPU time spent in seconds."),
    gauge("process_open_fds", "Number of open file descriptors."),
    gauge("process_max_fds", "Maximum number of open file descriptors."),
)
"""Metrics of the client library about this process, if `/proc` exists. The texts are its own."""

AREA: Final = Area(
    name="workers",
    checks=(
        DoctorCheck(
            "installation", "afterword.workers.observability.doctor:check_redis", order=100
        ),
    ),
    commands=(
        AreaCommand(
            "worker",
            "afterword.workers.worker.commands:worker",
            "Run the fleet's jobs.",
            order=310,
        ),
        AreaCommand(
            "fleet",
            "afterword.workers.worker.fleet_command:fleet",
            "Show the processes that run jobs, and what keeps jobs from running.",
            order=330,
        ),
        AreaCommand(
            "health",
            "afterword.workers.observability.health_command:health",
            "Ask this host's processes whether they are alive.",
            order=340,
        ),
        AreaCommand(
            "serve",
            "afterword.workers.observability.serve_command:serve",
            "Serve the memory over HTTP, for agents and other programs.",
            order=116,
        ),
    ),
    metrics=(*_COUNTED, *_PROCESS, *_FLEET, *_SYSTEM),
    settings=(
        "redis_url",
        "worker_threads",
        "shutdown_grace_s",
        "metrics_port",
        "scrape_folder",
    ),
    routes=(
        AreaRoute(
            "GET", "/v1/fleet", "afterword.workers.worker.http_routes:get_fleet", "owner observer"
        ),
    ),
    pages=(
        AreaPage(
            "/fleet",
            "afterword.workers.worker.pages:fleet",
            "Fleet",
            "operator",
            order=200,
            needs_group=False,
        ),
    ),
)
