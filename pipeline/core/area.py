"""The types in which a room declares itself: frozen plain data, and names to load later.

Each room with tables, jobs, settings, metrics, commands or tools has an `area.py` with one `Area`;
it imports this module only. `afterword.pipeline.areas` has the tuple of all areas, and every list
of the program (commands, routes, schedule, doctor, …) is a loop over it.

Code that is loaded later is given as a dotted name, `package.module:name`. `order` sorts the parts
of different areas in one list: the smallest first. The parts are named tuples, since dataclasses
would double the time that this module takes at start.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final, Literal, NamedTuple, Protocol, TypeVar

_PREFIX: Final = "afterword_"
"""Every metric's name begins with it."""

RUN_S: Final = (0.005, 0.025, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0)
"""Buckets of a histogram of runs and questions; seconds."""

RouteMethod = Literal["GET", "POST", "PATCH", "PUT", "DELETE"]
SitePart = Literal["trades", "memory", "operator", ""]
"""The parts of the navigation of the site, in their order."""

DoctorScope = Literal["installation", "instance", "group"]
MetricType = Literal["counter", "gauge", "histogram", "info"]
Misfire = Literal["once", "skip", "catch_up"]
"""What happens to slots that passed while no dispatcher ran; `schedules/due.py` has the rules."""

Overlap = Literal["allow", "skip"]
"""Whether the job of a slot may exist beside the job of an earlier slot."""


def load(dotted: str) -> Any:
    """Import and return the object of a dotted name, `package.module:name`.

    Raises:
        ImportError: there is no such module.
        AttributeError: the module has no such name.
    """
    module, _, name = dotted.partition(":")
    return getattr(import_module(module), name)


