"""A write of a client, done once: the effect, its count and its answer in one transaction."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from afterword.pipeline.clock import Clock, to_micros
from afterword.pipeline.core.store import Store, one_transaction
from afterword.pipeline.domain.clients import rows
from afterword.pipeline.domain.clients.model import KEPT_S, MAX_IDEMPOTENCY_KEY, ClientWrite
from afterword.pipeline.domain.clients.sessions import day_of, next_day
from afterword.pipeline.errors import BudgetExceededError, InvalidInputError


def write_once(store: Store, clock: Clock, write: ClientWrite, run: Callable[[], Any]) -> Any:
    """Run a write of a client, or return the answer it had when it was asked before.

    A process that is killed in between leaves neither the effect nor the answer, so repeating a
    request with its key has one effect.

    Args:
        run: the verb; its answer is plain JSON. It asks no service: the transaction waits for it.

    Raises:
        InvalidInputError: the key belongs to another request, or is too long.
        BudgetExceededError: the token has written as much as a day allows.
    """
    _check_key(write.key)
    with one_transaction(store) as conn:
        now = clock()
        if write.key is not None and (known := rows.find_answer(conn, write.token_id, write.key)):
            request, answer = known
            if request != write.request:
                accepted = "a key of its own for each request"
                raise InvalidInputError("Idempotency-Key", "belongs to another request", accepted)
            return json.loads(answer)
        day = day_of(now)
        if write.most is not None and not rows.count_write(conn, write.token_id, day, write.most):
            message = (
                f"this token has used its {write.most} writes of {day}; its owner may raise "
                "AFTERWORD_TOKEN_DAILY_WRITES"
            )
            raise BudgetExceededError(message, next_day(now))
        answer = run()
        if write.key is not None:
            text = json.dumps(answer, ensure_ascii=False)
            rows.add_answer(conn, write.token_id, write.key, write.request, text, to_micros(now))
            rows.drop_answers(conn, to_micros(now - timedelta(seconds=KEPT_S)))
    return answer


def _check_key(key: str | None) -> None:
    if key is not None and not (
        0 < len(key) <= MAX_IDEMPOTENCY_KEY and key.isascii() and key.isprintable()
    ):
        accepted = f"1 to {MAX_IDEMPOTENCY_KEY} printable ASCII characters"
        raise InvalidInputError("Idempotency-Key", f"has {len(key)} characters", accepted)
