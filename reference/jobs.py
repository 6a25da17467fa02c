"""Every kind of job with its limits, every entry of the schedule, and every task with a switch."""

from afterword.pipeline.areas import all_areas
from afterword.pipeline.core.area import AreaJob, CronLine, load
from reference.markdown import code, page, sentence, table

INTRODUCTION = """What runs behind a write, and when; \
[architecture](../architecture.md#a-write-becomes-a-job) follows a job on its way. A job that \
spends waits while the budget of that category is spent; a job that asks waits while the circuit \
of that service is open; of jobs with the same lock one runs at a time. A job whose run passes its \
deadline is given to another worker. After the attempts it is dead."""

SCHEDULE = """Times are in UTC: minute, hour, day, month, weekday. A slot fires in the groups \
with work for it: the rule of its job returns since when, or from when on, there is some. \
*misfire* says what happens to slots that passed while no dispatcher ran: the newest fires once \
(`once`), the newest unless it is too old (`skip`), or several (`catch_up`). Each role with the \
trigger `cron` adds an entry of its own, at the times its skill sets."""

SWITCHES = """`afterword switch set TASK on|off|shadow` sets how a task runs, in every process at \
once; `shadow` lets it compute and record, without effect."""


def jobs_page() -> str:
    """Return the page: three tables."""
    jobs = [job for area in all_areas() for job in area.jobs]
    lines = sorted((line for area in all_areas() for line in area.cron), key=lambda line: line.name)
    tasks = [task for area in all_areas() for task in area.switches]
    rules = {job.kind.name: job.has_work for job in jobs}
    head = ("kind", "queue", "batch", "deadline", "attempts", "spends", "asks", "lock", "does")
    return page(
        "Jobs",
        INTRODUCTION,
        table(head, map(_job, jobs)),
        "## Schedule",
        SCHEDULE,
        table(
            ("entry", "when", "job", "misfire", "its rule returns"),
            [_line(line, rules[line.job]) for line in lines],
        ),
        "## Switches",
        SWITCHES,
        table(("task", "does"), [(code(task.name), task.does) for task in tasks]),
    )


def _job(job: AreaJob) -> tuple[str, ...]:
    kind = job.kind
    return (
        code(kind.name),
        code(job.queue),
        str(kind.batch),
        f"{kind.deadline_s:g} s",
        str(kind.max_attempts),
        code(job.spends),
        code(job.asks),
        code(job.serial),
        sentence(load(job.actor).__doc__),
    )


def _line(line: CronLine, rule: str | None) -> tuple[str, ...]:
    has_work = sentence(load(rule).__doc__).removeprefix("Return ") if rule else ""
    return code(line.name), code(line.cron), code(line.job), code(line.misfire), has_work
