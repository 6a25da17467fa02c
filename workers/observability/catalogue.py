"""Every metric there is: name, meaning, labels; nothing else may be exposed."""

from dataclasses import dataclass
from typing import Final, Literal

Type = Literal["counter", "gauge", "histogram", "info"]

PREFIX: Final = "afterword_"

OTHER: Final = "other"
"""Label of a kind or a model this program does not know: labels stay bounded."""

OTHER_ROLES: Final = "other roles"
"""Label of the roles there are too many of; with a blank, which no role's id has."""

NO_SKILL: Final = "no skill"
"""Label of the roles no skill declares any more."""

_WAIT_S = (0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0, 1800.0, 7200.0)
_RUN_S = (0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0)
_STORE_S = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 10.0)
_LATE_S = (0.5, 1.0, 2.0, 5.0, 10.0, 60.0, 600.0, 3600.0)


@dataclass(frozen=True, slots=True)
class MetricSpec:
    """One metric.

    Args:
        name: as a query writes it; counters end in `_total`, units are base units.
        meaning: its help text.
        buckets: upper bounds of a histogram, in the unit of its name.
    """

    name: str
    type: Type
    meaning: str
    labels: tuple[str, ...] = ()
    buckets: tuple[float, ...] = ()

    @property
    def family(self) -> str:
        """The name without the ending that OpenMetrics adds to it."""
        return self.name.removesuffix("_total").removesuffix("_info")


def _counter(name: str, meaning: str, *labels: str) -> MetricSpec:
    return MetricSpec(f"{PREFIX}{name}_total", "counter", meaning, labels)


def _gauge(name: str, meaning: str, *labels: str) -> MetricSpec:
    return MetricSpec(PREFIX + name, "gauge", meaning, labels)


def _seconds(name: str, meaning: str, buckets: tuple[float, ...], *labels: str) -> MetricSpec:
    return MetricSpec(f"{PREFIX}{name}_seconds", "histogram", meaning, labels, buckets)


TOLD: Final = (
    _seconds("job_wait", "How many seconds jobs waited from due to started.", _WAIT_S, "kind"),
    _seconds("run", "How many seconds one run took, of one job or of a batch.", _RUN_S, "kind"),
    _counter(
        "process_jobs_ended",
        "How many jobs this process ended; `lost` had been given to another worker meanwhile.",
        "kind",
        "outcome",
    ),
    _counter(
        "jobs_redelivered",
        "How many jobs a message named that were taken or done already.",
        "kind",
    ),
    _counter(
        "stale_commits",
        "How many jobs were refused their commit because their lease had moved on.",
        "kind",
    ),
    _counter(
        "messages_skipped",
        "How many messages a gate held back, or had nothing left to do.",
        "kind",
    ),
    _counter(
        "jobs_held",
        "How many jobs a gate put back before they started: `over_budget`, or their service is "
        "`left_alone`.",
        "kind",
        "reason",
    ),
    _counter(
        "messages_refused",
        "How many messages named a group whose file is not here.",
        "kind",
    ),
    _counter("messages_dropped", "How many messages could not be understood.", "queue"),
    _counter("jobs_sent", "How many jobs this process sent to the transport.", "kind"),
    _counter(
        "jobs_resent",
        "How many jobs were made ready again because their message was `unclaimed` for too long, "
        "or because Redis came back empty (`redis_empty`).",
        "cause",
    ),
    _counter("owners_freed", "How many dead or frozen workers lost their jobs.", "state"),
    _counter(
        "redis_disruptions",
        "How many times Redis did not answer: the relay, a fetch, an acknowledgement or a lock.",
        "where",
    ),
    _counter(
        "groups_skipped",
        "How many times a loop passed over a group whose file could not be used.",
        "loop",
    ),
    _counter(
        "loop_failures", "How many rounds of a loop failed; the next one tries again.", "loop"
    ),
    _counter("cron_jobs", "How many jobs this process's ticks added.", "entry"),
    _seconds("cron_late", "How many seconds after its slot an entry was decided on.", _LATE_S),
    _seconds("store_wait", "How many seconds a write waited for its turn.", _STORE_S),
    _seconds("store_write", "How many seconds a write transaction took.", _STORE_S),
    _counter(
        "llm_questions",
        "How many questions to a model this process saw end: `answered`, `declined` by the model, "
        "`refused` by the service, `unusable`, `over_budget`, `left_alone` or `failed`.",
        "task",
        "outcome",
    ),
    _seconds("llm_question", "How many seconds a question took, if it was asked.", _RUN_S, "task"),
    _counter(
        "store_refused",
        "How many transactions SQLite refused, by what was in the way.",
        "reason",
    ),
)
"""What this process counted itself, from the events it was told."""

PROCESS: Final = (
    _gauge("slots", "How many jobs or batches this process can run at once."),
    _gauge("slots_busy", "How many messages this process is working on."),
    _gauge(
        "process_jobs_long",
        "How many jobs this process has been working on for more than two minutes.",
    ),
    _gauge("loop_age_seconds", "How many seconds ago a loop last turned.", "loop"),
    _gauge(
        "unready",
        "How many reasons of this name keep the process from being ready, 0 or 1.",
        "reason",
    ),
    MetricSpec(
        f"{PREFIX}build_info",
        "info",
        "How many builds of these versions this process is: always 1.",
        ("version", "python", "sqlite"),
    ),
)
"""How this process is."""

