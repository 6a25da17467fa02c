"""One memory: where it comes from, what it replaced; writing, editing, deleting and restoring."""

from afterword.pipeline.areas import AREAS
from afterword.pipeline.domain.memory.checks import MAX_CONTENT
from afterword.pipeline.domain.memory.delete import delete_memory, is_deletable, restore_memory
from afterword.pipeline.domain.memory.edit import edit_memory, is_editable
from afterword.pipeline.domain.memory.model import Memory, NewMemory
from afterword.pipeline.domain.memory.purge import retention_of
from afterword.pipeline.domain.memory.read import memory_story
from afterword.pipeline.domain.memory.write import prepare, write_one
from afterword.pipeline.doors.http.routes.asked import thing
from afterword.pipeline.doors.web.caller import PageCaller
from afterword.pipeline.doors.web.model import ActionAnswer, PageContent, PageField, PageForm
from afterword.pipeline.recall.lineage.trace import lineage_readers, trace
from afterword.pipeline.views.blocks import Section, View
from afterword.pipeline.views.memory.lineage import lineage_view
from afterword.pipeline.views.memory.memory import (
    memory_deleted,
    memory_edited,
    memory_restored,
    memory_shown,
    memory_written,
)


def memory(by: PageCaller, memory: str) -> PageContent:
    """Return one memory, what it comes from, and what its owner may do with it."""
    story = memory_story(by.store(), thing(memory))
    steps = trace(by.store(), story.memory.id, lineage_readers(AREAS), by.now())
    why = View([Section("Where it comes from", list(lineage_view(steps).blocks))])
    forms = _forms(story.memory)
    return PageContent([memory_shown(story), *forms, why], title=f"Memory {story.memory.id}")


def write(by: PageCaller, content: str) -> ActionAnswer:
    """Write what the owner wants remembered."""
    new = NewMemory("personalization", content, source="user_manual", origin="owner")
    prepared = prepare(new, by.parts.ids(), "owner")
    written = by.write_as_owner(lambda writer: write_one(writer, prepared))
    return ActionAnswer(memory_written(written, new.category), f"/memory/{written.id}")


def edit(by: PageCaller, memory: str, content: str) -> ActionAnswer:
    """Write a memory anew; one that was replaced meanwhile is refused."""
    edited = by.write_as_owner(lambda writer: edit_memory(writer, thing(memory), content=content))
    return ActionAnswer(memory_edited(edited, memory), f"/memory/{edited.id}")


def delete(by: PageCaller, memory: str) -> ActionAnswer:
    """Take a memory out of every read; for 30 days it can be restored."""
    by.write_as_owner(lambda writer: delete_memory(writer, thing(memory)))
    return ActionAnswer(memory_deleted(f"memory {memory}"), f"/memory/{memory}")


def restore(by: PageCaller, memory: str) -> ActionAnswer:
    """Put a deleted memory back."""
    retention = retention_of(by.settings).deleted
    by.write_as_owner(lambda writer: restore_memory(writer, thing(memory), retention=retention))
    return ActionAnswer(memory_restored(f"memory {memory}"), f"/memory/{memory}")


def _forms(memory: Memory) -> list[PageForm]:
    path = f"/memory/{memory.id}"
    if memory.deleted_at is not None:
        return [PageForm(f"{path}/restore", "Restore")]
    forms = []
    if is_editable(memory, "owner") and memory.superseded_at is None:
        text = PageField("content", "Text", "textarea", memory.content, (), True, MAX_CONTENT)
        forms.append(PageForm(f"{path}/edit", "Save the text", [text]))
    if is_deletable(memory, "owner"):
        forms.append(PageForm(f"{path}/delete", "Delete", is_grave=True))
    return forms
