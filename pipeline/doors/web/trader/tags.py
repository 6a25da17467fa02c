"""One tag of the user: what it may be, who says what, and what its owner declares."""

from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.profile.declare import clear_tag, upsert_tag
from afterword.pipeline.domain.profile.tags import declared_tags, list_tags
from afterword.pipeline.doors.web.caller import PageCaller
from afterword.pipeline.doors.web.model import (
    ActionAnswer,
    PageContent,
    PageField,
    PageForm,
    check_unchanged,
)
from afterword.pipeline.rules.user_tags.schema import (
    LABELS,
    MARKETS_TAG,
    allowed_values,
    parse_stored_tag_value,
    serialize_tag_value,
    tag_label,
)
from afterword.pipeline.views.memory.tags import tag_cleared, tag_list, tag_set, tag_title


def tag(by: PageCaller, tag: str) -> PageContent:
    """Return who says what of one dimension, and the forms that declare it and take it back."""
    allowed_values(tag)
    tags = [known for known in list_tags(by.store()) if known.dimension == tag]
    declared = declared_tags(tags).get(tag)
    shown = {"shown": _words(tag, declared)}
    path = f"/profile/tags/{tag}"
    forms = [PageForm(f"{path}/set", "Declare it", [_field(tag, declared)], shown)]
    if declared is not None:
        forms.append(PageForm(f"{path}/clear", "Take it back", hidden=shown, is_grave=True))
    return PageContent([tag_list(tags), *forms], title=tag_title(tag))


def declare(by: PageCaller, tag: str, value: str, shown: str) -> ActionAnswer:
    """Declare a dimension, if what was declared of it is as it was shown."""
    allowed_values(tag)
    given = [word.strip() for word in value.split(",")] if tag == MARKETS_TAG else value
    stored = serialize_tag_value(tag, given)

    def run(writer: Writer) -> bool:
        _check(writer, tag, shown)
        return upsert_tag(writer, tag, given)

    is_changed = by.write_as_owner(run)
    return ActionAnswer(tag_set(tag, stored, is_changed=is_changed), f"/profile/tags/{tag}")


def clear(by: PageCaller, tag: str, shown: str) -> ActionAnswer:
    """Take back what was declared, if it is as it was shown: what was concluded counts again."""
    allowed_values(tag)

    def run(writer: Writer) -> None:
        _check(writer, tag, shown)
        clear_tag(writer, tag)

    by.write_as_owner(run)
    return ActionAnswer(tag_cleared(tag, list_tags(by.store())), f"/profile/tags/{tag}")


def _check(writer: Writer, tag: str, shown: str) -> None:
    declared = declared_tags(list_tags(writer.store)).get(tag)
    check_unchanged(shown, _words(tag, declared), f"the tag {tag}")


def _words(tag: str, declared: str | None) -> str:
    return "not declared" if declared is None else f"declared as {tag_label(tag, declared)}"


def _field(tag: str, declared: str | None) -> PageField:
    if tag == MARKETS_TAG:
        value = "" if declared is None else ", ".join(parse_stored_tag_value(tag, declared))
        hint = f"One or more of {', '.join(LABELS[tag])}."
        return PageField("value", "Markets", value=value, is_required=True, most=400, hint=hint)
    return PageField("value", "Value", "select", declared or "", [*LABELS[tag].items()])
