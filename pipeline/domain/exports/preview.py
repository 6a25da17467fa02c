"""What would come of a file by the mapping that is proposed for it, before its owner says yes."""

from datetime import UTC

from afterword.pipeline.domain.documents.document import Document
from afterword.pipeline.domain.exports.contents import contents_of
from afterword.pipeline.domain.exports.guess import Guess
from afterword.pipeline.domain.exports.mapped import mapped_layout
from afterword.pipeline.domain.exports.mapping import ColumnMapping
from afterword.pipeline.domain.layouts.layout import Origin
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.rules.tabular.moments import read_zone


def preview(document: Document, guess: Guess) -> str:
    """Return what the whole file comes to by a proposal, or why it does not go through.

    Returns:
        `by the line below it holds 2 fills of BTC …`; empty where a column is not known yet.
    """
    if guess.lacks:
        return ""
    options = dict(guess.options)
    zone, symbol = options.get("--zone"), options.get("--symbol")
    try:
        mapping = ColumnMapping.parse(guess.columns)
        clock = UTC if guess.lacks_zone else read_zone(zone) if zone else None
        contents = contents_of(
            mapped_layout(mapping).read(document, Origin(document.name, "", clock, symbol))
        )
        words = contents.words()
        if guess.lacks_zone:
            words += "; its times say no zone, and are shown as if they were in UTC"
        return f"by the line below it holds {words}"
    except InvalidInputError as error:
        asked = f"{error.field} {error.problem} ({error.accepted})"
        return f"read by the line below, it still asks: {asked}"
