"""What other programs did to the files, as the chain of each group tells."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from afterword.pipeline.core.store.chain.model import ChainCheck
from afterword.pipeline.views.blocks import Block, Paragraph, Section, Table, View
from afterword.pipeline.views.numbers import count

MOST_SHOWN: Final = 20
"""Edits that are shown one by one; the others are counted; `--json` has all."""

_MOMENT = "{:%Y-%m-%d %H:%M:%SZ}"
_RESTORE = "`afterword store restore BACKUP --group {group} --replace`"
_REMEDY = (
    f"If it was not you: {_RESTORE}. If it was: "
    "`afterword store check --tamper --accept --group {group}` takes the rows as they are."
)
_NO_CHAIN = f"Nothing can be written without it: {_RESTORE}."


def chains_checked(chains: Sequence[ChainCheck], *, accepted: bool) -> View:
    """Return what was found in each group.

    Args:
        accepted: the owner takes what was found as right from now on.
    """
    return View([Section(f"group {chain.group}", _chain(chain, accepted)) for chain in chains])


def _chain(chain: ChainCheck, accepted: bool) -> list[Block]:
    blocks: list[Block] = [Paragraph(_summary(chain))]
    if chain.edits:
        rows = [
            [
                *(edit.what, edit.table or "-", edit.uid or str(edit.row or "-"), edit.says),
                "-" if edit.after is None else _MOMENT.format(edit.after),
                _MOMENT.format(edit.before),
            ]
            for edit in chain.edits[:MOST_SHOWN]
        ]
        head = ("edit", "table", "row", "found", "right until", "wrong since, at the latest")
        blocks.append(Table(head, rows))
        if others := Counter((edit.what, edit.table) for edit in chain.edits[MOST_SHOWN:]):
            counted = ", ".join(
                f"{many:,} {what} in {name}" for (what, name), many in others.items()
            )
            blocks.append(Paragraph(f"And {counted}; `--json` names each."))
        remedy = _NO_CHAIN if any(edit.what == "no chain" for edit in chain.edits) else _REMEDY
        advice = "Taken as right from now on." if accepted else remedy.format(group=chain.group)
        blocks.append(Paragraph(advice))
    return blocks


def _summary(chain: ChainCheck) -> str:
    if chain.since is None and not chain.edits:
        return "No chain has begun: the first write of this release begins it."
    since = "with no chain" if chain.since is None else f"since {_MOMENT.format(chain.since)}"
    anchored = (
        f"anchored {chain.anchored_at:%Y-%m-%d %H:%M:%SZ}" if chain.anchored_at else "not anchored"
    )
    found = "as it wrote them"
    if chain.edits:
        found = f"{count(len(chain.edits), 'edit')} by another program"
    return f"{chain.rows:,} rows of Afterword {since}: {found}; {anchored}."