class AreaTable(NamedTuple):
    """A table that only this area writes.

    Args:
        quiet: the columns of text or bytes that can never hold remembered text, since they hold
            ids, names of work, words of a fixed list, numbers or texts of the program; separated by
            blanks.
    """

    name: str
    quiet: str = ""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of work and its limits.

    Args:
        name: `verb_noun`, as stored in the ledger.
        batch: most rows of one message; 1 for work that asks a model.
        deadline_s: how long one run may take before another worker gets the job; seconds.
        max_attempts: failed runs after which the job is dead-lettered.
        resend_after_s: how long a message may wait for a worker before it is sent again; seconds.
            Messages can be lost without an error, so it is never above 20 s.
    """

    name: str
    batch: int = 1
    deadline_s: float = 60.0
    max_attempts: int = 5
    resend_after_s: float = 20.0


class AreaStep(NamedTuple):
    """A step of the learning loop: a person who asks for the loop, and a replay, do it as well.

    Args:
        step: dotted name of a `LoopStep` (`afterword.pipeline.operations.loop`).
        place: its place in a pass of a replay, the smallest first.
        asked_place: its place where a person asks for the loop; None if a command of its own asks
            for it.
    """

    step: str
    place: int
    asked_place: int | None


class AreaJob(NamedTuple):
    """A kind of job: its actor, its queue, and the checks before it starts.

    Args:
        actor: dotted name of the function that runs it: one call into the domain.
        queue: the queue it waits in; one of `afterword.workers.routes.QUEUES`.
        spends: the spending category with the budget that is checked before it starts; None for
            work that costs nothing.
        asks: the service with the circuit that is checked before it starts: `accounts`,
            `embedding`, `llm`, `llm_fast` or `prices`.
        serial: the lock that lets one such job run at a time, such as `role {group} {role}`: names
            in braces are the group and the values of the job's payload.
        has_work: dotted name of the rule that returns since when a group has work for it
            (`afterword.pipeline.core.jobs.has_work`); without one its entries in the schedule fire
            at every slot.
        step: the step of the learning loop that it does, if it does one.
    """

    kind: Kind
    actor: str
    queue: str
    spends: str | None = None
    asks: str | None = None
    serial: str | None = None
    has_work: str | None = None
    step: AreaStep | None = None


class SwitchTask(NamedTuple):
    """A task with a switch: on, off, or in shadow mode.

    Args:
        does: what it does, as a sentence.
    """

    name: str
    does: str


class CronLine(NamedTuple):
    """One line of the schedule; `afterword.schedules.entry.CronEntry` says what its fields mean.

    Args:
        name: `area.verb`.
        cron: five fields in UTC, minute hour day month weekday.
        job: name of the kind of job it adds.
        jitter_s: seconds over which installations spread one slot.
    """

    name: str
    cron: str
    job: str
    misfire: Misfire = "once"
    overlap: Overlap = "skip"
    jitter_s: int = 0


class ForgetPlace(NamedTuple):
    """Columns of one table that can hold remembered text, and how the text is erased from them.

    Args:
        order: when it is erased; a table comes before the table that its rows are deleted with.
        words: columns of plain text.
        json: columns of JSON; the strings in it are searched, however they are escaped.
        blank: the assignments of an `UPDATE` that remove the text from a row; if empty, the row is
            deleted.
        names: SQL that is true for a row that refers to one of the memories `:memories` (a JSON
            array of their ids), whatever its text is; empty if no row can.
        account: SQL of the name of the account at a venue that a row is of; it is erased with the
            address of that account. Empty if a row is of none, or has the address itself. Where a
            row is of several, `account.value` in it is the one that is looked for.
        quotes: whether it may quote a part of a text, as errors do; losing it costs nothing.
        on_request: whether it is erased only if the request asks for it.
        key: the whole number that names a row, where the table has no rowid.
        file: the file that the table is in. A row of the instance file is blanked wherever a column
            of words equals an erased text, since one transaction cannot span two files.
    """

    table: str
    order: int
    words: tuple[str, ...] = ()
    json: tuple[str, ...] = ()
    blank: str = ""
    names: str = ""
    account: str = ""
    quotes: bool = False
    on_request: bool = False
    key: str = "rowid"
    file: Literal["group", "instance"] = "group"

    @property
    def does(self) -> str:
        """What erasing does to its rows, in one word."""
        return "blanked" if self.blank else "erased"


class DoctorCheck(NamedTuple):
    """One check of the doctor.

    Args:
        scope: the argument of its calls: the settings, once for the `installation`; or each sound
            file (`afterword.pipeline.operations.doctor.model.SoundFile`) of the `instance` or of a
            `group`.
        check: dotted name of the function; it returns findings.
    """

    scope: DoctorScope
    check: str
    order: int


class DoctorFix(NamedTuple):
    """One repair by the doctor.

    Args:
        fix: dotted name of the function; it returns how many rows or files it changes, and what it
            does.
        may_ask: whether it may cause a question to a model; it then runs only if the operator
            names it.
        scope: the argument of its calls: `Tools` for each `group`, or once `HomeTools`, for the
            `installation` (`afterword.pipeline.operations.doctor`).
    """

    name: str
    fix: str
    order: int
    may_ask: bool = False
    scope: DoctorScope = "group"


class AreaSection(NamedTuple):
    """A part of the page about an asset.

    Args:
        section: dotted name of a `PageSection`.
    """

    section: str
    order: int


class AreaLineage(NamedTuple):
    """What things of one kind come from, as `afterword memory why` follows it.

    Args:
        kind: of thing, such as `memory`; rooms may add to what another room says of it.
        reader: dotted name of a `ReadLineageStep` (`afterword.pipeline.domain.lineage.model`).
        order: among the readers, whose kinds a name is tried for in turn.
    """

    kind: str
    reader: str
    order: int


ExportTrust = Literal["any", "known", "signed", "own", "none"]
"""Whose rows an import takes into a table: those of any folder; those that are signed, or for which
the owner vouches; those that are signed, with the key of this home or with one that the owner
gives; those that this group itself signed; or of nobody, since another file of the export carries
them or they are derived."""


class AreaExport(NamedTuple):
    """A table that an export takes along, as one file of JSON lines.

    Args:
        name: of its file: `data/NAME.jsonl`.
        table: each of its columns becomes a field, but for `leaves`.
        key: columns that name a row wherever it is; separated by blanks. An import takes no row
            with a key that is known.
        order: a table comes after those that its rows refer to.
        links: columns with the id of a row, as `column=NAME` of that row's export; a line has the
            key of the row instead. Separated by blanks.
        names: columns with the key of a row, as `column=NAME` of that row's export; an import
            leaves one empty whose row is not here. Separated by blanks.
        leaves: columns that mean something in this file alone, or are derived; separated by blanks.
        amounts: columns whose text is an exact number, `NAME?` where it may be blank; `lists`:
            those whose text is a JSON list of texts, or of pairs of a text and an amount. A line
            with another value there is refused, since readers rely on it. Separated by blanks.
        where: SQL that is true for the rows that are taken along; empty for all.
        constraint: SQL that is true for a row which tells a hard constraint: it is left out unless
            it was asked for.
        trust: whose rows an import takes.
        learned_at: columns with the moment at which this store learned of a row; in another group
            that is the moment of the import. Separated by blanks.
        write: dotted name of what writes the rows; without one they are inserted as they are.
        after: dotted name of what makes the index or the job of a row that was inserted as it is:
            it gets the connection, the `Writer`, the row's id, its values by column and the
            moment.
        on_request: whether it is taken along only if it was asked for.
    """

    name: str
    table: str
    key: str
    order: int
    links: str = ""
    names: str = ""
    leaves: str = "id"
    amounts: str = ""
    lists: str = ""
    where: str = ""
    constraint: str = ""
    trust: ExportTrust = "own"
    learned_at: str = ""
    write: str = ""
    after: str = ""
    on_request: bool = False


class AreaCommand(NamedTuple):
    """A command of `afterword`.

    Args:
        command: dotted name of its function, or of its group of commands.
        help: its line in the list of commands.
    """

    name: str
    command: str
    help: str
    order: int


class AreaRoute(NamedTuple):
    """A route of the network door.

    Args:
        path: with the names of its parts in braces, such as `/v1/memory/{memory}`.
        handler: dotted name of its function in `afterword.pipeline.doors.http.routes`.
        callers: the roles of tokens that may call it; separated by blanks.
    """

    method: RouteMethod
    path: str
    handler: str
    callers: str


class AreaPage(NamedTuple):
    """A page of the site in the browser.

    Args:
        path: with the names of its parts in braces, such as `/jobs/{job}`.
        handler: dotted name of a function that returns a `PageContent`
            (`afterword.pipeline.doors.web.model`). Its first argument is the `PageCaller`; the
            others are the parts of the path and what the address asks for, by name.
        title: in the navigation, and above the page unless it says another one.
        section: the part of the navigation that lists it; empty for a page that others link to.
        order: among the pages of all areas.
        callers: the roles that may see it; separated by blanks.
        shows: the kind of thing whose page it is, as a `Ref` of a view calls it; empty for none.
        needs_group: whether it shows what a group has; such a page says how to begin while nothing
            was ever written there.
    """

    path: str
    handler: str
    title: str
    section: SitePart
    order: int
    callers: str = "owner observer"
    shows: str = ""
    needs_group: bool = True


class AreaAction(NamedTuple):
    """What a form of a page does.

    Args:
        path: to which the form is sent, such as `/jobs/{job}/retry`.
        handler: dotted name of a function that returns a `ActionAnswer`
            (`afterword.pipeline.doors.web.model`). Its first argument is the `PageCaller`; the
            others are the parts of the path and the fields of the form, by name.
        callers: the roles that may do it; separated by blanks.
    """

    path: str
    handler: str
    callers: str = "owner"


class ToolEffect(NamedTuple):
    """What one tool does to what is remembered, as a client tells its user before a call.

    Args:
        writes: whether it changes anything.
        replaces: whether it may change, replace or hide what was there before.
        repeats: whether a second call with the same arguments adds something again.
    """

    writes: bool
    replaces: bool = False
    repeats: bool = False


READS: Final = ToolEffect(writes=False)
"""The effect of a tool that only reads."""

ADDS: Final = ToolEffect(writes=True, repeats=True)
"""The effect of a tool that adds something with each call."""


class AgentTool(NamedTuple):
    """A tool that a model may call.

    Args:
        tool: dotted name of its function.
        effect: a test runs each tool and compares the tables before and after.
    """

    name: str
    tool: str
    effect: ToolEffect
    order: int


class MetricEvent(NamedTuple):
    """An event that changes a metric of the process in which it happens.

    Args:
        action: its name, as it is emitted.
        amount: the fact with the number to add, or with the seconds, one or a list of them; empty
            for a counter that adds one.
        labels: labels that are the same for every such event; without them each label is the fact
            of its name.
    """

    action: str
    amount: str = ""
    labels: tuple[str, ...] = ()


class MetricSpec(NamedTuple):
    """One metric.

    Args:
        name: its name in a query; counters end in `_total`, units are base units.
        meaning: its help text: plain sentences with the unit.
        buckets: upper bounds of a histogram, in the unit of its name.
        events: what changes it; without one it is measured or read otherwise.
    """

    name: str
    type: MetricType
    meaning: str
    labels: tuple[str, ...] = ()
    buckets: tuple[float, ...] = ()
    events: tuple[MetricEvent, ...] = ()

    @property
    def family(self) -> str:
        """The name without the ending that OpenMetrics adds."""
        return self.name.removesuffix("_total").removesuffix("_info")


def counter(
    name: str, meaning: str, *labels: str, events: tuple[MetricEvent, ...] = ()
) -> MetricSpec:
    """Return a counter; `name` is without prefix and ending."""
    return MetricSpec(f"{_PREFIX}{name}_total", "counter", meaning, labels, events=events)


def gauge(name: str, meaning: str, *labels: str) -> MetricSpec:
    """Return a gauge; `name` is without prefix."""
    return MetricSpec(_PREFIX + name, "gauge", meaning, labels)


def seconds(
    name: str,
    meaning: str,
    buckets: tuple[float, ...],
    *labels: str,
    events: tuple[MetricEvent, ...] = (),
) -> MetricSpec:
    """Return a histogram of seconds; `name` is without prefix and ending."""
    return MetricSpec(f"{_PREFIX}{name}_seconds", "histogram", meaning, labels, buckets, events)


@dataclass(frozen=True, slots=True, kw_only=True)
class Area:
    """One room's declaration.

    Args:
        name: the name of the room, or the word that operators use for it.
        numbers: dotted names of what reads those of its metrics that are numbers of a group
            (`afterword.pipeline.core.telemetry.numbers.GroupNumbers`), each called with the parts
            of the process that shows them.
        settings: the names of its fields in `afterword.pipeline.settings.Settings`.
    """

    name: str
    tables: tuple[AreaTable, ...] = ()
    jobs: tuple[AreaJob, ...] = ()
    switches: tuple[SwitchTask, ...] = ()
    cron: tuple[CronLine, ...] = ()
    places: tuple[ForgetPlace, ...] = ()
    checks: tuple[DoctorCheck, ...] = ()
    fixes: tuple[DoctorFix, ...] = ()
    sections: tuple[AreaSection, ...] = ()
    lineage: tuple[AreaLineage, ...] = ()
    exports: tuple[AreaExport, ...] = ()
    commands: tuple[AreaCommand, ...] = ()
    routes: tuple[AreaRoute, ...] = ()
    pages: tuple[AreaPage, ...] = ()
    actions: tuple[AreaAction, ...] = ()
    tools: tuple[AgentTool, ...] = ()
    metrics: tuple[MetricSpec, ...] = ()
    numbers: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()


class OrderedPart(Protocol):
    """A part with a place in one list that holds the parts of all areas."""

    @property
    def order(self) -> int:
        """The smallest comes first."""


_Part = TypeVar("_Part", bound=OrderedPart)


def in_order(areas: Iterable[Area], parts: Callable[[Area], Iterable[_Part]]) -> list[_Part]:
    """Return the parts of one type of all areas, the smallest `order` first."""
    found = [part for area in areas for part in parts(area)]
    return sorted(found, key=lambda part: part.order)
