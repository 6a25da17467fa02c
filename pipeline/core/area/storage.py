"""What a room declares of what it keeps: tables, exports, checks, repairs, and how it forgets."""

from typing import Literal, NamedTuple

DoctorScope = Literal["installation", "instance", "group"]


class AreaTable(NamedTuple):
    """A table that only this area writes.

    Args:
        quiet: the columns of text or bytes that can never hold remembered text, since they hold
            ids, names of work, words of a fixed list, numbers or texts of the program; separated by
            blanks.
    """

    name: str
    quiet: str = ""


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
