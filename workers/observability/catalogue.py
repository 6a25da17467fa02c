"""Every metric: its name, help text and labels. A process exposes no other metric."""

from dataclasses import dataclass
from typing import Final, Literal

Type = Literal["counter", "gauge", "histogram", "info"]

PREFIX: Final = "afterword_"

OTHER: Final = "other"
"""Label of kinds and models that this program does not know; it bounds the number of labels."""

OTHER_ROLES: Final = "other roles"
"""Label of all roles beyond the first hundred; its blank keeps it apart from ids of roles."""

NO_SKILL: Final = "no skill"
"""Label of roles that no skill declares any more."""

_WAIT_S = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 1800.0, 7200.0)
_RUN_S = (0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0)
_STORE_S = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 10.0)
_LATE_S = (0.5, 1.0, 2.0, 5.0, 10.0, 60.0, 600.0, 3600.0)


@dataclass(frozen=True, slots=True)
class MetricSpec:
    """One metric.

    Args:
        name: its name in a query; counters end in `_total`, units are base units.
        meaning: its help text: plain sentences with the unit.
        buckets: upper bounds of a histogram, in the unit of its name.
    """

    name: str
    type: Type
    meaning: str
    labels: tuple[str, ...] = ()
    buckets: tuple[float, ...] = ()

    @property
    def family(self) -> str:
        """The name without the ending that OpenMetrics adds."""
        return self.name.removesuffix("_total").removesuffix("_info")


def _counter(name: str, meaning: str, *labels: str) -> MetricSpec:
    return MetricSpec(f"{PREFIX}{name}_total", "counter", meaning, labels)


def _gauge(name: str, meaning: str, *labels: str) -> MetricSpec:
    return MetricSpec(PREFIX + name, "gauge", meaning, labels)


def _seconds(name: str, meaning: str, buckets: tuple[float, ...], *labels: str) -> MetricSpec:
    return MetricSpec(f"{PREFIX}{name}_seconds", "histogram", meaning, labels, buckets)


FROM_EVENTS: Final = (
    _seconds("job_wait", "Time that jobs waited from due to started, in seconds.", _WAIT_S, "kind"),
    _seconds("run", "Time that one run of a job or of a batch took, in seconds.", _RUN_S, "kind"),
    _counter(
        "process_jobs_ended",
        "Jobs that this process ended. The outcome `lost` means that another worker got the job "
        "meanwhile.",
        "kind",
        "outcome",
    ),
    _counter(
        "jobs_redelivered",
        "Jobs that were leased or done already when their message arrived.",
        "kind",
    ),
    _counter(
        "stale_commits",
        "Jobs whose commit was refused because another worker had their lease.",
        "kind",
    ),
    _counter(
        "messages_skipped",
        "Messages that were not run, because a gate postponed their jobs or no job was left.",
        "kind",
    ),
    _counter(
        "jobs_held",
        "Jobs that a gate postponed before they started, by reason: `over_budget` (budget spent) "
        "or `left_alone` (the circuit of their service is open).",
        "kind",
        "reason",
    ),
    _counter(
        "messages_refused",
        "Messages for a group that has no usable file in this home.",
        "kind",
    ),
    _counter("messages_dropped", "Messages of unknown form that were removed.", "queue"),
    _counter("jobs_sent", "Jobs that this process sent to a queue.", "kind"),
    _counter(
        "jobs_resent",
        "Jobs that were made ready again. The cause is `unclaimed` (no worker took the message in "
        "time) or `redis_empty` (Redis lost its messages).",
        "cause",
    ),
    _counter(
        "owners_freed", "Dead or frozen workers whose jobs were freed for other workers.", "state"
    ),
    _counter(
        "redis_disruptions",
        "Requests that Redis did not answer. The label `where` is relay, fetch, ack or lock.",
        "where",
    ),
    _counter(
        "groups_skipped",
        "Times that a loop skipped a group because its file could not be used.",
        "loop",
    ),
    _counter("loop_failures", "Rounds of a loop that failed; the next round tries again.", "loop"),
    _counter("cron_jobs", "Jobs that this process added for the schedule.", "entry"),
    _seconds(
        "cron_late",
        "Time from a slot of the schedule until it was fired or missed, in seconds.",
        _LATE_S,
    ),
    _seconds(
        "store_wait", "Time that a write waited for the store's writer, in seconds.", _STORE_S
    ),
    _seconds("store_write", "Time that a write transaction took, in seconds.", _STORE_S),
    _counter(
        "llm_questions",
        "Questions to a model, by outcome: `answered`, `declined` by the model, `refused` by the "
        "service, `unusable` answer, `over_budget`, `left_alone` (circuit open) or `failed`.",
        "task",
        "outcome",
    ),
    _seconds("llm_question", "Time that a question to a model took, in seconds.", _RUN_S, "task"),
    _counter(
        "store_refused",
        "Transactions that SQLite refused, by reason.",
        "reason",
    ),
)
"""Metrics that this process counts from events."""

PROCESS: Final = (
    _gauge("slots", "Messages that this process can run at once."),
    _gauge("slots_busy", "Messages that this process is running now."),
    _gauge(
        "process_jobs_long",
        "Jobs that this process has been running for more than two minutes.",
    ),
    _gauge("loop_age_seconds", "Time since the last round of a loop, in seconds.", "loop"),
    _gauge(
        "unready",
        "1 if the process is not ready for this reason, else 0.",
        "reason",
    ),
    MetricSpec(
        f"{PREFIX}build_info",
        "info",
        "Versions of this process, as labels; the value is always 1.",
        ("version", "python", "sqlite"),
    ),
)
"""Metrics of this process."""

