"""One kind of job: its backlog and how fast it drains; pause it, and go on."""

from afterword.pipeline.core.jobs import inspect, operate
from afterword.pipeline.core.store import reading, writing
from afterword.pipeline.domain.memory.checks import check_text
from afterword.pipeline.doors.web.caller import PageCaller
from afterword.pipeline.doors.web.model import ActionAnswer, PageContent, PageField, PageForm
from afterword.pipeline.errors import ConflictError, NotFoundError
from afterword.pipeline.rules.masking import mask
from afterword.pipeline.views.blocks import Fields, View
from afterword.pipeline.views.cells import Ref
from afterword.pipeline.views.operator.jobs import (
    backlog_list,
    kind_paused,
    kind_resumed,
    run_totals,
)


def kind(by: PageCaller, kind: str) -> PageContent:
    """Return the backlog of a kind, how its runs ended, and the button that pauses it."""
    with reading(by.store()) as conn:
        pauses = {pause.kind: pause for pause in inspect.pauses(conn)}
        backlogs = [row for row in inspect.backlogs(conn, by.now()) if row.kind == kind]
        totals = [(by.group, total) for total in inspect.totals(conn) if total.kind == kind]
        if not backlogs and not totals:
            raise NotFoundError(f"the group never had a job of the kind {mask(kind)}")
    rows = [(by.group, backlog, pauses.get(kind)) for backlog in backlogs]
    way = Ref("List them", "jobs", filters={"kind": kind})
    parts = [backlog_list(rows, [], by.now()), run_totals(totals), View([Fields({"jobs": way})])]
    return PageContent([*parts, _resume(kind) if kind in pauses else _pause(kind)], title=kind)


def pause(by: PageCaller, kind: str, note: str = "") -> ActionAnswer:
    """Stop sending jobs of a kind; running jobs finish."""
    check_text(kind, 100, "kind")
    masked = mask(kind)

    def run() -> None:
        with writing(by.store()) as conn:
            if not operate.pause(conn, masked, by.now(), mask(note)):
                raise ConflictError(f"{masked} was paused before; its reason stays")

    by.write(run)
    return ActionAnswer(kind_paused(masked, by.group, is_known=True), f"/kinds/{kind}")


def resume(by: PageCaller, kind: str) -> ActionAnswer:
    """Send jobs of a paused kind again."""

    def run() -> None:
        with writing(by.store()) as conn:
            if not operate.resume(conn, mask(kind)):
                raise ConflictError(f"{mask(kind)} is not paused any more; nothing was done")

    by.write(run)
    return ActionAnswer(kind_resumed(mask(kind), by.group), f"/kinds/{kind}")


def _pause(kind: str) -> PageForm:
    note = PageField("note", "Reason", most=200)
    return PageForm(f"/kinds/{kind}/pause", "Pause this kind", [note])


def _resume(kind: str) -> PageForm:
    return PageForm(f"/kinds/{kind}/resume", "Send it again")
