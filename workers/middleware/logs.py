"""Emit an event for each message that is received, processed or skipped."""

from typing import Any

from dramatiq import Broker, Middleware

from afterword.pipeline.core.telemetry import emit


class Logs(Middleware):
    """Outermost middleware: it sees every message, also those that another middleware skips."""

    def before_process_message(self, broker: Broker, message: Any) -> None:
        """Emit that a message was received."""
        emit("message.received", kind=message.actor_name, group=message.args[0])

    def after_process_message(
        self,
        broker: Broker,
        message: Any,
        *,
        result: Any = None,
        exception: BaseException | None = None,
    ) -> None:
        """Emit that a message was processed, with the type of its error if it failed."""
        emit(
            "message.processed",
            kind=message.actor_name,
            group=message.args[0],
            jobs=len(message.args[1]),
            error=None if exception is None else type(exception).__name__,
        )

    def after_skip_message(self, broker: Broker, message: Any) -> None:
        """Emit that a message was skipped."""
        emit("message.skipped", kind=message.actor_name, group=message.args[0])
