"""`afterword history import`: store what a venue's exports and files of wallets hold."""

from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict, astuple
from pathlib import Path
from typing import Annotated

import typer

from afterword.pipeline.core.store import Store, reading, writing
from afterword.pipeline.domain.exports.import_export import SoundExport, check_export
from afterword.pipeline.domain.exports.kept import keep_mapping
from afterword.pipeline.domain.history.import_fills import ImportCounts
from afterword.pipeline.domain.memory.flag_rows import number
from afterword.pipeline.domain.spot.keep import AT_ONCE
from afterword.pipeline.domain.spot.model import ETHEREUM, SpotCounts
from afterword.pipeline.domain.spot.rows import activities
from afterword.pipeline.domain.spot.totals import spot_totals
from afterword.pipeline.domain.sync.keep_spot import keep_spot
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.progress import Told, progress
from afterword.pipeline.doors.commands.export_options import (
    AccountName,
    ChainName,
    Columns,
    ContractSizes,
    Day,
    Decimals,
    MappingName,
    Symbol,
    TimeFormat,
    TimeUnitName,
    Zone,
    kept_by,
    reading_options,
)
from afterword.pipeline.errors import InvalidInputError
from afterword.pipeline.operations.learn.files import ReadingOptions
from afterword.pipeline.views.trades.history_import import import_done
from afterword.pipeline.views.trades.spot import spot_kept, total_values


def import_(
    ctx: typer.Context,
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Exports of a venue, or of its API.")
    ],
    account: AccountName = None,
    zone: Zone = None,
    symbol: Symbol = None,
    columns: Columns = None,
    time_unit: TimeUnitName = None,
    time_format: TimeFormat = None,
    day: Day = None,
    decimal: Decimals = None,
    contract_size: ContractSizes = None,
    mapping: MappingName = None,
    chain: ChainName = ETHEREUM,
    wallet: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[SLOT=]0x...",
            help="Address of the account or of a slot, to recognise its own liquidations.",
        ),
    ] = None,
) -> None:
    """Store the fills of exports, the swaps of wallets; a second import changes nothing.

    Example: afterword history import fills.json --account hl-main
    """
    call = Call(ctx)
    options = reading_options(
        zone=zone,
        symbol=symbol,
        columns=columns,
        time_unit=time_unit,
        time_format=time_format,
        decimal=decimal,
        contract_size=contract_size,
        account=account,
        mapping=mapping,
        chain=chain,
        day=day,
    )
    with ExitStack() as stack, progress() as told:
        # Every file is read to its end before the first fill is stored.
        kept = kept_by(call)
        exports = [
            stack.enter_context(
                check_export(
                    *(file, options.origin), mapping=options.mapping, kept=kept, on_progress=told
                )
            )
            for file in files
        ]
        accounts = {name for export in exports for name in export.accounts}
        wallets = named_wallets(account or "", wallet or [], accounts)
        store = call.store(create=True)
        with reading(store) as conn:
            flagged_before = number(conn)
        wallet_files = [export for export in exports if export.layout.is_of_wallet]
        trades = [export for export in exports if not export.layout.is_of_wallet]
        counts = _stored(call, store, trades, wallets, options, told)
        spot = [
            keep_spot(store, file.activities(AT_ONCE), call.roots.clock) for file in wallet_files
        ]
    with reading(store) as conn:
        flagged = max(0, number(conn) - flagged_before)
        totals = spot_totals(activities(conn) if spot else ())
    left_out = dict(sorted(sum((export.left_out for export in exports), Counter()).items()))
    layouts = tuple(export.layout.title for export in exports)
    value = {"layouts": layouts, **asdict(counts), "left_out": left_out, "flagged": flagged}
    of_trades, of_wallets = counts if trades else None, []
    if spot:
        done = SpotCounts(*map(sum, zip(*map(astuple, spot), strict=True)))
        value["spot"] = {**asdict(done), "stored": total_values(totals)}
        of_wallets = spot_kept(done, totals)
    call.answer(value, lambda: import_done(layouts, of_trades, left_out, flagged, of_wallets))


def _stored(
    call: Call,
    store: Store,
    exports: Sequence[SoundExport],
    wallets: dict[str, str],
    options: ReadingOptions,
    told: Told,
) -> ImportCounts:
    """Store the fills of checked exports, and the mapping that they were read with."""
    counts = ImportCounts(0, 0)
    for place, export in enumerate(exports, start=1):
        imported = export.store_in(
            store,
            call.roots.clock,
            call.roots.ids,
            wallets=wallets,
            embedding_enabled=call.embeds,
            max_ready=call.settings.jobs_max_ready,
            on_progress=told,
        )
        counts = ImportCounts(*map(sum, zip(astuple(counts), astuple(imported), strict=True)))
        if options.mapping is not None:
            with writing(store) as conn:
                keep_mapping(
                    *(conn, export.document, options.mapping, call.now()),
                    name=options.mapping_name,
                    zone=options.zone_text,
                    symbol=options.origin.symbol,
                )
        told("files", place, len(exports))
    return counts


def named_wallets(account: str, given: Sequence[str], accounts: set[str]) -> dict[str, str]:
    """Return addresses by account.

    Args:
        account: the name above all accounts of the files.
        given: `0x...` for the account itself, `SLOT=0x...` for one of its slots.
        accounts: the accounts in the files.

    Raises:
        InvalidInputError: an address names an account that is not in the files.
    """
    wallets = {}
    if given and not account:
        raise InvalidInputError("wallet", "needs the account's name", "--account NAME beside it")
    for wallet in given:
        slot, _, address = wallet.rpartition("=")
        name = f"{account}/{slot}" if slot else account
        if name not in accounts:
            accepted = ", ".join(sorted(accounts)) or "none"
            raise InvalidInputError("wallet", f"{name!r} is not in the files", accepted)
        wallets[name] = address
    return wallets
