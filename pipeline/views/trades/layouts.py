"""What is said of the layouts of exports."""

from collections.abc import Sequence

from afterword.pipeline.clock import iso
from afterword.pipeline.domain.exports.contents import FileContents
from afterword.pipeline.domain.exports.proposal import LayoutProposal
from afterword.pipeline.domain.layouts.layout import Layout
from afterword.pipeline.views.blocks import Fields, Paragraph, Table, Verbatim, View


def layout_list(rows: Sequence[tuple[str, str, str]]) -> View:
    """Return layouts below each other.

    Args:
        rows: name, title, and what reads it.
    """
    return View([Table(("layout", "export", "read by"), rows)])


def layout_text(text: str) -> View:
    """Return a layout file as it is written."""
    return View([Verbatim(text.rstrip("\n"))])


def layout_proposal(proposal: LayoutProposal) -> View:
    """Return a layout that a model proposes, with what the file comes to by it, for a yes."""
    values = {"proposed by": proposal.model, **_holds(proposal.contents)}
    if proposal.assumes:
        values["it assumes"] = "; ".join(proposal.assumes)
    next_step = (
        f"Nothing is kept. Compare it with what you know; if it is right, save the text as "
        f"layouts/{proposal.name}.toml in the home."
    )
    return View([Verbatim(proposal.text.rstrip("\n")), Fields(values), Paragraph(next_step)])


def layout_contents(layout: Layout, contents: FileContents) -> View:
    """Return what a file holds by a layout."""
    return View([Fields({"layout": f"{layout.title} ({layout.name})", **_holds(contents)})])


def _holds(contents: FileContents) -> dict[str, str | int]:
    values: dict[str, str | int] = {
        "fills": contents.fills,
        "closed trades": contents.closed_trades,
        "markets": ", ".join(contents.markets) or "none",
    }
    if contents.fills + contents.closed_trades:
        values |= {"first": iso(contents.first), "last": iso(contents.last)}
        values |= {"at the end": contents.open_words()} if contents.fills else {}
        values |= {"fees not known of": contents.fees_unknown}
    left_out = [f"{reason} {rows}" for reason, rows in contents.left_out.items()]
    return values | {"left out": ", ".join(left_out) or "nothing"}