LEDGER: Final = (
    _gauge("jobs", "Jobs of each kind in each state.", "kind", "state"),
    _gauge(
        "jobs_oldest_ready_age_seconds",
        "Time that the oldest due job has waited for its start, in seconds.",
        "kind",
    ),
    _gauge(
        "jobs_paused_groups", "Groups in which an operator has paused this kind of job.", "kind"
    ),
    _counter(
        "jobs_ended",
        "Runs by outcome, since the files were made.",
        "kind",
        "outcome",
    ),
    _gauge(
        "leases",
        "Leases: all (`held`), past their deadline (`expired`), older than two minutes (`long`).",
        "state",
    ),
    _gauge(
        "store_open_jobs",
        "Open jobs of a group; only the groups with the most open jobs are shown.",
        "store",
    ),
    _gauge(
        "kind_queues",
        "The queue of each kind of job, as a label; the value is always 1.",
        "kind",
        "queue",
    ),
    _counter("cron_missed_ticks", "Slots of a schedule entry that did not fire.", "entry"),
    _gauge(
        "cron_last_fired_timestamp_seconds",
        "When a schedule entry last fired in any group, in seconds since 1970.",
        "entry",
    ),
    _gauge("groups", "Groups of this home."),
    _gauge("groups_unread", "Groups that this process has not read yet since its start."),
    _gauge("groups_unreadable", "Groups that could not be read at the last attempt."),
)
"""Metrics of the ledgers of all groups together."""

DECISIONS: Final = (
    _gauge(
        "role_decisions",
        "Decisions of each role by state: pending, parked, skipped or reflected. Roles beyond the "
        "first hundred are `other roles`; roles that no skill declares are `no skill`.",
        "role",
        "state",
    ),
    _gauge("role_decisions_parked", "Parked decisions of each role, by reason.", "role", "reason"),
    _gauge(
        "role_oldest_ripe_age_seconds",
        "Time since the oldest pending decision of a role could be judged, in seconds; 0 if none.",
        "role",
    ),
    _counter(
        "role_reflected",
        "Judged decisions by outcome (right, wrong or noise), class (why they were not right) and "
        "judge: a `probe`, a person's `mark`, the `heuristic` or a `model`.",
        "outcome",
        "class",
        "judge",
    ),
    _counter("role_lessons", "Judged decisions that left a lesson.", "judge"),
    _counter("role_parked", "Times that a decision was parked, by reason.", "reason"),
    _counter("role_skipped", "Decisions that were skipped, by reason.", "reason"),
)
"""Metrics of the decisions of all groups together."""

FILES: Final = (
    _gauge(
        "store_bytes",
        "Size of a store's file, in bytes; only the largest stores are shown.",
        "store",
    ),
    _gauge("store_wal_bytes", "Size of a store's write-ahead log, in bytes.", "store"),
    _gauge(
        "store_damaged",
        "1 if the file of a store is damaged; a sound store has no series.",
        "store",
    ),
    _gauge("home_free_bytes", "Free space on the disk of the stores, in bytes."),
)
"""Metrics of the files."""

FLEET: Final = (
    _gauge("workers", "Worker processes by state: alive, frozen or dead.", "state"),
    _gauge("dispatchers", "Dispatchers by state: alive, frozen or dead.", "state"),
    _gauge(
        "peer_heartbeat_age_seconds",
        "Time since the last heartbeat of a worker or dispatcher of this home, in seconds.",
        "peer",
        "peer_pid",
        "peer_port",
    ),
    _gauge("worker_threads", "Threads of live workers that serve a queue.", "queue"),
)
"""Metrics of workers and dispatchers."""

MONEY: Final = (
    _gauge("budget_limit_usd", "The cap of a budget, in US dollars.", "budget", "period"),
    _gauge("budget_spent_usd", "The spent part of a budget, in US dollars.", "budget", "period"),
    _gauge(
        "budget_reserved_usd",
        "The part of a budget that running calls have reserved, in US dollars.",
        "budget",
        "period",
    ),
    _gauge("budget_stopped", "1 if all spending is stopped, else 0."),
    _gauge(
        "circuit_open",
        "1 if the circuit of this model is open or half open, else 0.",
        "service",
        "model",
    ),
    _counter("llm_calls", "Calls to models that were booked.", "category", "model", "basis"),
    _counter("llm_tokens", "Tokens that models read and wrote.", "category", "model", "direction"),
    _counter("llm_cost_usd", "Cost of the calls to models, in US dollars.", "category", "model"),
)
"""Metrics of budgets, circuits and model calls."""

SYSTEM: Final = (
    _gauge("process_virtual_memory_bytes", "Virtual memory size in bytes."),
    _gauge("process_resident_memory_bytes", "Resident memory size in bytes."),
    _gauge("process_start_time_seconds", "Start time of the process since unix epoch in seconds."),
    _counter("process_cpu_seconds", "Total user and system CPU time spent in seconds."),
    _gauge("process_open_fds", "Number of open file descriptors."),
    _gauge("process_max_fds", "Maximum number of open file descriptors."),
)
"""Metrics of the client library about this process, if `/proc` exists. The texts are its own."""

CATALOGUE: Final = {
    named.name: named
    for part in (FROM_EVENTS, PROCESS, LEDGER, DECISIONS, FILES, FLEET, MONEY, SYSTEM)
    for named in part
}
"""All metrics by name."""
