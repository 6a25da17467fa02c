"""`afterword profile refresh`: mirror what is new, then rebuild what is concluded."""

from typing import Annotated, Any

import typer

from afterword.pipeline.core.store import Store
from afterword.pipeline.domain.accounts.read import list_accounts
from afterword.pipeline.domain.memory.writer import Writer
from afterword.pipeline.domain.rebuilds.parts import RebuildParts
from afterword.pipeline.domain.rebuilds.refresh import refresh_profile
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.cli.services import llm_of, switches_of
from afterword.pipeline.doors.commands.sync import mirror_now, sync_facts
from afterword.pipeline.errors import PipelineError, PostponedError, UnavailableError
from afterword.pipeline.views.blocks import Block, Paragraph, View
from afterword.pipeline.views.memory.rebuilds import rebuilds_done
from afterword.pipeline.views.trades.sync import sync_done


def refresh(
    ctx: typer.Context,
    all_of_them: Annotated[
        bool, typer.Option("--all", help="Rebuild tags and memories before their time, too.")
    ] = False,
    sync: Annotated[
        bool, typer.Option("--sync/--no-sync", help="Mirror your accounts first.")
    ] = True,
) -> None:
    """Mirror your accounts, then rebuild the trading summary and what else is due.

    Works without a network and without a model: what is known is summed up by template.

    Example: afterword profile refresh
    """
    call = Call(ctx)
    stores, store = call.stores(), call.store()
    mirrored, shown = _mirrored(call, store) if sync else (None, [])
    by = Writer(store, call.roots.clock, call.roots.ids, "system", embeds=call.embeds)
    switches, llm = switches_of(call, stores), llm_of(call, stores, fast=True)
    parts = RebuildParts(by, call.settings, llm, switches.mode)
    reports = refresh_profile(parts, all_of_them=all_of_them)
    answer = {"sync": mirrored, "rebuilds": reports}
    call.answer(answer, lambda: View([*shown, *rebuilds_done(reports)]))


def _mirrored(call: Call, store: Store) -> tuple[dict[str, Any] | None, list[Block]]:
    """Mirror the owner's accounts, if there are any; a venue that is away stops nothing."""
    if not any(one.kind == "own" and one.paused_at is None for one in list_accounts(store)):
        return None, []
    try:
        report = mirror_now(call, store)
    except (UnavailableError, PostponedError) as error:
        return {"error": str(error)}, [_not_mirrored(error)]
    return sync_facts(report), list(sync_done(report, []).blocks)


def _not_mirrored(error: PipelineError) -> Paragraph:
    return Paragraph(f"The accounts were not mirrored: {error}")
