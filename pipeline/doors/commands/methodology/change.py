"""`afterword methodology delete` and `clear`: what its owner decides about a method."""

import typer

from afterword.pipeline.domain.methodologies.checks import require_learning
from afterword.pipeline.domain.methodologies.delete import clear_injection, delete_methodology
from afterword.pipeline.doors.cli.call import Call
from afterword.pipeline.doors.commands.methodology.options import MethodName
from afterword.pipeline.views.methods.methods import method_changed


def delete(ctx: typer.Context, method: MethodName) -> None:
    """Delete a method: no prompt shows it; its record keeps counting.

    Example: afterword methodology delete 12
    """
    call = Call(ctx)
    require_learning(call.settings.learning_enabled)
    deleted = delete_methodology(call.owner(), method)
    call.answer(deleted, lambda: method_changed(deleted, "deleted"))


def clear(ctx: typer.Context, method: MethodName) -> None:
    """Say that a method's text is no injection, so that it may graduate.

    Example: afterword methodology clear 12
    """
    call = Call(ctx)
    require_learning(call.settings.learning_enabled)
    cleared = clear_injection(call.owner(), method)
    call.answer(cleared, lambda: method_changed(cleared, "cleared"))