LEDGER: Final = (
    _gauge("jobs", "How many jobs of a kind are in a state.", "kind", "state"),
    _gauge(
        "jobs_oldest_ready_age_seconds",
        "How many seconds the oldest due and unstarted job has waited.",
        "kind",
    ),
    _gauge("jobs_paused_groups", "How many groups an operator paused this kind in.", "kind"),
    _counter(
        "jobs_ended",
        "How many runs ended in a way, since the files were made.",
        "kind",
        "outcome",
    ),
    _gauge(
        "leases",
        "How many leases are held, how many of them past their end, and how many for more than two "
        "minutes (`long`).",
        "state",
    ),
    _gauge(
        "store_open_jobs",
        "How many jobs of a group are not finished; the groups with the most only.",
        "store",
    ),
    _gauge(
        "kind_queues",
        "How many queues carry a kind of job: always 1; the label names it.",
        "kind",
        "queue",
    ),
    _counter("cron_missed_ticks", "How many slots of an entry were passed over.", "entry"),
    _gauge(
        "cron_last_fired_timestamp_seconds",
        "How many seconds after 1970 an entry last fired, in any group.",
        "entry",
    ),
    _gauge("groups", "How many groups there are."),
    _gauge("groups_unread", "How many groups nobody here had time to read since the start."),
    _gauge("groups_unreadable", "How many groups could not be read when last looked at."),
)
"""What the files of all groups say together."""

DECISIONS: Final = (
    _gauge(
        "role_decisions",
        "How many decisions of a role are pending, parked, skipped or reflected; roles above a "
        "hundred are `other roles`, those removed from every skill `no skill`.",
        "role",
        "state",
    ),
    _gauge("role_decisions_parked", "How many are parked for a reason.", "role", "reason"),
    _gauge(
        "role_oldest_ripe_age_seconds",
        "How many seconds a role's oldest pending decision could have been judged; 0 if none.",
        "role",
    ),
    _counter(
        "role_reflected",
        "How many decisions were judged for good: right, wrong or noise; why they were not right; "
        "said by a `probe`, a person's `mark`, the `heuristic` or a `model`.",
        "outcome",
        "class",
        "judge",
    ),
    _counter("role_lessons", "How many of them left a lesson.", "judge"),
    _counter("role_parked", "How many times a decision was parked for a reason.", "reason"),
    _counter("role_skipped", "How many decisions were given up for a reason.", "reason"),
)
"""What became of the decisions of all groups together."""

FILES: Final = (
    _gauge("store_bytes", "How many bytes a store's file has; the largest stores only.", "store"),
    _gauge("store_wal_bytes", "How many bytes its write-ahead log has.", "store"),
    _gauge(
        "store_damaged",
        "How many damaged files a store has: 1; a sound store has no series.",
        "store",
    ),
    _gauge("home_free_bytes", "How many bytes are free where the stores lie."),
)
"""How large the files are."""

FLEET: Final = (
    _gauge("workers", "How many worker processes are alive, frozen or dead.", "state"),
    _gauge("dispatchers", "How many dispatchers are alive, frozen or dead.", "state"),
    _gauge(
        "peer_heartbeat_age_seconds",
        "How many seconds ago a worker or dispatcher of this home was last seen to move.",
        "peer",
        "peer_pid",
        "peer_port",
    ),
    _gauge("worker_threads", "How many threads of live workers serve a queue.", "queue"),
)
"""Who works."""

MONEY: Final = (
    _gauge("budget_limit_usd", "How many US dollars a budget may spend.", "budget", "period"),
    _gauge("budget_spent_usd", "How many of them are spent.", "budget", "period"),
    _gauge("budget_reserved_usd", "How many are held by calls on their way.", "budget", "period"),
    _gauge("budget_stopped", "How many stops hold all spending, 0 or 1."),
    _gauge(
        "circuit_open",
        "How many circuits hold what asks this model, 0 or 1; a probe may be on its way.",
        "service",
        "model",
    ),
    _counter("llm_calls", "How many calls were booked.", "category", "model", "basis"),
    _counter("llm_tokens", "How many tokens were used.", "category", "model", "direction"),
    _counter("llm_cost_usd", "How many US dollars the calls cost.", "category", "model"),
)
"""What asking models costs."""

SYSTEM: Final = (
    _gauge("process_virtual_memory_bytes", "Virtual memory size in bytes."),
    _gauge("process_resident_memory_bytes", "Resident memory size in bytes."),
    _gauge("process_start_time_seconds", "Start time of the process since unix epoch in seconds."),
    _counter("process_cpu_seconds", "Total user and system CPU time spent in seconds."),
    _gauge("process_open_fds", "Number of open file descriptors."),
    _gauge("process_max_fds", "Maximum number of open file descriptors."),
)
"""What the client library says of this process, where `/proc` exists; the texts are its own."""

CATALOGUE: Final = {
    named.name: named
    for part in (TOLD, PROCESS, LEDGER, DECISIONS, FILES, FLEET, MONEY, SYSTEM)
    for named in part
}
"""All of it by name."""
