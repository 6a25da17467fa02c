"""What the workers declare: their commands, their settings, and what a process counts."""

from typing import Final

from afterword.pipeline.core.area import (
    RUN_S,
    Area,
    AreaCommand,
    DoctorCheck,
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
    seconds("job_wait", "How many seconds jobs waited from due to started.", _WAIT_S, "kind"),
    seconds("run", "How many seconds one run took, of one job or of a batch.", RUN_S, "kind"),
    counter(
        "process_jobs_ended",
        "How many jobs this process ended; `lost` had been given to another worker meanwhile.",
        "kind",
        "outcome",
    ),
    counter(
        "jobs_redelivered",
        "How many jobs a message named that were taken or done already.",
        "kind",
    ),
    counter(
        "stale_commits",
        "How many jobs were refused their commit because their lease had moved on.",
        "kind",
    ),
    counter(
        "messages_skipped",
        "How many messages a gate held back, or had nothing left to do.",
        "kind",
    ),
    counter(
        "jobs_held",
        "How many jobs a gate put back before they started: `over_budget`, or their service is "
        "`left_alone`.",
        "kind",
        "reason",
    ),
    counter(
        "messages_refused",
        "How many messages named a group whose file is not here.",
        "kind",
    ),
    counter("messages_dropped", "How many messages could not be understood.", "queue"),
    counter("jobs_sent", "How many jobs this process sent to the transport.", "kind"),
    counter(
        "jobs_resent",
        "How many jobs were made ready again because their message was `unclaimed` for too long, "
        "or because Redis came back empty (`redis_empty`).",
        "cause",
    ),
    counter("owners_freed", "How many dead or frozen workers lost their jobs.", "state"),
    counter(
        "redis_disruptions",
        "How many times Redis did not answer: the relay, a fetch, an acknowledgement or a lock.",
        "where",
    ),
    counter(
        "groups_skipped",
        "How many times a loop passed over a group whose file could not be used.",
        "loop",
    ),
    counter("loop_failures", "How many rounds of a loop failed; the next one tries again.", "loop"),
)
"""What a process counts itself, from the events it hears."""

_PROCESS: Final = (
    gauge("slots", "How many jobs or batches this process can run at once."),
    gauge("slots_busy", "How many messages this process is working on."),
    gauge(
        "process_jobs_long",
        "How many jobs this process has been working on for more than two minutes.",
    ),
    gauge("loop_age_seconds", "How many seconds ago a loop last turned.", "loop"),
    gauge(
        "unready",
        "How many reasons of this name keep the process from being ready, 0 or 1.",
        "reason",
    ),
    MetricSpec(
        "afterword_build_info",
        "info",
        "How many builds of these versions this process is: always 1.",
        ("version", "python", "sqlite"),
    ),
)
"""How this process is."""

_FLEET: Final = (
    gauge(
        "kind_queues",
        "How many queues carry a kind of job: always 1; the label names it.",
        "kind",
        "queue",
    ),
    gauge("workers", "How many worker processes are alive, frozen or dead.", "state"),
    gauge("dispatchers", "How many dispatchers are alive, frozen or dead.", "state"),
    gauge(
        "peer_heartbeat_age_seconds",
        "How many seconds ago a worker or dispatcher of this home was last seen to move.",
        "peer",
        "peer_pid",
        "peer_port",
    ),
    gauge("worker_threads", "How many threads of live workers serve a queue.", "queue"),
)
"""Who works."""

_SYSTEM: Final = (
    gauge("process_virtual_memory_bytes", "Virtual memory size in bytes."),
    gauge("process_resident_memory_bytes", "Resident memory size in bytes."),
    gauge("process_start_time_seconds", "Start time of the process since unix epoch in seconds."),
    counter("process_cpu_seconds", "Total user and system CPU time spent in seconds."),
    gauge("process_open_fds", "Number of open file descriptors."),
    gauge("process_max_fds", "Maximum number of open file descriptors."),
)
"""What the client library says of this process, where `/proc` exists; the texts are its own."""

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
    ),
    metrics=(*_COUNTED, *_PROCESS, *_FLEET, *_SYSTEM),
    settings=(
        "redis_url",
        "worker_threads",
        "shutdown_grace_s",
        "metrics_port",
        "scrape_folder",
    ),
)
