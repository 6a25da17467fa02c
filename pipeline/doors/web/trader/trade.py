"""One trade: its figures, the path of its price, what belongs to it, and its tags and note."""

from afterword.pipeline.core.store import reading
from afterword.pipeline.domain.trades.note import MAX_TRIP_NOTE, NO_NOTE
from afterword.pipeline.domain.trades.tag import MAX_TRIP_TAG
from afterword.pipeline.doors.web.caller import PageCaller
from afterword.pipeline.doors.web.model import PageContent, PageField, PageForm
from afterword.pipeline.operations.learn.kept_trades import KeptTrade, kept_trade
from afterword.pipeline.views.trades.trades import trade_details
from afterword.pipeline.views.trades.words import short_uid
from afterword.pipeline.views.words import shorten


def trade(by: PageCaller, trade: str) -> PageContent:
    """Return one trade, and the forms that change its tags and its note."""
    with reading(by.store()) as conn:
        kept = kept_trade(conn, trade, None, by.now())
    trip = kept.outcome.trip
    title = f"{shorten(trip.symbol, 40)} {trip.direction}, trade {short_uid(trip.trip_uid)}"
    return PageContent([trade_details(kept), *_forms(kept)], title=title)


def _forms(kept: KeptTrade) -> list[PageForm]:
    path = f"/trades/{kept.outcome.trip.trip_uid}"
    tag = PageField("tag", "Tag", is_required=True, most=MAX_TRIP_TAG, hint="a word of yours")
    written = "" if kept.note is None else kept.note.note
    note = PageField("note", "Note", "textarea", written, is_required=True, most=MAX_TRIP_NOTE)
    shown = {"replaces": str(NO_NOTE if kept.note is None else kept.note.id)}
    forms = [
        PageForm(f"{path}/tag", "Add the tag", [tag]),
        *(
            PageForm(f"{path}/untag", f"Remove {word}", hidden={"tag": word}, is_grave=True)
            for word in kept.tags
        ),
        PageForm(f"{path}/note", "Save the note", [note], shown),
    ]
    if kept.note is not None:
        forms.append(PageForm(f"{path}/unnote", "Remove the note", hidden=shown, is_grave=True))
    return forms
