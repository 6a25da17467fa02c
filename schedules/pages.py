"""The pages of the schedule: what runs when and what was missed; one entry, and its job now."""

from afterword.pipeline.clock import iso
from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.skills.discover import load_roles
from afterword.pipeline.doors.web.caller import PageCaller
from afterword.pipeline.doors.web.model import ActionAnswer, PageContent, PageForm, check_unchanged
from afterword.pipeline.errors import NotFoundError
from afterword.schedules.entry import CronEntry
from afterword.schedules.listed import ListedEntry, coming_slots, list_entries
from afterword.schedules.listed_view import entry_list, job_added, slot_list
from afterword.schedules.run_entry import run_entry
from afterword.schedules.table import whole_table

_SLOTS = 20


def cron(by: PageCaller) -> PageContent:
    """Return the schedule of the group, and the slots that come next."""
    table = _table(by)
    slots = coming_slots(table, by.now(), _SLOTS)
    return PageContent([entry_list(_listed(by, table)), slot_list(slots)])


def entry(by: PageCaller, entry: str) -> PageContent:
    """Return one entry, its next slots, and the button that adds its job now."""
    table = [known for known in _table(by) if known.name == entry]
    if not table:
        raise NotFoundError("the schedule has no entry of this name")
    listed = _listed(by, table)
    form = PageForm(f"/cron/{entry}/run", "Run it now", hidden={"shown": _fired(listed[0])})
    slots = slot_list(coming_slots(table, by.now(), _SLOTS))
    return PageContent([entry_list(listed), slots, form], title=entry)


def run(by: PageCaller, entry: str, shown: str) -> ActionAnswer:
    """Add the entry's job now, if it did not fire since it was shown."""
    table, installation = _table(by), by.parts.stores.instance_id

    def add_job() -> None:
        listed = [known for known in _listed(by, table) if known.entry == entry]
        check_unchanged(shown, _fired(listed[0]) if listed else "unknown", entry)
        run_entry(by.store(), entry, table, installation, by.now())

    by.write(add_job)
    job = next(known.job for known in table if known.name == entry)
    return ActionAnswer(job_added(job), f"/cron/{entry}")


def _table(by: PageCaller) -> tuple[CronEntry, ...]:
    return whole_table(load_roles(by.settings.home))


def _listed(by: PageCaller, table: list[CronEntry] | tuple[CronEntry, ...]) -> list[ListedEntry]:
    with reading(by.store()) as conn:
        return list_entries(conn, table, by.now())


def _fired(entry: ListedEntry) -> str:
    return "never fired" if entry.last_fired is None else f"last fired {iso(entry.last_fired)}"
