"""What makers decide, as the rows of decisions.

All calls of a maker about one asset and side are alike but for their moment and their words, which
differ in numbers only. So the first of them is checked like any decision, for all.
"""

from dataclasses import replace

from afterword.pipeline.clock import from_micros
from afterword.pipeline.domain.decisions.model import NewDecision, NewDecisionRow
from afterword.pipeline.domain.decisions.record import prepare as checked
from afterword.pipeline.domain.skills import RoleRegistry
from afterword.pipeline.operations.replay.calls import MakerCall
from afterword.pipeline.operations.replay.ids import uid_of
from afterword.pipeline.operations.replay.loop import body_of
from afterword.pipeline.operations.replay.roles import role_of
from afterword.pipeline.operations.replay.rows import PreparedDecision
from afterword.pipeline.rules.market.classes import NOTHING_STATED, StatedClasses

MethodUids = dict[tuple[str, str, str, str], str]
"""Uids of methodologies by maker, variant, asset class and side."""


class MadeDecisions:
    """Turns the calls of makers into decisions.

    Args:
        seed: of their uids.
        methods: what they cite.
        classes: of the assets.
    """

    def __init__(
        self,
        registry: RoleRegistry,
        seed: int,
        methods: MethodUids,
        classes: StatedClasses = NOTHING_STATED,
    ) -> None:
        self._classes = classes
        self._registry, self._seed, self._methods = registry, seed, methods
        self._alike: dict[tuple[str, str, str, str], NewDecisionRow] = {}

    def of(self, call: MakerCall) -> PreparedDecision:
        """Return the decision of a call."""
        name = call.maker, call.variant, call.asset, call.stance
        first, words = self._alike.get(name), call.words
        if first is None:
            first = self._checked(call)
            if first.decision == words:
                self._alike[name] = first
            else:  # a secret in the name of the asset: it is masked in each call
                words = first.decision
        key = f"{call.maker}:{call.variant}:{call.asset}:{call.at}"
        row = replace(
            first,
            decision=words,
            record_key=key,
            decided_at=call.at,
            uid=uid_of(self._seed, key),
            known_at=call.at,
        )
        return PreparedDecision(call.at, key, call.maker, row.role_id, body_of(row))

    def _checked(self, call: MakerCall) -> NewDecisionRow:
        cited = self._methods.get(
            (call.maker, call.variant, self._classes.of(call.asset), call.stance)
        )
        new = NewDecision(
            role_of(call.maker),
            call.words,
            asset=call.asset,
            direction=call.stance,
            decided_at=from_micros(call.at),
            origin="system",
            methods=() if cited is None else (cited,),
        )
        return checked(self._registry, new)
