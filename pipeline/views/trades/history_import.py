"""What an import of exports did, and what it could not decide."""

from collections.abc import Mapping, Sequence
from typing import Final

from afterword.pipeline.clock import iso
from afterword.pipeline.domain.history.import_fills import ImportCounts
from afterword.pipeline.domain.history.undecided import EqualFills, OtherLayout, Undecided
from afterword.pipeline.views.blocks import Block, Fields, Paragraph, Table, View

_ALWAYS: Final = ("fills_new", "fills_known", "trips_new", "memories")
_COLUMNS: Final = ("undecided", "account", "market", "from", "to", "fills", "files")


def import_done(
    layouts: Sequence[str],
    counts: ImportCounts | None,
    left_out: Mapping[str, int],
    flagged: int,
    spot: Sequence[Block] = (),
) -> View:
    """Return what an import did with all its files.

    Args:
        layouts: what each file was, in the order given.
        counts: None if all files are of wallets.
        left_out: rows that are not trades, by reason; counts.
        flagged: memories that read like orders to the agent; count.
        spot: what is said of files of wallets.
    """
    titles = [Paragraph(title) for title in dict.fromkeys(layouts)]
    aside = {f"left out: {reason}": count for reason, count in left_out.items()}
    if counts is None:
        return View([*titles, *spot, *([Fields(aside)] if aside else [])])
    done = {
        name.replace("_", " "): getattr(counts, name)
        for name in ImportCounts.__slots__
        if name in _ALWAYS or getattr(counts, name)
    }
    lines = []
    if flagged:
        lines.append(
            f"{flagged:,} of the memories read like orders to the agent, by the name of a market "
            "or an account: see `afterword memory flagged`. Their trades count."
        )
    if counts.gaps_found:
        lines.append("A gap means that fills are missing: import the pages between.")
    if counts.undecided:
        lines.append(
            "Undecided: equal fills without an id stand at the end of one file and the beginning "
            "of another. They were kept once. A file that goes on over that moment decides it. "
            "`afterword history edges` lists them."
        )
    if counts.fills_set_aside:
        lines.append(
            "Set aside: files of two layouts tell of the same trades, and do not agree. Nothing "
            "counts twice; `afterword history edges` lists what was left out."
        )
    return View([*titles, Fields(done | aside), *map(Paragraph, lines), *spot])


def undecided_list(undecided: Sequence[Undecided]) -> View:
    """Return trades that may stand in two files, with how to decide it."""
    rows = [
        [
            *(pair.sort, pair.account, pair.market, iso(pair.first), iso(pair.last)),
            str(pair.fills),
            ", ".join(pair.files),
        ]
        for pair in undecided
    ]
    blocks: list[Table | Paragraph] = [Table(_COLUMNS, rows, "nothing is undecided")]
    equal = [one for one in undecided if isinstance(one, EqualFills)]
    if equal:
        blocks.append(
            Paragraph(
                f"{equal[0].sort}: equal fills without an id at the end of one file and the "
                "beginning of the other are kept once. Import a file that goes on over that "
                "moment: it decides them."
            )
        )
    others = [one for one in undecided if isinstance(one, OtherLayout)]
    if others:
        blocks.append(
            Paragraph(
                f"{others[0].sort}: another file tells of the same trades, and the two do not "
                "agree. These fills were left out. If they are of another account, import their "
                "file with --account NAME; if that file is the better one, import it alone into a "
                "new group."
            )
        )
    return View(blocks)
